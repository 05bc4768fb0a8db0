"""Which scopes a TextMate grammar gives to the characters of a text: what editors do, line by line, for our own rules."""

import re
from functools import cache
from typing import Any

Rule = dict[str, Any]


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Scopes:
    """One pass over a text. A rule of another grammar (``source.shell``) colours nothing here."""

    def __init__(self, grammar: Rule, others: dict[str, Rule] | None = None) -> None:
        self.others = {grammar["scopeName"]: grammar, **(others or {})}
        self.top = grammar

    def of(self, text: str) -> list[str]:
        """For each character the names of all rules it is in, with blanks between."""
        stack: list[tuple[Rule, str, str, Rule]] = [({}, "", "", self.top)]
        found: list[str] = []
        for number, line in enumerate(text.splitlines(keepends=True)):
            found += self.line(line, number, stack)
        return found

    def line(self, line: str, number: int, stack: list[tuple[Rule, str, str, Rule]]) -> list[str]:
        body = line.rstrip("\n")
        out, at, empty = [""] * len(line), 0, 0
        for index in range(len(line)):
            out[index] = stack[-1][2]
        while at <= len(body) and empty < 20:
            rule, end, scopes, grammar = stack[-1]
            best = None
            if end and (match := compiled(end).search(body, at)):
                best = (match.start(), -1, match, None, grammar)
            for order, (each, home) in enumerate(self.rules(rule or grammar, grammar)):
                pattern = each.get("match") or each["begin"]
                if pattern.startswith(r"\A") and (number or at):
                    continue
                match = compiled(pattern).search(body, at)
                if match and (best is None or (match.start(), order) < best[:2]):
                    best = (match.start(), order, match, each, home)
            if best is None:
                break
            start, _, match, chosen, home = best
            empty = empty + 1 if match.end() == at else 0
            if chosen is None:
                self.fill(out, start, match.end(), scopes)
                stack.pop()
                self.fill(out, match.end(), len(line), stack[-1][2])
            else:
                inner = f"{scopes} {chosen.get('name', '')} {chosen.get('contentName', '')}".strip()
                self.fill(out, start, match.end(), inner)
                captures = chosen.get("captures") or chosen.get("beginCaptures") or {}
                for group, named in captures.items():
                    self.fill(out, *match.span(int(group)), f"{inner} {named['name']}")
                if "begin" in chosen:
                    closing = chosen["end"].replace(
                        r"\2", re.escape(match[2]) if r"\2" in chosen["end"] else ""
                    )
                    stack.append((chosen, closing, inner, home))
                    self.fill(out, match.end(), len(line), inner)
            at = match.end()
        return out

    def rules(self, rule: Rule, grammar: Rule, seen: tuple[str, ...] = ()) -> list[tuple[Rule, Rule]]:
        found: list[tuple[Rule, Rule]] = []
        for each in rule.get("patterns", ()):
            name = each.get("include", "")
            if name.startswith("#"):
                inner = grammar["repository"][name[1:]]
                alone = "match" in inner or "begin" in inner
                found += [(inner, grammar)] if alone else self.rules(inner, grammar, seen)
            elif name:
                if name in self.others and name not in seen:
                    found += self.rules(self.others[name], self.others[name], (*seen, name))
            else:
                found.append((each, grammar))
        return found

    @staticmethod
    def fill(out: list[str], start: int, end: int, scopes: str) -> None:
        for index in range(max(start, 0), end):
            out[index] = scopes
