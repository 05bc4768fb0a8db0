"""The proven functions as an oracle: a program extracted from Coq that reads a case a line.

What crosses over is plain: text as hexadecimal, numbers as integers. A number in a reply is turned into
thousandths by the reference model first, since the theorems begin behind that border.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from drt.cases import Case, Plain
from drt.sides import run_production, value_of
from model.verdict import model_confidence
from sluicegate.vet.verdict.globs import compile_glob
from sluicegate.vet.verdict.types import Finding


def encode(case: Case) -> str:
    """The oracle's line for a case."""
    tokens = ["C", str(case.today), str(int(bool(case.gaps))), str(len(case.entries))]
    for rule, path, mark, last in case.entries:
        if mark is None:
            tokens += ["G", _hex(rule), _hex(path), str(last)]
        else:
            tokens += [
                "E",
                _hex(rule),
                _hex(path),
                _hex(mark),
                *(["0"] if last is None else ["1", str(last)]),
            ]
    tokens += [str(len(case.paths)), *map(_hex, case.paths), str(len(case.panel)), *map(_hex, case.panel)]
    tokens.append(str(len(case.batches)))
    for number, batch in enumerate(case.batches):
        tokens.append(str(len(batch)))
        for rule, category, path, mark, severity, confidence, executable in batch:
            tokens += map(_hex, (rule, category, path, mark))
            tokens += [str(severity), str(confidence), str(int(executable))]
        about = [reply for reply in case.replies if reply[1] == number]
        tokens.append(str(len(about)))
        for seat, _, value in about:
            given = value_of(value)
            tokens.append(str(seat))
            tokens += ["X"] if isinstance(given, BaseException) else ["V", *_json(given)]
    return " ".join(tokens)


def encode_glob(pattern: str, text: str) -> str:
    """The oracle's line for a glob and a text, both ASCII."""
    return f"M {_hex(pattern)} {_hex(text)}"


def ask(program: Path, lines: Sequence[str]) -> list[str]:
    """The oracle's answers, one a line."""
    done = subprocess.run(
        [str(program)], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True, timeout=600
    )
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        raise RuntimeError(f"the oracle answered {len(answers)} of {len(lines)} lines: {done.stderr[-200:]}")
    return answers


def answer_of_production(case: Case) -> str:
    """What production makes of a case, in the oracle's form."""
    alone, reviewed, after = run_production(case)
    return "|".join(
        (
            f"{alone.score}|{int(alone.band)}|{int(alone.decision)}",
            _rows(sorted(_row(f, f.fingerprint) for f in alone.findings)),
            _rows(_row(r.finding, r.finding.fingerprint) for r in reviewed.findings),
            _rows(_row(f, f.message) for f in reviewed.added),
            ",".join(str(int(vote)) for _, vote in reviewed.votes),
            f"{int(reviewed.decision)}|{after.score}|{int(after.decision)}",
        )
    )


def normal(answer: str) -> str:
    """An answer of the oracle with the merged findings, which have no order there, in order."""
    parts = answer.split("|")
    if len(parts) == 10:
        parts[3] = ";".join(sorted(parts[3].split(";")))
    return "|".join(parts)


def glob_of_production(pattern: str, text: str) -> str:
    """Whether production's glob matches, in the oracle's form."""
    return str(int(compile_glob(pattern).matches(text)))


def _rows(rows) -> str:  # type: ignore[no-untyped-def]
    return ";".join(rows)


def _row(f: Finding, mark: str) -> str:
    words = (f.rule, f.category.value, f.location.path, mark)
    return ",".join((*map(_hex, words), str(int(f.severity)), str(f.confidence), str(int(f.executable))))


def _hex(text: str) -> str:
    return "x" + text.encode("utf-8", "surrogatepass").hex()


def _json(value: Plain) -> list[str]:
    if value is None:
        return ["N"]
    if isinstance(value, bool):
        return ["T" if value else "F"]
    if isinstance(value, int | float):
        thousandths = model_confidence(value)
        return ["Q"] if thousandths is None else ["I", str(thousandths)]
    if isinstance(value, str):
        return ["S", _hex(value)]
    if isinstance(value, list):
        return ["A", str(len(value)), *(token for item in value for token in _json(item))]
    return ["O", str(len(value)), *(t for k, v in value.items() for t in (_hex(k), *_json(v)))]
