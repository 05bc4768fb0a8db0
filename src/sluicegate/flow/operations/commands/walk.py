"""Walking through the arguments of a command, by what its table says of options (``spec.py``).

1. ``--`` ends the options, where the program knows it; so does the first other argument, where the table says
   so.
2. ``--name``, ``--name=value``: a long option, also abbreviated; one ``-word`` where the program has no
   clusters.
3. ``-abc``: short options; the first of them that takes a value takes the rest of the argument, or the next
   one.
4. An option that is not in the table may take the next argument as its value, so that argument is both: a
   value, and whatever it would be else. Where that decides which program runs, the option is refused.
5. A value never is part of an option's name, never names a subcommand, and never begins with ``-`` where that
   would make it an option.
6. Arguments that are not options get their roles when all options are known.
"""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.inner import rest
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import READERS, ROLES
from sluicegate.flow.operations.commands.words import ArgumentWord, quoted
from sluicegate.flow.policy.rules.commands import usual
from sluicegate.known.commands.spec import WRAPPING, Option, Spec, spec

OPTION_HINT: Final = (
    "set it behind '--', or inside an argument as in --name={value}, or before a path as in ./{value}; "
    "write {name:option} if it may be an option"
)
_EMPTY: Final = Spec("", {}, (), frozenset())
_OUTPUTS: Final = (
    "out", "dest", "target-dir", "log-file", "logfile", "log-path", "write", "save", "dump", "export", "junit",
)  # fmt: skip


