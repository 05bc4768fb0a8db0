"""The proven functions as an oracle: a program extracted from Coq that reads a case a line.

What crosses over is plain: text as hexadecimal, numbers as integers. A number in a reply is turned into
thousandths by the reference model first, a reply that is not JSON into what is left of it, and a person into what tells
one from another, since the theorems begin behind that border.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from drt.cases import Case, Plain
from drt.sides import body_of, run_production
from model.envelope import SET, Pairs, decode, flag, salvage
from model.verdict import model_confidence, visible
from sluicegate.vet.verdict.globs import compile_glob
from sluicegate.vet.verdict.types import Finding


def encode(case: Case) -> str:
    """The oracle's line for a case."""
    tokens = ["C", str(case.today)]
    tokens += _many(
        case.findings, lambda row: [*map(_hex, row[:5]), str(row[5]), str(row[6]), str(int(row[7]))]
    )
    tokens += _many(case.gaps, lambda gap: map(_hex, gap[:3]))
    tokens += _many(case.entries, _entry)
    tokens += _many(case.gap_entries, lambda entry: [*map(_hex, entry[:3]), str(entry[3])])
    tokens += _many(case.seats, lambda seat: [_hex(seat[0]), seat[1]])
    tokens += _many(
        case.packages, lambda package: [package[0], *_many(package[1], lambda mark: [_hex(mark)])]
    )
    tokens += _many(sorted(case.replies, key=lambda reply: reply[:3]), _answer)
    tokens += _many(case.parts, lambda part: [_hex(part[0]), str(int(part[1]))])
    tokens += _many(case.rulings, _ruling)
    return " ".join([*tokens, str(case.needed), str(int(case.may_override))])


def _many(items: Sequence[Plain], tokens_of: Callable[[Plain], Iterable[str]]) -> list[str]:
    return [str(len(items)), *(token for item in items for token in tokens_of(item))]


def _maybe(number: int | None) -> list[str]:
    return ["0"] if number is None else ["1", str(number)]


def _entry(entry: Plain) -> list[str]:
    rule, path, mark, last = entry
    if mark is None:
        return ["G", _hex(rule), _hex(path), str(last)]
    return ["E", _hex(rule), _hex(path), _hex(mark), *_maybe(last)]


def _answer(reply: Plain) -> list[str]:
    seat, package, _, body = reply
    given = body_of(body)
    return [str(seat), str(package), *_back(given)]


def _back(given: bytes | BaseException) -> list[str]:
    if isinstance(given, BaseException):
        return ["X"]
    if value := decode(given):
        return ["V", *_json(value[0])]
    left, alarm = salvage(given)
    return ["L", str(int(alarm)), *_json(left)]


def _ruling(ruling: Plain) -> list[str]:
    about, person, approves, overrides, last, reason, content = ruling
    flags = [str(int(approves)), str(int(overrides)), str(int(bool(visible(reason))))]
    names = [_hex("d" if about else "another"), _hex("c" if content else "others"), _hex(visible(person))]
    return [*names, *flags, *_maybe(last)]


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
    run = run_production(case)
    return "|".join(
        (
            f"{run.alone.score}|{int(run.alone.band)}|{int(run.alone.decision)}",
            ";".join(sorted(_row(f, f.fingerprint) for f in run.alone.findings)),
            ";".join(_row(r.finding, r.finding.fingerprint) for r in run.reviewed.findings),
            ";".join(_row(f, f.message) for f in run.reviewed.added),
            ",".join(str(int(ballot.vote)) for ballot in run.reviewed.ballots),
            f"{int(run.reviewed.complete)}|{int(run.reviewed.decision)}|{run.after.score}",
            f"{int(run.after.decision)}|{int(run.ruled.decision)}",
        )
    )


def normal(answer: str) -> str:
    """An answer of the oracle with the merged findings, which have no order there, in order."""
    parts = answer.split("|")
    if len(parts) == 12:
        parts[3] = ";".join(sorted(parts[3].split(";")))
    return "|".join(parts)


def glob_of_production(pattern: str, text: str) -> str:
    """Whether production's glob matches, in the oracle's form."""
    return str(int(compile_glob(pattern).matches(text)))


def _row(f: Finding, mark: str) -> str:
    words = (f.rule, f.category.value, f.kind.value, f.location.path, mark)
    return ",".join((*map(_hex, words), str(int(f.severity)), str(f.confidence), str(int(f.executable))))


def _hex(text: str) -> str:
    return "x" + text.encode("utf-8", "surrogatepass").hex()


def _json(value: Plain) -> list[str]:
    if value is None:
        return ["N"]
    if isinstance(value, bool):
        return ["T" if value else "F"]
    if isinstance(value, int | float):
        return [
            "I",
            str(model_confidence(value)),
            str(int(flag(value) == SET)),
            str(int(isinstance(value, int))),
        ]
    if isinstance(value, str):
        return ["S", _hex(value)]
    if isinstance(value, Pairs):
        return ["O", *_many(value, lambda pair: [_hex(pair[0]), *_json(pair[1])])]
    return ["A", *_many(value, _json)]
