"""The requests of the client that flow decides on: which server each goes to, and what of it are the values.

1. A tool or a prompt goes to the server that lists it, a resource to the one that lists it or whose template it begins like.
   What is stopped is not asked for.
2. What the client answers to a server that wanted to know more (``inputResponses``) flows as one value more.
3. A tool's annotations add labels, and take none away: a server that says that it only reads is not believed.
4. Where that is configured, a person is asked about a call that policy refuses (``confirmation``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Final

from msgspec import Struct, field

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.callbacks import Callbacks
from sluicegate.reach.mcp.gateway.catalogue import (
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    TOOLS,
    Catalogue,
    ListedEntry,
    ListKind,
    WholeList,
)
from sluicegate.reach.mcp.gateway.confirmation import ASKED, LASTS, OWN_QUESTION, Confirmations, agrees
from sluicegate.reach.mcp.gateway.happenings import CallRefused
from sluicegate.reach.mcp.gateway.http import message_headers
from sluicegate.reach.mcp.gateway.judged import CallLimit, JudgedCall, Judging
from sluicegate.reach.mcp.gateway.messages import Id, RpcReply, RpcRequest
from sluicegate.reach.mcp.gateway.upstream import MOST_STARTS, Upstream

PROTOCOL: Final = "io.modelcontextprotocol/protocolVersion"
TASKS: Final = frozenset({"tasks/get", "tasks/result", "tasks/cancel", "tasks/update"})
_MOST_TASKS: Final = 10_000
_HINTS: Final = (("destructiveHint", "destructive"), ("openWorldHint", "exfil"))


class GatewayRules(Struct, frozen=True, kw_only=True):
    """What was configured.

    ``shown`` are lists of patterns, and a tool has to be in each; ``labels`` are those that a tool's author should have declared;
    ``limits`` say how often tools may be called, ``timeout`` how many seconds an answer may take, ``starts``
    how often a server that ends is started within a minute.
    """

    shown: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    hidden: Mapping[str, Sequence[str]] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, CallLimit]] = field(default_factory=dict)
    timeout: float = 300.0
    starts: int = MOST_STARTS

    def shows(self, kind: ListKind, listed: ListedEntry) -> bool:
        """Whether the client is to know of an entry."""
        if kind is not TOOLS:
            return True
        lists, denied = self.shown.get(listed.server, ()), self.hidden.get(listed.server, ())
        return all(one_of(listed.name, each) for each in lists) and not one_of(listed.name, denied)

    def labels_of(self, listed: ListedEntry) -> tuple[str, ...]:
        """The labels of a tool: those that its annotations add (3), and those that were configured."""
        said = listed.entry.get("annotations")
        hints = said if isinstance(said, dict) else {}
        found = [label for hint, label in _HINTS if hints.get(hint) is True]
        for pattern, labels in self.labels.get(listed.server, {}).items():
            if fnmatchcase(listed.name, pattern):
                found += labels
        return tuple(dict.fromkeys(found))


class Asking(Struct):
    """A request of the client that is not answered. ``modern``: by a revision without sessions; ``can_ask``: the client asks its user;
    ``cancelled``: nobody waits for the answer; ``headers``: those that repeat its arguments, None where none have to."""

    method: str
    modern: bool = False
    can_ask: bool = False
    cancelled: bool = False
    headers: Mapping[str, str] | None = None


class DecidedRequests:
    """Asks flow, and a server. ``reply`` answers the client, ``asking`` tells of a request of it."""

    def __init__(
        self,
        rules: GatewayRules,
        servers: Mapping[str, Upstream],
        catalogue: Catalogue,
        judging: Judging,
        reply: Callable[[Id, RpcReply], None],
        asking: Callable[[Id], Asking],
        callbacks: Callbacks,
        confirmations: Confirmations | None,
    ) -> None:
        self._callbacks, self._confirmations = callbacks, confirmations
        self.rules, self._servers, self._catalogue, self._judging = rules, servers, catalogue, judging
        self._reply, self._asking = reply, asking
        self._tasks: dict[str, str] = {}

    def _fail(self, id: Id, code: int, why: str, data: object = None) -> None:
        self._reply(id, RpcReply(id, None, messages.error(code, why, data)))

    def call(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        name, given = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(given, dict | None):
            raise ValueError("a tool has a name, and its arguments are an object")
        if "inputResponses" in params and "inputResponses" in (given or {}):
            raise ValueError("an argument has the name of what the client answers")
        known = self._catalogue.known(TOOLS)
        if known is not None:
            self._call_tool(asked.id, params, known)
            return

        def listed(whole: WholeList) -> None:
            self._call_tool(asked.id, params, whole)

        self._catalogue.ask(TOOLS, passed(meta_of(params)), listed, anew=False)

    def _call_tool(self, id: Id, params: dict[str, Any], whole: WholeList) -> None:
        listed = whole.found.get(params["name"])
        if listed is None or not self.rules.shows(TOOLS, listed):
            missing = f" (no list of: {', '.join(whole.missing)})" if whole.missing else ""
            self._fail(id, messages.INVALID_PARAMS, f"Unknown tool: {params['name'][:200]}{missing}")
            return
        if listed.stopped:
            self._refuse_call(
                id, CallRefused(0, f"This tool is stopped: {listed.stopped}", "TOOL_STOPPED", "pins")
            )
            return
        values = dict(params.get("arguments") or {})
        headers = self._asking(id).headers
        if headers is not None and (wrong := message_headers.unlike(listed.repeats, values, headers)):
            self._fail(id, messages.MISMATCH, f"the header {wrong} does not say what the message says")
            return
        server = self._servers[listed.server]
        state, agreed = params.get("requestState"), False
        if Confirmations.is_ours(state):
            params = {key: value for key, value in params.items() if key != "requestState"}
            agreed = self._agreed(
                f"{server.name}:{listed.name}",
                values,
                str(state),
                params.pop("inputResponses", None),
                server.now,
            )
            if not agreed:
                self._refuse_call(
                    id, CallRefused(0, "Nobody has agreed to this call", "NOT_AGREED", "confirmation")
                )
                return
        said = params.get("inputResponses")
        if said is not None:
            values["inputResponses"] = said

        def put(permitted: Mapping[str, Any]) -> dict[str, Any]:
            sent = {**params, "name": listed.name}
            flowing = dict(permitted)
            if said is not None:
                sent["inputResponses"] = flowing.pop("inputResponses")
            if "arguments" in params or flowing:
                sent["arguments"] = flowing
            return sent

        self._judging.begin(
            JudgedCall(
                id,
                server,
                "tools/call",
                listed.name,
                values,
                put,
                self._refuse_call,
                partial(self._called, listed.server),
                labels=self.rules.labels_of(listed),
                repeats=listed.repeats,
                token=meta_of(params).get("progressToken"),
                agreed=agreed,
                confirm=partial(self._confirm, id, server, f"{server.name}:{listed.name}", values),
            )
        )

    def _agreed(
        self, operation: str, values: Mapping[str, Any], state: str, said: object, now: float
    ) -> bool:
        """Whether a person has agreed to exactly this, by what a client brings back (4)."""
        return (
            self._confirmations is not None
            and isinstance(said, dict)
            and agrees(said.get(OWN_QUESTION))
            and self._confirmations.redeems(state, operation, values, now)
        )

    def _confirm(
        self, id: Id, server: Upstream, operation: str, values: Mapping[str, Any],
        refused: CallRefused, then: Callable[[bool], None],
    ) -> bool:  # fmt: skip
        """Ask a person about a call that was refused (4); False where that cannot be done."""
        asking = self._asking(id)
        if self._confirmations is None or not asking.can_ask or asking.cancelled or refused.code not in ASKED:
            return False
        question = self._confirmations.question(operation, values, refused.rule)
        if question is None:
            return False
        if not asking.modern:
            self._callbacks.ask_person(
                question, lambda yes: then(yes and not self._asking(id).cancelled), server.now + LASTS
            )
            return True
        wanted = {
            "resultType": "input_required",
            "inputRequests": {OWN_QUESTION: {"method": "elicitation/create", "params": question}},
            "requestState": self._confirmations.state(operation, values, server.now),
        }
        self._reply(id, RpcReply(id, messages.encoded(wanted), None))
        return True

    def _called(self, server: str, id: Id, reply: RpcReply) -> None:
        if reply.result is not None and b'"taskId"' in bytes(reply.result):
            found = messages.decoded(reply.result)
            task = found.get("task", found) if isinstance(found, dict) else None
            if (
                isinstance(task, dict)
                and isinstance(task.get("taskId"), str)
                and len(self._tasks) < _MOST_TASKS
            ):
                # Two servers that claim one task have none: what is said of it could go to either.
                known = self._tasks.setdefault(task["taskId"], server)
                self._tasks[task["taskId"]] = server if known == server else ""
        self._reply(id, reply)

    def _refuse_call(self, id: Id, refused: CallRefused) -> None:
        """What is refused is a result that says why, so that the model reads it."""
        told = {"code": refused.code, "rule": refused.rule}
        result: dict[str, object] = {
            "content": [{"type": "text", "text": refused.text}],
            "isError": True,
            "_meta": {"sluicegate/refused": told},
        }
        if self._asking(id).modern:
            result["resultType"] = "complete"
        self._reply(id, RpcReply(id, messages.encoded(result), None))

    def _refuse(self, id: Id, refused: CallRefused) -> None:
        self._fail(id, messages.REFUSED, refused.text, {"code": refused.code, "rule": refused.rule})

    def get_prompt(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        name, given = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(given, dict | None):
            raise ValueError("a prompt has a name, and its arguments are an object")

        def listed(whole: WholeList) -> None:
            found = whole.found.get(name)
            if found is None:
                self._fail(asked.id, messages.INVALID_PARAMS, f"Unknown prompt: {name}"[:300])
            elif found.stopped:
                self._refuse(
                    asked.id,
                    CallRefused(0, f"This prompt is stopped: {found.stopped}", "PROMPT_STOPPED", "pins"),
                )
            else:
                sent = {**params, "name": found.name}

                def put(values: Mapping[str, Any]) -> dict[str, Any]:
                    return {**sent, "arguments": dict(values)} if "arguments" in params else sent

                self._ask(asked, self._servers[found.server], given or {}, put, "prompt")

        self._catalogue.ask(PROMPTS, passed(meta_of(params)), listed, anew=False)

    def _ask(
        self, asked: RpcRequest, server: Upstream, values: Mapping[str, Any],
        put: Callable[[Mapping[str, Any]], dict[str, Any]], what: str = "",
    ) -> None:  # fmt: skip
        """Ask a server something that is not a call of a tool, if flow permits it."""
        token = meta_of(messages.members(asked.params)).get("progressToken")
        named = asked.method.replace("/", ".")
        self._judging.begin(
            JudgedCall(
                asked.id,
                server,
                asked.method,
                named,
                values,
                put,
                self._refuse,
                self._reply,
                what=what,
                token=token,
            )
        )

    def read(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise ValueError("a resource has an address")

        def put(values: Mapping[str, Any]) -> dict[str, Any]:
            return {**params, **values}

        def owned(server: Upstream | None, why: str) -> None:
            if server is None:
                self._fail(asked.id, messages.INVALID_PARAMS, why)
            else:
                given: dict[str, Any] = {
                    name: params[name] for name in ("uri", "inputResponses") if name in params
                }
                self._ask(asked, server, given, put, uri if asked.method == "resources/read" else "")

        self._owner(uri, passed(meta_of(params)), owned)

    def _owner(self, uri: str, meta: Mapping[str, Any], then: Callable[[Upstream | None, str], None]) -> None:
        """The server that a resource is read from: the one that lists it, or whose template it begins like, or the only one."""
        able = [
            each
            for each in self._servers.values()
            if each.capabilities is None or "resources" in each.capabilities
        ]
        if len(able) == 1:
            then(able[0], "")
            return

        def listed(whole: WholeList) -> None:
            found = whole.found.get(uri)
            if found is not None:
                then(
                    None if found.stopped else self._servers[found.server],
                    f"This resource is stopped: {found.stopped}",
                )
            else:
                self._catalogue.ask(TEMPLATES, meta, templated, anew=False)

        def templated(whole: WholeList) -> None:
            owners = {
                each.server
                for each in whole.found.values()
                if not each.stopped
                and "{" in each.name
                and uri.startswith(each.name.partition("{")[0] or "\0")
            }
            then(
                self._servers[owners.pop()] if len(owners) == 1 else None,
                "it is not known which server has this resource",
            )

        self._catalogue.ask(RESOURCES, meta, listed, anew=False)

    def complete(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        ref = params.get("ref")
        if not isinstance(ref, dict):
            raise ValueError("ref is not an object")

        def put(values: Mapping[str, Any]) -> dict[str, Any]:
            return {**params, **values}

        kind = PROMPTS if "name" in ref else TEMPLATES
        name = ref.get("name", ref.get("uri"))

        def listed(whole: WholeList) -> None:
            found = whole.found.get(name) if isinstance(name, str) else None
            if found is None or found.stopped:
                self._fail(asked.id, messages.INVALID_PARAMS, "it is not known what is to be completed")
                return
            given = {
                "argument": params.get("argument"),
                "ref": {**ref, "name": found.name} if kind is PROMPTS else ref,
            }
            if "context" in params:
                given["context"] = params["context"]
            self._ask(asked, self._servers[found.server], given, put)

        self._catalogue.ask(kind, passed(meta_of(params)), listed, anew=False)

    def task(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        task = params.get("taskId")
        name = self._tasks.get(task) if isinstance(task, str) else None
        server = self._servers.get(name or "")
        if name is None and len(self._servers) == 1:
            server = next(iter(self._servers.values()))
        if server is None:
            raise ValueError("it is not known which server has this task")
        given = {key: value for key, value in params.items() if key != "_meta"}
        self._ask(asked, server, given, lambda values: {**params, **values})


def meta_of(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a request says of itself."""
    found = params.get("_meta")
    return found if isinstance(found, dict) else {}


def passed(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a request of ours says of the client, where each request has to say it: nothing that belongs to the client's own request."""
    return (
        {key: value for key, value in meta.items() if key.startswith("io.modelcontextprotocol/")}
        if PROTOCOL in meta
        else {}
    )


def one_of(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is like one of these."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
