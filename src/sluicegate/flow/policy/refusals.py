"""A refusal of a layer as a denial: which rule, why, and the way forward.

Nothing here holds or shows a value: what is named are rules, labels, and the operation as its maker shows it.
"""

from __future__ import annotations

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.layer import (
    Builtin,
    Dangerous,
    DenyListed,
    Layer,
    Prepared,
    Refusal,
    Unread,
)
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.capabilities import Missing
from sluicegate.flow.policy.rules.flows import FlowRule, Unlisted
from sluicegate.flow.policy.rules.subjects import RequestSubject
from sluicegate.flow.policy.rules.tool_names import NamedTool
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import dotted

_MOST_NAMED = 5
_CREDENTIALS = "For a credential, use the sealed path: 'using auth:NAME' with policy.auth.NAME"

_WHAT = {
    "cmd": "This command", "fs": "This file", "network": "This host", "mcp": "This tool",
    "sh": "Shell code", "py": "Python code", "node": "Node code", "js": "JavaScript code", "prose": "Prose",
    "install": "Installing", "keychain": "The keychain",
}  # fmt: skip


def denial_of(refusal: Refusal, layer: Layer, prepared: Prepared, labels: Labels) -> Denial:
    """The denial for a refusal that ``layer`` gave."""
    match refusal:
        case DenyListed():
            told = _denied(refusal, layer, prepared)
        case Dangerous():
            told = _dangerous(refusal, layer)
        case Missing():
            told = _missing(refusal.subject, layer, prepared)
        case Unread():
            told = _unread(refusal, layer)
        case Builtin():
            told = _builtin(refusal, layer)
        case FlowRule():
            told = _flow(refusal, layer, labels)
        case Unlisted():
            told = _unlisted(refusal, layer)
    code, blocked_by, rule, path, reason, suggestions = told
    if prepared.request.unread and not isinstance(refusal, Unread):
        reason = f"The shell text could run any command: {prepared.request.unread}. {reason}"
        suggestions = (_READABLE, *suggestions)
    return Denial(
        code=code,
        operation=prepared.request.shown,
        blocked_by=blocked_by,
        rule=rule,
        reason=reason,
        layer=layer.place_of(path),
        labels=labels.names(),
        operation_labels=layer.operation(prepared.leaves).names,
        suggestions=suggestions,
    )


def misspelt_tool(found: NamedTool, where: str, request: Request, labels: Labels) -> Denial:
    """The denial for a tool whose name is another spelling of one that a policy or a guard gives."""
    return Denial(
        code=Code.POLICY_TOOL_NAME_DENIED,
        operation=request.shown,
        blocked_by="Policy tool name",
        rule=f"{dotted(found.path)} spells it {shown(found.text)}"
        if found.path
        else f"it is spelled {shown(found.text)}",
        reason="The name of this tool is another spelling of one that is ruled, and a server may take both for the same",
        layer=where,
        labels=labels.names(),
        operation_labels=request.leaves,
        suggestions=(
            "Call the tool as it is spelled there",
            f"If these are two tools, name this one too: [arguments.{shown(request.tool)}], which may be empty",
        ),
    )


Told = tuple[Code, str, str, Path, str, tuple[str, ...]]


def rule_of(refusal: Refusal, layer: Layer) -> tuple[str, Path]:
    """The rule that refuses, as text, and where it stands."""
    match refusal:
        case DenyListed(listed=listed):
            return f'capabilities.deny includes "{listed.entry.text}"', listed.entry.path
        case Dangerous(hit=hit):
            return (
                f'capabilities.danger does not include "{hit.listed.entry.text}"',
                ("capabilities", "danger"),
            )
        case Missing(subject=subject):
            return f"capabilities.allow lists nothing that covers it ({subject.category})", (
                "capabilities",
                "allow",
            )
        case Unread():
            return "capabilities speak of commands, files and hosts", ("capabilities",)
        case Builtin(rule=name):
            at = layer.policy.defaults.rules.index(name)  # type: ignore[arg-type]
            return f'defaults.rules includes "{name}"', ("defaults", "rules", at)
        case FlowRule(rule=rule, target=target, path=path):
            return f'{dotted(("labels", rule.label, "deny"))} includes "{target}"', path
        case Unlisted(rule=rule, leaf=leaf):
            path = ("labels", rule.label, "allow")
            return f'{dotted(path)} does not include "{leaf}"', path


