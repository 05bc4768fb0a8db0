"""A linear model over hashed n-grams of instruction text, built so that it has to learn malice and not its source.

What keeps it from learning where a text came from: names of the skill, hosts, paths, addresses, digits and hashes
are dropped; an n-gram counts only when it occurs in two sources, and for malice only when in two malicious ones;
every cluster of near-duplicates weighs the same, sources weigh by the root of their size, both labels the same;
passages that also stand in a benign skill are not called malicious.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from passages import Skill
from scipy import sparse
from sklearn.linear_model import LogisticRegression

SIZE = 1 << 18
SALT = "sluicegate-learned-1"
CAP = 60
"""Passages of one benign skill that are trained on."""
KEPT = 5
"""One of so many passages of a malicious skill, the worst ones, is trained on in the second round."""

_DROPPED = (
    re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+|\S+@[\w-]+\.\w+"),
    re.compile(r"\b(?:[\w-]+\.)+[a-z]{2,6}\b"),
    re.compile(r"[~.]?(?:/[\w.~@{}<>$*-]+)+/?"),
    re.compile(r"\b[0-9a-f]{8,}\b|[\w+/=-]{24,}"),
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


class Grams(StrEnum):
    """What the features are: words and pairs of words, or four characters in a row."""

    WORDS = "words"
    CHARACTERS = "characters"


class Positive(StrEnum):
    """Which passages of a malicious skill are taken to be malicious themselves."""

    ALL = "every passage"
    WORST = "the worst fifth, found in two rounds"
    HIT = "hidden, or hit by a rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One way of building the model.

    ``guarded``: with the rules above that keep sources apart. ``even``: less for a longer skill, which has more
    passages that could score high by chance.
    """

    name: str
    grams: Grams
    positive: Positive
    guarded: bool
    even: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All passages as rows of n-grams; ``owner[i]`` is the skill of row ``i``."""

    skills: Sequence[Skill]
    rows: sparse.csr_matrix
    owner: NDArray[np.int64]
    malicious: Flags
    marked: Flags
    shared: Flags
    sampled: Flags
    source: NDArray[np.str_]
    cluster_weight: Floats
    present: dict[tuple[str, bool], Flags]


def words(text: str, name: str) -> list[str]:
    """The words of a passage, lower-case, without what names a thing, a place or a number."""
    text = text.lower()
    for pattern in _DROPPED:
        text = pattern.sub(" ", text)
    own = set(re.split(r"[^a-z]+", name.lower()))
    return [word for word in _WORD.findall(text) if word not in own]


def features(text: str, name: str, grams: Grams) -> list[int]:
    """The hashed n-grams of one passage, each once, sorted. The same on every machine."""
    found = words(text, name)
    if grams is Grams.WORDS:
        parts = {*found, *map(" ".join, pairwise(found))}
    else:
        run = f" {' '.join(found)} "
        parts = {run[at : at + 4] for at in range(len(run) - 3)}
    return sorted({zlib.crc32(f"{SALT}\x1f{part}".encode()) % SIZE for part in parts})


def build(skills: Sequence[Skill], grams: Grams) -> Table:
    """Every passage of every skill as a row of unit length (short ones shorter: they say less)."""
    columns: list[int] = []
    ends, owner = [0], []
    for number, skill in enumerate(skills):
        for passage in skill.passages:
            columns += features(passage.text, skill.name, grams)
            ends.append(len(columns))
            owner.append(number)
    counts = np.diff(np.array(ends))
    values = np.repeat(1 / np.sqrt(np.maximum(counts, 4)), counts)
    rows = sparse.csr_matrix((values, np.array(columns), np.array(ends)), shape=(len(owner), SIZE))
    every = [passage for skill in skills for passage in skill.passages]
    plain = [re.sub(r"\W+", " ", passage.text.lower()) for passage in every]
    malicious = np.array([skill.malicious for skill in skills])
    owners = np.array(owner)
    benign = {text for text, at in zip(plain, owner, strict=True) if not malicious[at]}
    clusters = Counter(skill.cluster for skill in skills)
    source = np.array([skill.source for skill in skills])
    size = np.bincount(owners, minlength=len(skills))
    lot = np.array([zlib.crc32(text.encode()) / 2**32 for text in plain])
    return Table(
        skills=skills,
        rows=rows,
        owner=owners,
        malicious=malicious,
        marked=np.array([passage.hit or passage.hidden for passage in every]),
        shared=np.array([text in benign for text in plain]),
        sampled=lot < CAP / np.maximum(size, 1)[owners],
        source=source,
        cluster_weight=np.array([1 / clusters[skill.cluster] for skill in skills]),
        present=dict(_present(rows, owners, source, malicious)),
    )


def _present(
    rows: sparse.csr_matrix, owner: NDArray[np.int64], source: NDArray[np.str_], malicious: Flags
) -> Iterator[tuple[tuple[str, bool], Flags]]:
    """For each source and label, which n-grams occur there."""
    for name, label in sorted(set(zip(source.tolist(), malicious.tolist(), strict=True))):
        chosen = ((source == name) & (malicious == label))[owner]
        yield (name, label), np.asarray(rows[chosen].sum(axis=0)).ravel() > 0


def train(table: Table, design: Design, chosen: Flags) -> Floats:
    """The weights of a model trained on the chosen skills alone.

    1. Passages: a sample of each benign skill's; of malicious ones those that ``design.positive`` says.
    2. N-grams: when guarded, those of at least two sources.
    3. Fit; when guarded, an n-gram of a single malicious source speaks for nothing.
    4. With ``Positive.WORST``, again with the passages that the first model finds worst.
    """
    groups = [group for group in table.present if (chosen & (table.source == group[0])).any()]
    bad = sum(table.present[g].astype(int) for g in groups if g[1])
    good = sum(table.present[g].astype(int) for g in groups if not g[1])
    inside, evil = chosen[table.owner], table.malicious[table.owner]
    # 1
    benign = inside & ~evil & table.sampled
    suspects = inside & evil & ~(table.shared if design.guarded else np.False_)
    positive = suspects & table.marked if design.positive is Positive.HIT else suspects
    # 2
    columns = np.flatnonzero(bad + good >= (2 if design.guarded else 1))
    weights = _fit(table, benign, positive, columns)
    # 4
    if design.positive is Positive.WORST:
        positive = _worst(table, table.rows @ weights, suspects) | (suspects & table.marked)
        weights = _fit(table, benign, positive, columns)
    # 3
    if design.guarded:
        weights[(weights > 0) & (bad < 2)] = 0
    return weights


def _fit(table: Table, benign: Flags, positive: Flags, columns: NDArray[np.int64]) -> Floats:
    rows = np.flatnonzero(benign | positive)
    label = positive[rows].astype(int)
    model = LogisticRegression(solver="liblinear", max_iter=60, tol=0.01)
    model.fit(table.rows[rows][:, columns], label, sample_weight=_balance(table, rows, label))
    weights = np.zeros(SIZE)
    weights[columns] = model.coef_[0]
    return weights


def _balance(table: Table, rows: NDArray[np.int64], label: NDArray[np.int64]) -> Floats:
    """Weights of the rows: by cluster, by the root of a source's size, the same in all for both labels."""
    owner = table.owner[rows]
    weight = table.cluster_weight[owner] / np.sqrt(np.bincount(owner)[owner])
    for name in np.unique(table.source[owner]):
        for side in (0, 1):
            part = (table.source[owner] == name) & (label == side)
            if part.any():
                weight[part] /= np.sqrt(weight[part].sum())
    for side in (0, 1):
        weight[label == side] *= len(rows) / 2 / weight[label == side].sum()
    return weight


