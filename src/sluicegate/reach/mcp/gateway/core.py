"""The gateway without I/O: events in, commands out, and everything that happens next is decided here.

    core = Gateway(["files", "github"], GatewayRules())
    for command in core.handle(ClientSaid(line)): ...

1. A message goes on whole, under an id of ours, to the server whose it is (``upstream``). Requests of a method that nobody
   here knows are refused, and so are those of more than ``MOST_ASKED`` at once. Whatever is asked gets one answer.
2. Lists are those of all servers together (``catalogue``). The answer to a handshake, or to ``server/discover``, is put together
   of theirs.
3. What calls a tool, or reads, is decided on before and settled after (``decided``, ``judged``). A tool that is stopped is not called.
4. What a server asks of the client goes through ``callbacks``; of what it tells, methods that are known are passed on.
5. A client that shook hands speaks a revision with sessions; one that says its revision in each request speaks one without.
   Both are served; a server that the client's revision is not spoken by is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Raw

from sluicegate.reach.mcp.gateway import catalogue, greetings, messages
from sluicegate.reach.mcp.gateway.callbacks import Callbacks
from sluicegate.reach.mcp.gateway.catalogue import (
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    TOOLS,
    Catalogue,
    WholeList,
)
from sluicegate.reach.mcp.gateway.confirmation import Confirmations, can_ask
from sluicegate.reach.mcp.gateway.decided import (
    PROTOCOL,
    TASKS,
    Asking,
    DecidedRequests,
    GatewayRules,
    meta_of,
    passed,
)
from sluicegate.reach.mcp.gateway.happenings import (
    CallPermitted,
    CallRefused,
    CallSettled,
    ClientSaid,
    Command,
    EntriesExamined,
    Event,
    Examine,
    Notice,
    ServerEnded,
    ServerSaid,
    TakeIn,
    Tick,
    ToClient,
)
from sluicegate.reach.mcp.gateway.judged import CallLimits, Judging
from sluicegate.reach.mcp.gateway.messages import Id, Malformed, RpcNotification, RpcReply, RpcRequest
from sluicegate.reach.mcp.gateway.upstream import Answer, NoReply, Upstream

MOST_ASKED: Final = 1_000
"""Requests of the client that are out at once."""

CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
_FOREVER: Final = 10.0 * 365 * 86_400

_OF_SESSIONS: Final = frozenset(
    {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}
)
"""Methods that revisions without a handshake have not."""

_CHANGED: Final = {
    "notifications/tools/list_changed": (TOOLS.method,),
    "notifications/prompts/list_changed": (PROMPTS.method,),
    "notifications/resources/list_changed": (RESOURCES.method, TEMPLATES.method),
}
_TOLD: Final = frozenset(
    {
        *_CHANGED,
        "notifications/message",
        "notifications/resources/updated",
        "notifications/elicitation/complete",
        "notifications/tasks/status",
        "notifications/subscriptions/acknowledged",
    }
)


class Gateway:
    """One client and its servers."""

    def __init__(
        self, servers: Iterable[str], rules: GatewayRules, confirmations: Confirmations | None = None,
        limits: CallLimits | None = None,
    ) -> None:  # fmt: skip
        """``limits`` are places for calls that other cores take as well."""
        self.rules = rules
        self._capabilities: object = None
        self._commands: list[Command] = []
        self._waiting: dict[int, Callable[[Any], None]] = {}
        self._keys = 0
        self._asked: dict[Id, Asking] = {}
        self._spoken: set[str] = set()
        self._servers = {name: Upstream(name, self._emit, rules.starts) for name in servers}
        self._catalogue = Catalogue(self._servers, self._emit, self._new_key)
        self._callbacks = Callbacks(self._emit, self._new_key)
        judging = Judging(self._emit, self._new_key, limits or CallLimits(rules.limits), rules.timeout)
        self._decided = DecidedRequests(
            rules,
            self._servers,
            self._catalogue,
            judging,
            self._reply,
            self._asking,
            self._callbacks,
            confirmations,
        )
        self._methods: dict[str, Callable[[RpcRequest, dict[str, Any]], None]] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": lambda asked, _: self._answer(asked.id, messages.encoded({})),
            "logging/setLevel": self._set_level,
            "tools/call": self._decided.call,
            "prompts/get": self._decided.get_prompt,
            "resources/read": self._decided.read,
            "resources/subscribe": self._decided.read,
            "resources/unsubscribe": self._decided.read,
            "completion/complete": self._decided.complete,
            "subscriptions/listen": self._listen,
            **dict.fromkeys(catalogue.KINDS, self._list),
            **dict.fromkeys(TASKS, self._decided.task),
        }

    @property
    def asked(self) -> int:
        """How many requests of the client are out."""
        return len(self._asked)

    @property
    def undecided(self) -> int:
        """How many commands wait for their event."""
        return len(self._waiting)

    def handle(self, event: Event) -> list[Command]:
        """What is to be done now that this has happened."""
        match event:
            case ClientSaid():
                self._client(messages.read(event.data), event.headers)
            case ServerSaid():
                self._server(self._servers[event.server], messages.read(event.data))
            case CallPermitted() | CallRefused() | CallSettled() | EntriesExamined():
                self._waiting.pop(event.key)(event)
            case ServerEnded():
                server = self._servers[event.server]
                self._catalogue.stale(server.name)
                self._callbacks.ended(server)
                server.ended(event.why)
            case Tick():
                for server in self._servers.values():
                    server.tick(event.now)
                self._callbacks.tick(event.now)
        done, self._commands = self._commands, []
        return done

    def _emit(self, command: Command) -> None:
        self._commands.append(command)

    def _new_key(self, then: Callable[[Any], None]) -> int:
        self._keys += 1
        self._waiting[self._keys] = then
        return self._keys

    def _asking(self, id: Id) -> Asking:
        """A request of the client; one that is not there any more is cancelled."""
        return self._asked.get(id) or Asking("", cancelled=True)

    # The client speaks.

    def _client(self, said: messages.Message, headers: Mapping[str, str] | None) -> None:
        match said:
            case RpcRequest():
                self._client_asks(said, headers)
            case RpcNotification():
                self._client_tells(said)
            case RpcReply():
                self._callbacks.answered(said)
            case Malformed():
                self._emit(ToClient(messages.failure(said.id, messages.error(said.code, said.why))))

    def _client_asks(self, asked: RpcRequest, headers: Mapping[str, str] | None) -> None:
        if asked.id in self._asked or len(self._asked) >= MOST_ASKED:
            why = "this id is in use" if asked.id in self._asked else "too many requests at once"
            self._emit(ToClient(messages.failure(asked.id, messages.error(messages.INVALID_REQUEST, why))))
            return
        try:
            params = messages.members(asked.params)
        except ValueError as error:
            self._emit(
                ToClient(messages.failure(asked.id, messages.error(messages.INVALID_PARAMS, str(error))))
            )
            return
        modern = PROTOCOL in meta_of(params)
        able = meta_of(params).get(CAPABILITIES) if modern else self._capabilities
        self._asked[asked.id] = Asking(asked.method, modern, can_ask(able), headers=headers)
        handler = self._methods.get(asked.method)
        if handler is None or (modern and asked.method in _OF_SESSIONS):  # 1
            self._fail(asked.id, messages.NO_METHOD, "the gateway passes no such method on")
            return
        try:
            handler(asked, params)
        except ValueError as error:
            self._fail(asked.id, messages.INVALID_PARAMS, str(error))

    def _client_tells(self, told: RpcNotification) -> None:
        try:
            params = messages.members(told.params)
        except ValueError:
            return
        if told.method == "notifications/cancelled":
            self._cancelled(params)
        elif told.method == "notifications/progress":
            found = self._callbacks.progressed(params.get("progressToken"))
            if found is not None:
                found[0].tell(told.method, messages.encoded({**params, "progressToken": found[1]}))
        elif told.method == "notifications/initialized":
            for server in self._servers.values():
                if server.handshake is not None:
                    server.tell(told.method, told.params)
        elif told.method == "notifications/roots/list_changed":
            for server in self._servers.values():
                server.tell(told.method, told.params)

    def _cancelled(self, params: Mapping[str, Any]) -> None:
        """Nobody waits for an answer. What the server does say is settled all the same."""
        id = params.get("requestId")
        found = self._asked.get(id) if isinstance(id, int | str) and not isinstance(id, bool) else None
        if found is None or found.method == "initialize":
            return
        found.cancelled = True
        for server in self._servers.values():
            for out in [out for out, each in server.out.items() if each.client == id]:
                server.cancel(out, str(params.get("reason", ""))[:1000])

    def _answer(self, id: Id, result: Raw) -> None:
        self._reply(id, RpcReply(id, result, None))

    def _fail(self, id: Id, code: int, why: str, data: object = None) -> None:
        self._reply(id, RpcReply(id, None, messages.error(code, why, data)))

    def _reply(self, id: Id, reply: RpcReply) -> None:
        found = self._asked.pop(id, None)
        if found is None or found.cancelled:
            return
        if reply.result is not None:
            self._emit(ToClient(messages.result(id, reply.result)))
        else:
            lost = reply.error or messages.error(messages.INTERNAL_ERROR, "no answer")
            self._emit(ToClient(messages.failure(id, lost)))

    # Handshakes, and what goes to all.

    def _initialize(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        self._capabilities = params.get("capabilities")

        def greeted(answers: dict[str, Answer]) -> None:
            self._greet(asked.id, greetings.shaken(self._servers, answers, asked.params))

        self._all(list(self._servers.values()), "initialize", asked.params, greeted)

    def _discover(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        def greeted(answers: dict[str, Answer]) -> None:
            self._greet(asked.id, greetings.discovered(self._servers, answers))

        self._all(list(self._servers.values()), "server/discover", asked.params, greeted)

    def _greet(self, id: Id, found: greetings.Greeting) -> None:
        """Answer a handshake, once what the servers say of themselves was looked through."""
        for text in found.notices:
            self._emit(Notice(text))
        if found.error is not None:
            self._reply(id, RpcReply(id, None, found.error))
            return
        told = {name: each for name, each in found.instructions.items() if each}
        left = set(told)
        kept: dict[str, str] = {}

        def examined(name: str, answer: EntriesExamined) -> None:
            left.discard(name)
            if name not in answer.stopped:
                kept[name] = told[name]
            if not left:
                self._answer(id, found.result({each: kept[each] for each in told if each in kept}))

        if not told:
            self._answer(id, found.result({}))
        for name, text in told.items():
            key = self._new_key(partial(examined, name))
            self._emit(Examine(key, name, "instructions", {name: {"name": name, "description": text}}))

    def _all(
        self, servers: Sequence[Upstream], method: str, params: Raw,
        then: Callable[[dict[str, Answer]], None],
    ) -> None:  # fmt: skip
        """Ask several servers the same, and go on when all have answered."""
        answers: dict[str, Answer] = {}
        if not servers:
            then(answers)

        def answered(name: str, answer: Answer) -> None:
            answers[name] = answer
            if len(answers) == len(servers):
                then(answers)

        for server in servers:
            server.ask(method, params, partial(answered, server.name))

    def _set_level(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        able = [each for each in self._servers.values() if "logging" in (each.capabilities or ())]
        if not able:
            self._fail(asked.id, messages.NO_METHOD, "no server logs")
            return

        def answered(answers: dict[str, Answer]) -> None:
            wrong = [each for each in answers.values() if isinstance(each, NoReply) or each.error is not None]
            if len(wrong) == len(answers):
                self._failed(asked.id, wrong[0])
            else:
                self._answer(asked.id, messages.encoded({}))

        self._all(able, asked.method, asked.params, answered)

    def _failed(self, id: Id, answer: Answer) -> None:
        if isinstance(answer, NoReply):
            self._fail(id, messages.INTERNAL_ERROR, answer.why)
        else:
            self._reply(id, answer)

    def _listen(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        """A subscription that lasts: it ends when all servers have ended it."""
        left = len(self._servers)

        def answered(answer: Answer) -> None:
            nonlocal left
            left -= 1
            if not left:
                self._failed(asked.id, answer)

        for server in self._servers.values():
            server.ask(asked.method, asked.params, answered, patience=_FOREVER, client=asked.id)

    # Lists.

    def _list(self, asked: RpcRequest, params: dict[str, Any]) -> None:
        if params.get("cursor") is not None:
            raise ValueError("the gateway gives lists whole, and knows no such cursor")
        kind = catalogue.KINDS[asked.method]

        def listed(whole: WholeList) -> None:
            if whole.error is not None:
                self._reply(asked.id, RpcReply(asked.id, None, whole.error))
                return
            several = [
                each for each in whole.found.values() if not each.stopped and self.rules.shows(kind, each)
            ]
            rest = dict(whole.rest)
            if "resultType" in rest and len(several) != len(whole.found):
                rest["cacheScope"] = "private"
            self._answer(asked.id, messages.encoded({**rest, kind.field: [each.entry for each in several]}))

        self._catalogue.ask(kind, passed(meta_of(params)), listed, anew=True)

    # A server speaks.

    def _server(self, server: Upstream, said: messages.Message) -> None:
        match said:
            case RpcReply():
                if not server.answered(said):
                    server.unasked()
            case RpcRequest():
                if not server.unasked():
                    return
                if server.handshake is None and said.method != "ping":
                    error = messages.error(
                        messages.NO_METHOD, "a client without a handshake is asked nothing"
                    )
                    server.reply(said.id, RpcReply(said.id, None, error))
                else:
                    self._callbacks.ask(server, said)
            case RpcNotification():
                if server.unasked():
                    self._server_tells(server, said)
            case Malformed():
                server.malformed(said.why)

    def _server_tells(self, server: Upstream, told: RpcNotification) -> None:
        try:
            params = messages.members(told.params)
        except ValueError as error:
            server.malformed(str(error))
            return
        method = told.method
        if method == "notifications/progress":
            token = params.get("progressToken")
            if token is None or all(each.token != token for each in server.out.values()):
                return
        elif method == "notifications/cancelled":
            id = self._callbacks.cancelled(server, params)
            if id is not None:
                self._emit(
                    ToClient(messages.notification(method, messages.encoded({**params, "requestId": id})))
                )
            return
        elif method not in _TOLD:
            self._once(f"{server.name} tells of {method[:100]}, which the gateway does not know")
            return
        if method in _CHANGED:
            self._catalogue.stale(server.name, _CHANGED[method])
        self._take_in(server, method, params)
        subscription = meta_of(params).get(SUBSCRIPTION)
        if subscription is not None:
            out = server.out.get(int(subscription)) if str(subscription).isdecimal() else None
            if out is None or out.client is None:
                return
            meta = {**meta_of(params), SUBSCRIPTION: out.client}
            self._emit(ToClient(messages.notification(method, messages.encoded({**params, "_meta": meta}))))
            return
        self._emit(ToClient(messages.notification(method, told.params)))

    def _take_in(self, server: Upstream, method: str, params: Mapping[str, Any]) -> None:
        """What a server tells is taken in, once of each method: its labels are known from then on. How a call goes on is of the call."""
        if (
            params
            and method != "notifications/progress"
            and f"{server.name} tells {method}" not in self._spoken
        ):
            self._spoken.add(f"{server.name} tells {method}")
            self._emit(TakeIn(f"{server.name}:{method.replace('/', '.')}", params))

    def _once(self, text: str) -> None:
        if text not in self._spoken and len(self._spoken) < 1_000:
            self._spoken.add(text)
            self._emit(Notice(text))