def _denied(refusal: DenyListed, layer: Layer, prepared: Prepared) -> Told:
    rule, path = rule_of(refusal, layer)
    entry = refusal.listed.entry
    what = _WHAT.get(entry.category, "This operation")
    suggestions = [
        *_alternatives(entry.category, entry.parts[:1], layer),
        f'If it should be possible, take "{entry.text}" out of capabilities.deny in {_named(layer)}',
    ]
    reason = f"{what} is denied whatever data goes into it"
    if layer.lists is not None and layer.lists.denied_below(prepared.subjects) is refusal.listed:
        reason = "It reaches everything below a directory, and something in there is denied"
        suggestions.insert(0, "Name the files or directories that it is about, and leave out what is denied")
    return Code.POLICY_CAPABILITY_DENIED, "Policy deny list", rule, path, reason, tuple(suggestions)


_READABLE = "Write the commands in a way that can be read, or as operations of their own"


def _unread(refusal: Unread, layer: Layer) -> Told:
    rule, path = rule_of(refusal, layer)
    reason = f"It cannot be told which commands the shell text runs: {refusal.why}"
    return Code.POLICY_CAPABILITY_DENIED, "Policy capabilities", rule, path, reason, (_READABLE,)


def _dangerous(refusal: Dangerous, layer: Layer) -> Told:
    rule, path = rule_of(refusal, layer)
    text = refusal.hit.listed.entry.text
    suggestions = (
        f'To permit it, add "{text}" to capabilities.danger in {_named(layer)}, and in every other layer that has '
        "capabilities",
        "A narrower entry of the same form opts into less",
    )
    reason = f"It is dangerous: {refusal.hit.why}"
    subject = refusal.hit.subject
    if subject.category == "fs" and subject.tokens is None:
        reason = f"It is not known which file this names, so it could be one of those of which that holds: {refusal.hit.why}"
        suggestions = ("Write the path out, or let another command say it first", *suggestions[1:])
    return Code.POLICY_CAPABILITY_DENIED, "Policy danger list", rule, path, reason, suggestions


def _missing(subject: RequestSubject, layer: Layer, prepared: Prepared) -> Told:
    rule, path = rule_of(Missing(subject), layer)
    what = _WHAT.get(subject.category, "This operation")
    reason = f"{what} is not on the allow list of {layer.name}"
    if subject.tokens is None:
        reason = f"{what} is not known, so only a list that allows all of them allows it"
    program = prepared.request.command.basename if prepared.request.command is not None else ""
    suggestions = [
        *_alternatives(subject.category, (program,) if program else (), layer),
        _to_allow(subject, prepared, layer),
    ]
    return Code.POLICY_CAPABILITY_DENIED, "Policy allow list", rule, path, reason, tuple(suggestions)


def _to_allow(subject: RequestSubject, prepared: Prepared, layer: Layer) -> str:
    """How to put a subject on the list, without naming its values."""
    category = subject.category
    if category == "fs":
        entry = f"fs:{subject.mode}:GLOB, with a glob that covers the file,"
    elif category == "network":
        entry = "network:HOST"
    elif category == "cmd":
        leaf = next((each for each in prepared.leaves.names if each.startswith("op:cmd:")), "op:cmd:PROGRAM")
        entry = f'"{leaf.removeprefix("op:")}:*"'
    else:
        entry = f'"{category}"'
    return f"To permit it, add {entry} to capabilities.allow in {_named(layer)}"


def _alternatives(category: str, program: tuple[str, ...], layer: Layer) -> list[str]:
    """What the layer allows in the same category; of a command, first what it allows of the same program."""
    lists = layer.lists
    if lists is None or lists.allows is None:
        return []
    entries = [entry for entry in lists.allows.entries if entry.category == category]
    same = [entry for entry in entries if entry.parts[:1] == program] if program else []
    named = list(dict.fromkeys(entry.text for entry in same or entries))
    if not named:
        return []
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return [f"{layer.name} allows: {', '.join(named[:_MOST_NAMED])}{more}"]


