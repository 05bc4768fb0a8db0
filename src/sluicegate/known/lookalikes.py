"""Letters that look like ASCII letters.

Curated from the letters that are drawn alike in common fonts: Cyrillic, Greek, Armenian, Cherokee, Lisu,
Coptic, Latin letters of phonetic and African alphabets, small capitals, and enclosed letters for which
Unicode has no compatibility mapping. Full-width, mathematical and most enclosed forms are left to NFKC.
"""

from __future__ import annotations

# Drawn like the ASCII letter: a word made only of these reads as a Latin word.
_STRONG = {
    "A": "АΑᎪꓮ", "B": "ВΒᏴꓐ", "C": "СϹᏟꓚⲤ", "D": "Ꭰꓓᗞ", "E": "ЕΕᎬꓰ", "F": "ϜꓝᖴꞘ", "G": "ԌᏀꓖ", "H": "НΗᎻꓧᕼ",
    "I": "ІΙӀꓲ", "J": "ЈᎫꓙͿ", "K": "КΚᏦꓗ", "L": "ᏞꓡᒪԼ", "M": "МΜᎷꓟϺ", "N": "ΝꓠⲚ", "O": "ОΟՕꓳⲞ", "P": "РΡᏢꓑ",
    "Q": "Ԛ", "R": "ᎡᏒꓣ", "S": "ЅՏᏚꓢ", "T": "ТΤᎢꓔ", "U": "Սꓴ", "V": "ѴᏙꓦ", "W": "ԜᎳꓪ", "X": "ХΧꓫ", "Y": "УΥҮꓬ",
    "Z": "ΖᏃꓜ",
    "a": "аɑα", "b": "Ƅᖯ", "c": "сϲᴄⲥ", "d": "ԁᏧ", "e": "еҽ", "f": "ꞙք", "g": "ɡց", "h": "һհᏂ", "i": "іıɩιᎥ",
    "j": "јϳ", "k": "κⲕ", "l": "ӏǀ", "m": "ⅿ", "n": "ոռ", "o": "оοօⲟ", "p": "рρⲣ", "q": "ԛգ", "r": "ⲅᴦ", "s": "ѕ",
    "t": "ţ", "u": "υս", "v": "νѵ", "w": "ѡԝա", "x": "хⲭ", "y": "уγү", "z": "ʐ",
}  # fmt: skip

# Only like it: read as the ASCII letter inside a word that mixes scripts.
_WEAK = {
    "b": "Ьв", "e": "єεэ", "f": "ƒ", "h": "н", "k": "к", "m": "м", "n": "пηп", "o": "σ", "q": "զ", "r": "гя",
    "t": "тτ", "u": "цμ", "v": "ѷ", "w": "шωщ", "x": "χж", "y": "ч", "z": "ζ", "l": "ⳑ", "i": "ї", "d": "ɗ",
}  # fmt: skip

_SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ" + "ʏᴢ"
_SMALL_LETTERS = "abcdefghijklmnopqrstuvw" + "yz"


def _table() -> tuple[dict[int, str], frozenset[str]]:
    folds: dict[int, str] = {}
    for source in (_WEAK, _STRONG):
        for letter, alikes in source.items():
            for alike in alikes:
                folds[ord(alike)] = letter
    folds.pop(ord("ţ"), None)  # a letter of Romanian
    folds.update({ord(c): letter for c, letter in zip(_SMALL_CAPITALS, _SMALL_LETTERS, strict=True)})
    for start in (0x1F150, 0x1F170):  # negative circled and negative squared capitals
        folds.update({start + i: letter for i, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")})
    strong = frozenset(c for alikes in _STRONG.values() for c in alikes)
    return folds, strong


FOLDS, STRONG = _table()
"""Code point to ASCII letter; and the characters that are drawn like an ASCII letter."""

SMALL_CAPITALS = _SMALL_CAPITALS
FOREIGN = r"\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u13a0-\u13ff\uab70-\uabbf\ua4d0-\ua4ff\u1400-\u167f\u2c80-\u2cff"
"""Character class of the scripts whose letters are drawn like Latin ones."""
