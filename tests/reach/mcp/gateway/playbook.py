"""Plays a gateway without I/O: what happens goes in, and each command that comes out is expected in its turn."""

import json
from typing import Any

from sluicegate.reach.mcp.gateway.confirmation import Confirmations
from sluicegate.reach.mcp.gateway.core import Gateway
from sluicegate.reach.mcp.gateway.decided import GatewayRules
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallRefused,
    CallSettled,
    ClientSaid,
    Command,
    EntriesExamined,
    Event,
    Examine,
    ServerEnded,
    ServerSaid,
    TellFlow,
    ToClient,
    ToServer,
)


def tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}, **more}


class Playbook:
    """A gateway, and what it wants done that nobody has looked at yet."""

    def __init__(self, *servers: str, rules: GatewayRules | None = None, asks: bool = False) -> None:
        confirmations = Confirmations("s1", b"secret") if asks else None
        self.core = Gateway(servers or ("one",), rules or GatewayRules(), confirmations)
        self.left: list[Command] = []

    def happens(self, event: Event) -> None:
        self.left += self.core.handle(event)

    def next(self, kind: type[Any]) -> Any:
        """The next command, which has to be of this kind."""
        assert self.left, f"nothing is wanted, and {kind.__name__} was expected"
        found = self.left.pop(0)
        assert isinstance(found, kind), found
        return found

    def done(self) -> None:
        assert self.left == []

    # The client.

    def client(self, method: str = "", id: object = None, **params: object) -> None:
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        self.happens(ClientSaid(json.dumps(message if id is None else {**message, "id": id}).encode()))

    def client_replies(self, id: object, result: object) -> None:
        self.happens(ClientSaid(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode()))

    def to_client(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.next(ToClient).data)
        return found

    # Servers.

    def to_server(self, server: str = "one") -> dict[str, Any]:
        found = self.next(ToServer)
        assert found.server == server
        told: dict[str, Any] = json.loads(found.data)
        return told

    def server(self, server: str = "one", **message: object) -> None:
        self.happens(ServerSaid(server, json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def ends(self, server: str = "one") -> None:
        self.happens(ServerEnded(server, "it has ended"))

    # Flow and pins.

    def permits(self, values: dict[str, object] | None = None) -> AskFlow:
        asked: AskFlow = self.next(AskFlow)
        self.happens(CallPermitted(asked.key, "permit", asked.values if values is None else values))
        return asked

    def refuses(self, text: str = "no", code: str = "CODE") -> AskFlow:
        asked: AskFlow = self.next(AskFlow)
        self.happens(CallRefused(asked.key, text, code, "a rule"))
        return asked

    def settles(self, withheld: str = "") -> TellFlow:
        told: TellFlow = self.next(TellFlow)
        self.happens(CallSettled(told.key, withheld))
        return told

    def examines(self, hidden: tuple[str, ...] = (), **stopped: str) -> Examine:
        asked: Examine = self.next(Examine)
        self.happens(EntriesExamined(asked.key, stopped, frozenset(hidden)))
        return asked

    # What happens often.

    def shakes_hands(self, *servers: str) -> None:
        """The client shakes hands, and each server has tools."""
        self.client("initialize", id="hello", protocolVersion="2025-11-25", capabilities={})
        for server, id in {name: self.to_server(name)["id"] for name in servers or ("one",)}.items():
            told = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}}
            self.server(server, id=id, result=told)
        self.to_client()

    def lists(self, **tools: list[dict[str, object]]) -> dict[str, Any]:
        """The client asks for tools, and each server has these."""
        self.client("tools/list", id="list")
        for name, id in {name: self.to_server(name)["id"] for name in tools}.items():
            self.server(name, id=id, result={"tools": tools[name]})
            self.examines()
        return self.to_client()

    def calls(self, name: str, id: object = 1, **arguments: object) -> None:
        self.client("tools/call", id=id, name=name, arguments=arguments)
