"""Ask a model what stands on standard input, and print its answer; an example for scripts.

``model.json`` beside this file says where: ``{"url": "http://127.0.0.1:11434/v1/chat/completions", "model": "qwen3"}``.
"""

import json
import sys
import urllib.request
from pathlib import Path

seat = json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8"))
body = {"model": seat["model"], "messages": [{"role": "user", "content": sys.stdin.read()}]}
request = urllib.request.Request(seat["url"], json.dumps(body).encode(), {"Content-Type": "application/json"})
with urllib.request.urlopen(request, timeout=120) as reply:
    print(json.load(reply)["choices"][0]["message"]["content"])
