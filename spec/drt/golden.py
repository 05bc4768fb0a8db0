"""Golden vectors: cases with the answers of the proven functions, for machines without Coq."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from drt.cases import Case, from_json, generate, to_json
from drt.oracle import answer_of_production, ask, encode, encode_glob, glob_of_production, normal

VECTORS = Path(__file__).resolve().parent.parent / "golden" / "vectors.jsonl"
_EACH = 150
_LONGEST = 12_000
"""Characters of a case at most: the vectors are committed."""
_GLOBS = tuple(
    (pattern, text)
    for pattern in (
        "",
        "*",
        "**",
        "**/",
        "**/*.md",
        "docs/**",
        "docs/*",
        "a?c",
        "***",
        "/**/",
        "a/**/b",
        "*-*",
        "**b",
    )
    for text in ("", "a", "abc", "a/b", "a/x/y/b", "docs/", "docs/a.md", "docs/a/b.md", "x-y", "/", "ab")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A case, or a glob with a text, and what the proven functions answer."""

    about: Case | tuple[str, str]
    proven: str


def read() -> list[Vector]:
    """The committed vectors."""
    vectors = []
    for line in VECTORS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "glob" in row:
            vectors.append(Vector(about=tuple(row["glob"]), proven=row["proven"]))
        else:
            vectors.append(Vector(about=from_json(json.dumps(row["case"])), proven=row["proven"]))
    return vectors


def _short(kind: str) -> Iterator[Case]:
    return (case for number in count() if len(to_json(case := generate(kind, number))) <= _LONGEST)


def write(oracle: Path) -> None:
    """Write the vectors anew, with the answers of this oracle."""
    cases = [case for kind in ("well-formed", "hostile") for case in islice(_short(kind), _EACH)]
    answers = ask(oracle, [encode(case) for case in cases])
    lines = [
        json.dumps(
            {"case": json.loads(to_json(case)), "proven": normal(answer)},
            separators=(",", ":"),
            sort_keys=True,
        )
        for case, answer in zip(cases, answers, strict=True)
    ]
    said = ask(oracle, [encode_glob(*pair) for pair in _GLOBS])
    lines += [json.dumps({"glob": pair, "proven": one}) for pair, one in zip(_GLOBS, said, strict=True)]
    VECTORS.parent.mkdir(exist_ok=True)
    VECTORS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences() -> Iterator[str]:
    """Vectors that production answers otherwise than was proven, one by one as they are found."""
    return (
        f"golden vector {number}: production says {said}, proven is {vector.proven}"
        for number, vector in enumerate(read())
        if (said := _production(vector)) != vector.proven
    )


def differences_from_oracle(oracle: Path) -> list[str]:
    """Vectors that this oracle answers otherwise than the committed answers."""
    vectors = read()
    lines = [
        encode(vector.about) if isinstance(vector.about, Case) else encode_glob(*vector.about)
        for vector in vectors
    ]
    answers = [normal(answer) for answer in ask(oracle, lines)]
    return [
        f"golden vector {number} is not what the oracle says: {answer}"
        for number, (vector, answer) in enumerate(zip(vectors, answers, strict=True))
        if answer != vector.proven
    ]


def _production(vector: Vector) -> str:
    if isinstance(vector.about, Case):
        return normal(answer_of_production(vector.about))
    return glob_of_production(*vector.about)