class ArgumentWalk:
    """One pass over the arguments of one command (or of one subcommand)."""

    def __init__(self, reading: CommandReading, words: tuple[ArgumentWord, ...], spec_: Spec | None) -> None:
        self.reading = reading
        self.words = words
        self.spec = spec_ or _EMPTY
        self.known = spec_ is not None
        self.at = 0
        self.ended = False  # no more options
        self.dashes = False  # '--' was seen: a value may begin with '-'
        self.doubtful = False  # the last argument was an option that is not in the table
        self.before = ""  # which
        self.operands: list[tuple[ArgumentWord, bool]] = []
        self.given: set[str] = set()
        self.shared = "shared" in self.spec.words and "strict" not in self.spec.words

    def walk(self) -> None:
        """Read all arguments. Raises CommandError."""
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if self.ended or not self.option(word):
                if self.operand(word):
                    return
        self.assign()
        if "shell" in self.spec.words and all(effect.program for effect in self.reading.effects):
            self.reading.code("without a command")

    # Options

    def option(self, word: ArgumentWord) -> bool:
        """Read an option, if the argument is one."""
        if word.option:
            if "strict" in self.spec.words or "sub" in self.spec.words:
                raise self.wrong(
                    f"{quoted(word)} could change which program runs", "write the option in the template"
                )
            self.reading.known = False
            self.doubtful, self.before = True, ""
            return True
        if not word.head.startswith("-") or (word.text == "-" and "-" not in self.spec.options):
            return False
        if word.text == "--" and "plain" not in self.spec.words:
            self.ended = self.dashes = True  # 1
            return True
        if word.text == "--":
            return False
        whole = len(word.head) > 2 and word.text in self.spec.options
        if "single" in self.spec.words or word.head.startswith("--") or word.text == "-" or whole:
            self.long(word)
        else:
            self.cluster(word)
        return True

    def long(self, word: ArgumentWord) -> None:  # 2
        name, equals, _ = word.head.partition("=")
        if word.text is None and not equals:
            raise self.wrong(f"a value fills the name of the option {quoted(word)}", OPTION_HINT)  # 5
        found = self.spec.long(name)
        self.given.add(name)
        self.reading.flags.add(name)
        if not found:
            self.unknown(name, attached=bool(equals))
            if equals:
                self.loose(word.after(len(name) + 1), name)
            return
        for option in found:
            self.given.update(option.names)
            self.reading.flags.update(option.names)
        if len({(option.roles, option.attached) for option in found}) > 1:
            raise self.wrong(f"the option {quoted(name)} is short for several", "write it in full")
        self.take(found[0], word.after(len(name) + 1) if equals else None, name)

    def cluster(self, word: ArgumentWord) -> None:  # 3
        if word.head[1:].isdigit() and "-#" in self.spec.options and word.text is not None:
            self.reading.flags.add("-#")
            return
        if word.text is not None and len(word.text) > 2:
            self.reading.flags.add(word.text.partition("=")[0])
        for index, char in enumerate(word.head[1:], start=1):
            name = f"-{char}"
            option = self.spec.options.get(name)
            self.given.update(option.names if option else (name,))
            self.reading.flags.update(option.names if option else (name,))
            more = index + 1 < len(word.head) or word.text is None
            if option is None:
                self.unknown(name, attached=more)
                if more and "strict" not in self.spec.words:
                    self.loose(word.after(index + 1), name)
            elif option.roles and option.roles[0].startswith("+"):
                self.take(option, None, name)
            elif option.roles:
                self.take(option, word.after(index + 1) if more else None, name)
                return
        if word.text is None:
            raise self.wrong(f"a value follows the options {quoted(word.head)} directly", OPTION_HINT)  # 5

    def take(self, option: Option, attached: ArgumentWord | None, name: str) -> None:
        """Give an option its values."""
        self.doubtful = False
        if option.roles == ("value",) and not option.attached and self.shared:
            self.unknown(name, attached=attached is not None)
            if attached is not None:
                self.loose(attached, name)
            return
        for role in option.roles:
            if role.startswith("+"):  # a flag that does something
                self.role(role[1:], ArgumentWord((name,)))
            elif attached is not None:
                self.role(role, attached)
            elif option.attached:
                return
            elif self.at < len(self.words):
                value = self.words[self.at]
                self.at += 1
                if value.head.startswith("-"):
                    self.reading.flags.add(value.head.partition("=")[0])
                if value.many:
                    raise self.wrong(
                        f"a list fills the value of {quoted(name)}", "an option takes one value: write {name}"
                    )
                self.role(role, value)
            attached = None

    def unknown(self, name: str, *, attached: bool) -> None:  # 4
        if "strict" in self.spec.words:
            raise self.wrong(
                f"the option {quoted(name)} is not known, so it is not certain which program would run",
                "leave the option out, or run the inner program directly",
            )
        if not attached and "attached" not in self.spec.words:
            self.doubtful, self.before = True, name
            self.reading.known = False

    def loose(self, value: ArgumentWord, name: str) -> None:
        """The value of an option that is not known: perhaps a path, written if the name says so."""
        self.reading.use("w" if self.known_output(name) else "m", value)
        self.reading.contact("maybe", value)

    @staticmethod
    def known_output(name: str) -> bool:
        """Whether an option's name says that its value is written to."""
        return name == "-o" or name.lstrip("-").startswith(_OUTPUTS)

    # Arguments that are not options

    def operand(self, word: ArgumentWord) -> bool:
        """Read an argument that is not an option; true if it ended the reading."""
        doubtful, self.doubtful = self.doubtful, False
        if self.ended and word.text == "--":
            self.dashes = True
        if "sub" in self.spec.words:
            return self.subcommand(word, doubtful=doubtful)
        if doubtful and self.before:  # 4
            self.loose(word, self.before)
        roles = self.spec.expected(self.given)
        position = min(len(self.operands), len(roles) - 1)
        role = roles[position] if roles else ""
        if role == "assign...":
            if "=" in word.head:
                ROLES["assign"](self.reading, word)
                return False
            position, role = position + 1, roles[position + 1]
        if role in WRAPPING:
            rest(self.reading, role, self.words[self.at - 1 :])
            self.assign()
            return True
        self.ended = self.ended or "stop" in self.spec.words
        if not self.dashes and "inert" not in self.spec.words:
            self.reading.guard(word, ("-",), "could be an option there", self.hint(word))  # 5
        if self.spec.syntax:
            self.reading.guard(
                word, tuple(self.spec.syntax), "could be more than text there", self.hint(word)
            )
        if word.many and not self.takes_many(roles, position):
            raise self.wrong(f"a list stands where one argument is expected ({quoted(word)})", "write {name}")
        self.operands.append((word, doubtful))
        return False

    def subcommand(self, word: ArgumentWord, *, doubtful: bool) -> bool:
        """Go on with what is known of a subcommand."""
        if doubtful:
            raise self.wrong(
                f"{quoted(word)} may be the subcommand, or the value of the option before it",
                "set options behind the subcommand, or write --name=value",
            )
        text = self.reading.written(word, "the subcommand", "write the subcommand in the template")
        self.reading.subcommands.append(text)
        below = spec(f"{self.spec.name} {text}") or spec(f"{self.spec.name} {usual(self.spec.name, text)}")
        if below is None:
            below = spec(f"{self.spec.name} *") or Spec("", {}, (), frozenset())
            self.reading.known = self.reading.known and bool(below.name)
        merged = below._replace(
            name=f"{self.spec.name} {text}", options={**self.spec.options, **below.options}
        )
        for language in below.runs:
            self.reading.mark_program(language)
        if below.reader:
            READERS[below.reader](self.reading, self.words[self.at :], merged)
            return True
        deeper = ArgumentWalk(self.reading, self.words[self.at :], merged)
        deeper.given = self.given
        deeper.known = bool(below.name)
        deeper.walk()
        self.given = deeper.given
        return True

    def assign(self) -> None:  # 6
        """Give the arguments their roles."""
        roles = self.spec.expected(self.given)
        certain = self.reading.known and self.known
        for index, (word, doubtful) in enumerate(self.operands):
            self.reading.operands.append(word)
            if not roles or not self.known:
                self.reading.use("m", word)
                self.reading.contact("maybe", word)
                continue
            right = self.placed(roles, index)
            for role in right if certain and not doubtful else dict.fromkeys((*right, *self.bare(roles))):
                self.role(role, word)

    def placed(self, roles: tuple[str, ...], index: int) -> tuple[str, ...]:
        """The role of one argument among all."""
        repeated = next((at for at, role in enumerate(roles) if role.endswith("...")), None)
        count = len(self.operands)
        if repeated is None:
            return (roles[index],) if index < len(roles) else ("value",)
        last = len(roles) - repeated - 1
        if index < repeated and index < count - last:
            return (roles[index],)
        if count - index <= last:
            return (roles[len(roles) - (count - index)],)
        return (roles[repeated].removesuffix("..."),)

    @staticmethod
    def bare(roles: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(role.removesuffix("...") for role in roles if role not in WRAPPING)

    @staticmethod
    def takes_many(roles: tuple[str, ...], position: int) -> bool:
        """Whether a list may stand here: where any number of arguments is taken, or nothing is known."""
        return not roles or any(role.endswith("...") for role in roles[: position + 1])

    def role(self, name: str, word: ArgumentWord) -> None:
        ROLES[name](self.reading, word)

    def hint(self, word: ArgumentWord) -> str:
        if "plain" in self.spec.words:
            return f"{self.reading.name} knows no '--': write ./ in front of a path, or check the value first"
        return OPTION_HINT

    def wrong(self, what: str, hint: str) -> CommandError:
        return CommandError(f"in {self.reading.name}: {what}", hint=hint)
