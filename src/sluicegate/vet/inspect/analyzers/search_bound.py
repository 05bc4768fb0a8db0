"""The bound on pattern search in texts that are full of the words which patterns begin with.

Wherever such a word stands, the pattern round it is tried. In what people write that costs nothing; a megabyte of one
word would cost seconds. So in large skills the words are counted, by what each costs, and what comes after too many of
them is not searched, which is a gap. The bound grows with the skill, and is far above what any honest text holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sluicegate.vet.intake.views.view import View

SMALL = 262_144
"""Characters of all texts of a skill below which nothing is counted: so little cannot cost much."""
PIECE = 16_384
"""Bytes that are counted together."""
BASE = 400_000
"""What the words of one skill may cost, in microseconds of a middling machine."""
SHARE = 3
"""And more for each ten bytes that the skill has."""
FREE = 500
"""What a piece may cost though nothing is left, so that no text can be hidden behind another."""
_COSTS: Mapping[int, str] = {
    20: "你收到 id_rsa .ssh id_ed25519 paste.c-net.org рецензент .aws сканер оценщик process.env.home модератор анализатор .env "
    "paste.rs apiキー zugangsdaten аудитор модель-судь",
    14: "bit.ly conversaci conversazione umgebungsvariablen ed25519 ревьюер المحادثة проверяющ .exe termbin.com hastebin.com ऑडिटर "
    "t.ly senha hookbin.com pastebin.com passe .gnupg cutt.ly",
    9: "sandi parola .netrc secreto passwort kennwort 남몰래 秘密鍵 चैट wachtwoord 비밀번호 .zip jetons anahtar segredo gesprek sleutel "
    "conversas kredensial powershell credentials d'ambiente 環境変数 ](http",
    7: "paste klucze base64 riwayat --upload 密かに historial 黙って 内密に учетн historique учётн rico ix.io is.gd scanner secrets "
    "password clip.exe 助记词",
    5: "%~f0 token 0x0.st الى glot.io auditor",
    4: "iex pwsh send nadie nie lie die cie sie post",
}
"""The words by what one costs, as ``bench/words.py`` measured it (the beginning of a link apart). Words that hold another
of these count with it."""
_WORDS = tuple([(word.encode(), cost) for cost, words in _COSTS.items() for word in words.split()])
_PLAIN = tuple([(word, cost) for word, cost in _WORDS if word.isascii()])
"""Those that a piece of ASCII can hold: two thirds."""


class Crowd:
    """What the words of one skill may still cost."""

    def __init__(self, sizes: Iterable[int]) -> None:
        """``sizes`` are those of the texts as they stand in the files, in characters."""
        self._left = BASE + sum(sizes) * SHARE // 10

    def reach(self, data: bytes) -> int:
        """How many bytes of a text may be searched; all of them, in honest texts."""
        low = data.lower()
        for start in range(0, len(low), PIECE):
            piece = low[start : start + PIECE]
            cost = sum([piece.count(word) * cost for word, cost in (_PLAIN if piece.isascii() else _WORDS)])
            if cost > max(self._left, FREE):
                return start
            self._left -= cost
        return len(data)


def crowd_of(views: Sequence[View]) -> Crowd | None:
    """The crowd of the texts of a skill; none of a small one."""
    if sum([len(view.text) for view in views]) <= SMALL:
        return None
    return Crowd([len(view.text) for view in views if not view.origin])
