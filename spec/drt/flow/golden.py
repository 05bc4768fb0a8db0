"""Golden vectors of flow: cases with the answers of the proven functions, for machines without Coq."""

from __future__ import annotations

import json
from pathlib import Path

from drt.flow.cases import FlowCase, from_json, generate, to_json
from drt.flow.oracle import answers_of_production, encode
from drt.oracle import ask

VECTORS = Path(__file__).resolve().parents[2] / "golden" / "flow.jsonl"
_EACH = 60


def read() -> list[tuple[FlowCase, list[str]]]:
    """The committed vectors."""
    rows = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
    return [(from_json(json.dumps(row["case"])), row["proven"].split(" ")) for row in rows]


def write(oracle: Path) -> None:
    """Write the vectors anew, with the answers of this oracle."""
    lines = []
    for kind in ("ordinary", "hostile"):
        for number in range(_EACH):
            case = generate(kind, number)
            row = {"case": json.loads(to_json(case)), "proven": " ".join(ask(oracle, encode(case)))}
            lines.append(json.dumps(row, separators=(",", ":"), sort_keys=True))
    VECTORS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences() -> list[str]:
    """Vectors that production answers otherwise than was proven."""
    return [
        f"golden vector {number} of flow: production differs from what was proven"
        for number, (case, proven) in enumerate(read())
        if answers_of_production(case) != proven
    ]


def differences_from_oracle(oracle: Path) -> list[str]:
    """Vectors that this oracle answers otherwise than the committed answers."""
    vectors = read()
    lines = [encode(case) for case, _ in vectors]
    said = iter(ask(oracle, [line for each in lines for line in each]))
    return [
        f"golden vector {number} of flow is not what the oracle says"
        for number, ((_, proven), asked) in enumerate(zip(vectors, lines, strict=True))
        if [next(said) for _ in asked] != proven
    ]