def _named(layer: Layer) -> str:
    """The layer as the place to change something in; a standard policy is changed in a copy."""
    if not layer.name.startswith("sluicegate:") or layer.file:
        return layer.name
    command = f"sluicegate policy show {layer.name.removeprefix('sluicegate:')} > policy.toml"
    return f"a copy of {layer.name} ('{command}')"


_BUILTIN_REASONS = {
    "no-secret-exfil": "Secret data cannot flow to an operation that takes data out (exfil)",
    "no-sensitive-exfil": "Sensitive data that is untrusted cannot flow to an operation that takes data out (exfil)",
    "no-untrusted-destructive": "Untrusted data cannot flow to a destructive operation",
    "no-untrusted-privileged": "Untrusted data cannot flow to a privileged operation",
}


def _builtin(refusal: Builtin, layer: Layer) -> Told:
    rule, path = rule_of(refusal, layer)
    suggestions = []
    if refusal.rule == "no-secret-exfil":
        suggestions.append(_CREDENTIALS)
        suggestions.append("Leave the label secret off data that is not secret")
    else:
        suggestions.append("Have a privileged guard check the data and bless it")
    if refusal.path:
        suggestions.append(f'{dotted(refusal.path)} = "{refusal.risk}" makes the operation {refusal.risk}')
    else:
        suggestions.append(f"The operation itself is declared {refusal.risk}")
    reason = _BUILTIN_REASONS[refusal.rule]
    return Code.POLICY_LABEL_FLOW_DENIED, "Policy built-in rule", rule, path, reason, tuple(suggestions)


def _flow(refusal: FlowRule, layer: Layer, labels: Labels) -> Told:
    rule, path = rule_of(refusal, layer)
    name, leaf = refusal.rule.label, refusal.leaf
    suggestions = []
    if name.split(":")[0] == "secret":
        suggestions.append(_CREDENTIALS)
    suggestions += _stance(refusal.label, layer, labels)
    if refusal.rule.allow:
        named = list(refusal.rule.allow)[:_MOST_NAMED]
        suggestions.append(f"{dotted(('labels', name, 'allow'))} permits: {', '.join(named)}")
    if leaf != refusal.target:
        suggestions.append(f'For an exception, add "{leaf}" to {dotted(("labels", name, "allow"))}')
    else:
        suggestions.append(
            f'An exception has to be more specific than "{refusal.target}", or stand under a label below {name}'
        )
    reason = f"Data labelled {refusal.label} cannot flow to {leaf}"
    return Code.POLICY_LABEL_FLOW_DENIED, "Policy label flow rule", rule, path, reason, tuple(suggestions)


def _unlisted(refusal: Unlisted, layer: Layer) -> Told:
    rule, path = rule_of(refusal, layer)
    where = dotted(("labels", refusal.rule.label, "allow"))
    named = list(refusal.rule.allow or {})[:_MOST_NAMED]
    suggestions = [
        f"{where} permits: {', '.join(named)}" if named else f"{where} is empty: it permits nothing",
        f'To permit it, add "{refusal.leaf}" to {where} in {_named(layer)}',
        "If the source is to be trusted, say so in sources",
    ]
    reason = (
        f"Data labelled {refusal.label} is untrusted by default, and {refusal.leaf} is not on its allow list"
    )
    return Code.POLICY_LABEL_FLOW_DENIED, "Policy label allow list", rule, path, reason, tuple(suggestions)


def _stance(label: str, layer: Layer, labels: Labels) -> list[str]:
    """Where ``untrusted`` comes from, if no one declared it."""
    if label != "untrusted" or "untrusted" in labels:
        return []
    origins = [each.origin for each in layer.taint(labels)[1] if each.found == 2]
    return [f"It is untrusted for where it comes from ({', '.join(origins)}); sources can classify that"]
