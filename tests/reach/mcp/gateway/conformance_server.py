"""A server on standard input and output with the tools, resources and prompts that the public conformance suite asks for."""

import base64
import json
import sys

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0"
).decode()
OBJECT = {"type": "object", "properties": {}}
TEXT = {"type": "text", "text": "This is a simple text response for testing."}
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": SOUND, "mimeType": "audio/wav"}


def embedded(uri, kind="text/plain", text="This is an embedded resource content."):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


ANSWERS = {
    "test_simple_text": [TEXT],
    "test_image_content": [IMAGE],
    "test_audio_content": [AUDIO],
    "test_embedded_resource": [embedded("test://embedded-resource")],
    "test_multiple_content_types": [
        {"type": "text", "text": "Multiple content types test:"},
        IMAGE,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
}
ENUMS = {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {
        "type": "string",
        "oneOf": [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)],
    },
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {
        "type": "array",
        "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
    },
    "titledMulti": {
        "type": "array",
        "items": {"anyOf": [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]},
    },
}
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
PERSON = {
    "username": {"type": "string", "description": "Your name"},
    "email": {"type": "string", "description": "Your address"},
}
ASKING = {
    "test_elicitation": (PERSON, ["username", "email"], "User response"),
    "test_elicitation_sep1034_defaults": (DEFAULTS, [], "Elicitation completed"),
    "test_elicitation_sep1330_enums": (ENUMS, [], "Elicitation completed"),
}
TOOLS = [
    *ANSWERS, *ASKING, "test_tool_with_logging", "test_error_handling", "test_tool_with_progress", "test_sampling"
]  # fmt: skip
STATIC = {
    "test://static-text": {
        "mimeType": "text/plain",
        "text": "This is the content of the static text resource.",
    },
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched."},
}
PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
}
CAPABILITIES = {
    "tools": {}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}, "completions": {}
}  # fmt: skip


CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)


def send(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def ask(method, params):
    send(id="asked", method=method, params=params)
    while (reply := json.loads(sys.stdin.readline())).get("id") != "asked" or "method" in reply:
        pass
    return reply.get("result") or {}


def say(text):
    return {"content": [{"type": "text", "text": text}]}


def called(name, given, token):
    if name in ANSWERS:
        return {"content": ANSWERS[name]}
    if name in ASKING:
        properties, needed, said = ASKING[name]
        schema = {"type": "object", "properties": properties, "required": needed}
        reply = ask(
            "elicitation/create", {"message": given.get("message", "Please say"), "requestedSchema": schema}
        )
        return say(f"{said}: action={reply.get('action')}, content={json.dumps(reply.get('content'))}")
    if name == "test_tool_with_logging":
        for each in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            send(method="notifications/message", params={"level": "info", "data": each})
        return say("logged")
    if name == "test_tool_with_progress":
        for each in (0, 50, 100):
            if token is not None:
                send(
                    method="notifications/progress",
                    params={"progressToken": token, "progress": each, "total": 100},
                )
        return say("done")
    if name == "test_sampling":
        message = {"role": "user", "content": {"type": "text", "text": given.get("prompt", "")}}
        reply = ask("sampling/createMessage", {"messages": [message], "maxTokens": 100})
        return say(f"LLM response: {(reply.get('content') or {}).get('text')}")
    return {**say("This tool intentionally returns an error for testing"), "isError": True}


def read(uri):
    if uri.startswith("test://template/"):
        id = uri.split("/")[3]
        return {
            "mimeType": "application/json",
            "text": json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"}),
        }
    return STATIC.get(uri, {"text": "nothing"})


def prompted(name, given):
    if name == "test_prompt_with_arguments":
        text = f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"
        return [{"type": "text", "text": text}]
    if name == "test_prompt_with_embedded_resource":
        return [embedded(given.get("resourceUri", "test://x")), TEXT]
    return [IMAGE, TEXT] if name == "test_prompt_with_image" else [TEXT]


def answered(method, params):
    if method == "server/discover":
        own = {"name": "conformance", "version": "1"}
        return {"supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES, "serverInfo": own}
    if method == "initialize":
        told = {"protocolVersion": params["protocolVersion"], "capabilities": CAPABILITIES}
        return {**told, "serverInfo": {"name": "conformance", "version": "1"}}
    if method == "tools/list":
        return {
            "tools": [{"name": name, "description": f"Is {name}.", "inputSchema": OBJECT} for name in TOOLS]
        }
    if method == "tools/call":
        token = (params.get("_meta") or {}).get("progressToken")
        return called(params["name"], params.get("arguments") or {}, token)
    if method == "resources/list":
        return {
            "resources": [
                {"uri": uri, "name": uri, "mimeType": each["mimeType"]} for uri, each in STATIC.items()
            ]
        }
    if method == "resources/templates/list":
        return {"resourceTemplates": [{"uriTemplate": "test://template/{id}/data", "name": "template"}]}
    if method == "resources/read":
        return {"contents": [{"uri": params["uri"], **read(params["uri"])}]}
    if method == "prompts/list":
        several = {
            name: [{"name": each, "required": True} for each in given] for name, given in PROMPTS.items()
        }
        return {
            "prompts": [
                {"name": name, "description": f"Is {name}.", "arguments": given}
                for name, given in several.items()
            ]
        }
    if method == "prompts/get":
        blocks = prompted(params["name"], params.get("arguments") or {})
        return {"messages": [{"role": "user", "content": block} for block in blocks]}
    if method == "completion/complete":
        return {"completion": {"values": [], "total": 0, "hasMore": False}}
    return (
        {} if method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe") else None
    )


for line in sys.stdin:
    message = json.loads(line)
    if "method" not in message or "id" not in message:
        continue
    found = answered(message["method"], message.get("params") or {})
    if found is None:
        send(id=message["id"], error={"code": -32601, "message": "no such method"})
    else:
        if "io.modelcontextprotocol/protocolVersion" in ((message.get("params") or {}).get("_meta") or {}):
            cached = {"ttlMs": 0, "cacheScope": "private"} if message["method"] in CACHED else {}
            found = {"resultType": "complete", **cached, **found}
        send(id=message["id"], result=found)