def _worst(table: Table, score: Floats, suspects: Flags) -> Flags:
    """The passages of each malicious skill that weigh most: one in ``KEPT``, and at least one."""
    kept = np.zeros(len(score), dtype=bool)
    rows = np.flatnonzero(suspects)
    for owner in np.unique(table.owner[rows]):
        own = rows[table.owner[rows] == owner]
        kept[own[np.argsort(-score[own], kind="stable")][: max(1, len(own) // KEPT)]] = True
    return kept


def worst_passages(table: Table, weights: Floats, most: int) -> Floats:
    """For each skill, the scores of its ``most`` worst passages, worst first; -inf where it has fewer."""
    score = table.rows @ weights
    best = np.full((len(table.skills), most), -np.inf)
    order = np.lexsort((-score, table.owner))
    owner = table.owner[order]
    first = np.searchsorted(owner, owner, side="left")
    rank = np.arange(len(owner)) - first
    near = rank < most
    best[owner[near], rank[near]] = score[order[near]]
    return best


def evened(table: Table, best: Floats, chosen: Flags) -> Floats:
    """Scores less what the number of passages alone would give, as the chosen benign skills have it."""
    count = np.log(np.maximum(1, np.bincount(table.owner, minlength=len(table.skills))))
    usual = chosen & ~table.malicious & np.isfinite(best[:, 0])
    slope = np.polyfit(count[usual], best[usual, 0], 1)[0]
    return best - slope * count[:, None]


def without(table: Table, sources: Collection[str]) -> Flags:
    """The skills of all other sources."""
    return ~np.isin(table.source, list(sources))
