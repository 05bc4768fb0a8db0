"""What makes each coding agent act without asking its user: settings, lists of what is allowed, options, variables.

Sources: each vendor's own documentation, read in November 2026. Data alone: nothing here reads a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SWITCHES = frozenset(
    """enableAllProjectMcpServers dangerouslySkipPermissions skipDangerousModePermissionPrompt autoApproveAll
    chat.tools.autoApprove chat.tools.global.autoApprove github.copilot.chat.agent.autoApprove yolo yoloMode yoloModeToggled
    autoAccept dangerouslyAllowAll amp.dangerouslyAllowAll autoApprove alwaysAllow bypassPermissions dangerously_skip_permissions
    trustAllTools hasTrustDialogAccepted always_allow_tool_actions dangerouslyDisableSandbox executeAllCommands alwaysAllowExecute
    yes-always allow_all_tools allowAllTools autoApproveCommands executeAllCommands alwaysAllowWrite alwaysAllowMcp
    runEverything autoRunCommands trustAllCommands""".split()
)
"""Settings that let everything through when they are true."""
VALUES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "defaultMode": frozenset({"bypassPermissions", "dontAsk"}),
        "permissionMode": frozenset({"bypassPermissions", "dontAsk"}),
        "permission_mode": frozenset({"bypassPermissions", "dontAsk"}),
        "approval_policy": frozenset({"never"}),
        "approvalPolicy": frozenset({"never"}),
        "approvalMode": frozenset({"yolo", "full-auto", "unrestricted"}),
        "defaultApprovalMode": frozenset({"yolo"}),
        "sandbox_mode": frozenset({"danger-full-access"}),
        "sandboxMode": frozenset({"danger-full-access"}),
        "trust_level": frozenset({"trusted"}),
        "GOOSE_MODE": frozenset({"auto"}),
        "cascadeAutoExecutionPolicy": frozenset({"turbo", "auto"}),
        "permissionDecision": frozenset({"allow"}),
        "permission": frozenset({"allow"}),
    }
)
"""Settings that let everything through when they have one of these values."""
LISTS = frozenset(
    """allow allowed autoApprove alwaysAllow allowedTools allowed_tools autoAllow allowedCommands trustedCommands
    cascadeCommandsAllowList trustedTools terminalAllowlist mcpAllowlist commandAllowlist""".split()
)
"""Lists of what is done without a question."""
EVERYTHING = frozenset(
    """* ** *:* Bash Bash(*) Bash(:*) Bash(*:*) Bash(**) Bash(sudo:*) Bash(rm:*) Bash(curl:*) Shell(*) Shell(**) Shell Shell(*:*)
    run_shell_command ShellTool ShellTool(*) execute_command shell(*)""".split()
)
"""Entries of such a list that let every command through, or one that does anything."""
OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "claude": (
            "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions",
            "--permission-mode bypassPermissions", "--permission-mode=bypassPermissions",
        ),
        "codex": (
            "--dangerously-bypass-approvals-and-sandbox", "--yolo", "--ask-for-approval never", "-a never",
            "--ask-for-approval=never", "--sandbox danger-full-access", "--sandbox=danger-full-access", "-s danger-full-access",
            "approval_policy=never", 'approval_policy="never"', "sandbox_mode=danger-full-access", 'sandbox_mode="danger-full-access"',
        ),
        "gemini": ("--yolo", "-y", "--approval-mode yolo", "--approval-mode=yolo"),
        "qwen": ("--yolo", "-y", "--approval-mode yolo", "--approval-mode=yolo"),
        "cursor-agent": ("--force", "-f", "--yolo"),
        "copilot": ("--allow-all-tools", "--allow-all", "--yolo"),
        "amp": ("--dangerously-allow-all",),
        "cline": ("--yolo", "-y"),
        "crush": ("--yolo", "-y"),
        "kiro-cli": ("--trust-all-tools", "-a"),
        "q": ("--trust-all-tools",),
        "droid": ("--skip-permissions-unsafe",),
        "aider": ("--yes-always",),
        "kimi": ("--yolo", "--yes"),
        "goose": ("GOOSE_MODE=auto",),
    }
)  # fmt: skip
"""Options of each agent's command that switch its questions off; a value stands behind a space or an equals sign."""
FILES = (
    ".cursor/cli-config.json", ".cursor/cli.json", ".cursor/settings.json", ".qwen/settings.json", ".vscode/settings.json",
    "Code/User/settings.json", ".cline/settings.json", ".roo/settings.json", ".kiro/settings.json", ".amazonq/settings.json",
    ".crush.json", "crush.json", ".aider.conf.yml", ".factory/settings.json", ".codeium/windsurf/settings.json",
    ".gemini/trustedFolders.json", ".clawdbot/clawdbot.json", ".config/Code/User/settings.json", ".claude/settings.json",
    ".continue/permissions.yaml", ".cursor/permissions.json", ".clinerules/settings.json", "managed-settings.json",
)  # fmt: skip
"""Files of settings beside those of the table of agents, in which such a setting stands."""
