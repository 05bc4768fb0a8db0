"""Variables of the environment that steer other programs: where packages come from, where traffic goes, what runs."""

from __future__ import annotations

from enum import StrEnum

from sluicegate.patterns import lazy


class Steers(StrEnum):
    """What a variable decides for every program that is started after it."""

    PACKAGES = "packages"
    """The address that packages and what belongs to a language are taken from."""
    TRAFFIC = "traffic"
    """The machine through which, or to which, requests go."""
    MODEL = "model"
    """The address at which a model is asked."""
    COMMAND = "command"
    """A command line that another program runs when it comes to it."""
    CODE = "code"
    """Code that every program of a kind loads as it starts."""


_STEERING = lazy(
    r"(?P<packages>npm_config_(?:@[\w-]{1,40}:)?registry|NPM_CONFIG_REGISTRY|YARN_(?:NPM_)?REGISTRY(?:_SERVER)?|BUN_CONFIG_REGISTRY|PIP_(?:EXTRA_)?INDEX_URL"
    r"|PIP_FIND_LINKS|UV_(?:EXTRA_)?INDEX(?:_URL)?|UV_DEFAULT_INDEX|UV_FIND_LINKS|PDM_PYPI_URL|POETRY_REPOSITORIES_\w{1,60}_URL|GOPROXY"
    r"|CARGO_REGISTRIES_\w{1,60}_INDEX|CARGO_SOURCE_\w{1,60}_REGISTRY|RUSTUP_DIST_SERVER|RUSTUP_UPDATE_ROOT|BUNDLE_MIRROR__[^=]{1,80}|CONDA_CHANNELS"
    r"|CONDA_CHANNEL_ALIAS|HOMEBREW_(?:BOTTLE|API)_DOMAIN|(?:NVM_)?NODEJS_ORG_MIRROR|PLAYWRIGHT_DOWNLOAD_HOST|PUPPETEER_DOWNLOAD_(?:HOST|BASE_URL)|ELECTRON_MIRROR)"
    r"|(?P<traffic>(?i:https?_proxy|all_proxy|npm_config_(?:https_)?proxy)|AWS_ENDPOINT_URL(?:_\w{1,40})?|GH_HOST|DOCKER_HOST|KUBERNETES_MASTER|SENTRY_URL|VAULT_ADDR)"
    r"|(?P<model>(?:ANTHROPIC|OPENAI|CLAUDE|GEMINI|GOOGLE_GEMINI|CODEX|LITELLM)_(?:API_)?(?:BASE_URL|BASE|HOST|ENDPOINT))"
    r"|(?P<command>PROMPT_COMMAND|GIT_(?:SSH_COMMAND|SSH|ASKPASS|EXTERNAL_DIFF|PAGER|EDITOR|PROXY_COMMAND)|SSH_ASKPASS|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN)"
    r"|(?P<code>LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|BASH_ENV|PERL5OPT|RUBYOPT|NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|DOTNET_STARTUP_HOOKS"
    r"|CORECLR_PROFILER_PATH|COR_PROFILER_PATH|GCONV_PATH|GIT_EXEC_PATH|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|MAVEN_OPTS|GRADLE_OPTS)"
)
WORDS = (
    "NODE_OPTIONS", "NODE_REPL", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT", "PYTHONSTARTUP", "BASH_ENV", "PERL5OPT", "RUBYOPT",
    "GIT_SSH", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH", "JAVA_OPTIONS",
    "JAVA_TOOL_OPTIONS", "DOTNET_STARTUP_HOOKS", "PROFILER_PATH", "GCONV_PATH", "MAVEN_OPTS", "GRADLE_OPTS", "PROMPT_COMMAND",
)  # fmt: skip
"""One of these stands in the name of each variable by which code is loaded or started."""
_OF_NODE = lazy(r"(?:--require|--import|--(?:experimental-)?loader|-r)[= ]{1,3}[\"']?")
_OF_RUBY = lazy(r"-[rI] ?[\"']?")
_OF_PERL = lazy(r"-(?:I|Mlib=) ?[\"']?")
_OF_JAVA = lazy(r"-(?:javaagent|agentpath):[\"']?")
_OPTIONS = {"NODE_OPTIONS": _OF_NODE, "RUBYOPT": _OF_RUBY, "PERL5OPT": _OF_PERL} | dict.fromkeys(
    ("MAVEN_OPTS", "GRADLE_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"), _OF_JAVA
)
"""Of variables that hold options: those that load a file."""
_PATH = lazy(
    r"(?:[./~$%{\\]|[A-Za-z]:[\\/]|file:|https?:|data:)[^\s\"'`]{0,300}|[\w-]{1,60}\.(?:[cm]?js|rb|pm|so|dylib|dll|jar)\b"
)
_WHOLE_PATH = lazy(
    r"[\"'`]?(?:[./~$%{\\]|[A-Za-z]:[\\/]|[\w.-]{1,80}\.(?:so|dylib|dll|py|sh|js)\b)[^\"'`\n]{0,300}"
)
_WELL_KNOWN = lazy(
    r"(?i)lib(?:jemalloc|tcmalloc|mimalloc|[atul]{1,2}san|clang_rt|faketime|gomp|iomp|stdc\+\+|eatmydata|fakeroot|proxychains|torsocks|nss_wrapper|cudart|segfault)"
    r"|(?:jacoco|opentelemetry|newrelic|dd-java|lombok|elastic-apm|async-?profiler|byteman|jmx)[\w.-]*"
)
"""Libraries and agents that honest builds and services load so."""
_STARTED = lazy(
    r"[\"'`]?(?:(?:sh|bash|node|python3?|exec) )?"
    r"(?:\.{1,2}[\\/]|~|\$(?!\(which)|%|/(?:tmp|var/tmp|dev/shm|home|Users|root|opt/[^h])|[A-Za-z]:[\\/](?!Windows|Program))[^\s\"'`]{1,300}"
)
_OF_GIT = frozenset(
    {"GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "SSH_ASKPASS"}
)


def steers(name: str) -> Steers | None:
    """What a variable of this name decides for other programs."""
    found = _STEERING.fullmatch(name) if len(name) < 160 else None
    return Steers(found.lastgroup) if found is not None and found.lastgroup is not None else None


def loads(name: str, value: str) -> str:
    """The file that programs load or start because a variable has this value; empty where it is none, or well known."""
    decides = steers(name)
    found = None
    if decides is Steers.CODE:
        options = _OPTIONS.get(name)
        if options is None:
            found = _WHOLE_PATH.match(value.strip())
        else:
            at = options.search(value)
            found = None if at is None else _PATH.match(value, at.end())
    elif name in _OF_GIT:
        found = _STARTED.match(value.strip())
    if (
        found is None
        or _WELL_KNOWN.search(found[0]) is not None
        or found[0].strip("\"'`") in ("$" + name, "/dev/null")
    ):
        return ""
    return found[0].strip("\"'` ")
