"""Contracts on the production kernels, for CrossHair: it looks for inputs that break them, on every path.

Each function states what must hold for all integers that meet ``pre``; ``post: _`` means the result is true.
Run by ``python spec/verify.py``, which asks for "Confirmed over all paths" of each.
"""

from __future__ import annotations

from sluicegate.flow.labels.kernels import trust_survives
from sluicegate.flow.policy.kernels import (
    both,
    capability,
    class_of,
    closes,
    is_untrusted,
    layer,
    overrides,
    stance,
    tighter,
    worse,
)
from sluicegate.vet.verdict.kernels import (
    accepts,
    attempted,
    band_of,
    base,
    by_kind,
    clamp,
    consensus,
    decide,
    final,
    floor_of,
    floor_of_kinds,
    is_guarded,
    place,
    raised,
    ruled,
    stricter,
    vote_of,
    weigh,
)


def confidence_in_range(c: int, d: int) -> bool:
    """
    pre: c <= d
    post: _
    """
    return 0 <= clamp(c) <= clamp(d) <= 1000


def base_is_monotone(s: int, t: int) -> bool:
    """
    pre: s <= t
    post: _
    """
    return 5 <= base(s) <= base(t) <= 50


def three_largest_are_kept_in_order(p: int, a: int, b: int, c: int) -> bool:
    """
    pre: a >= b >= c >= 0
    post: _
    """
    x, y, z = place(p, a, b, c)
    return x >= y >= z and x >= a and y >= b and z >= c


def order_of_insertion_does_not_matter(p: int, q: int, a: int, b: int, c: int) -> bool:
    """
    pre: a >= b >= c >= 0
    post: _
    """
    return place(p, *place(q, a, b, c)) == place(q, *place(p, a, b, c))


def larger_points_weigh_more(p: int, q: int, a: int, b: int, c: int) -> bool:
    """
    pre: a >= b >= c >= 0 and p <= q
    post: _
    """
    return weigh(*place(p, a, b, c)) <= weigh(*place(q, a, b, c))


def floor_is_monotone(s: int, t: int, c: int, d: int) -> bool:
    """
    pre: s <= t and c <= d
    post: _
    """
    return 0 <= floor_of(s, c) <= floor_of(t, d) <= 51


def score_in_range(floor: int, total: int) -> bool:
    """
    pre: 0 <= floor <= 100 and 0 <= total
    post: _
    """
    return floor <= final(floor, total) <= 100


def band_is_monotone(s: int, t: int) -> bool:
    """
    pre: s <= t
    post: _
    """
    return 0 <= band_of(s) <= band_of(t) <= 3


def decision_is_monotone(b: int, d: int, c: bool, e: bool, g: bool, h: bool) -> bool:
    """
    pre: b <= d and (e or not c) and (h or not g)
    post: _
    """
    return 0 <= decide(b, c, g) <= decide(d, e, h) <= 2


def expired_and_guarded_are_never_accepted(m: bool, i: bool, s: int, globbed: bool) -> bool:
    """
    post: _
    """
    return not accepts(True, True, True, is_guarded(m, i, s)) and not (
        is_guarded(m, i, s) and accepts(False, globbed, False, True)
    )


def opinions_never_lower(c: int, confirms: bool, said: int) -> bool:
    """
    pre: 0 <= c <= 1000
    post: _
    """
    return c <= raised(c, confirms, said) <= 1000


def condemning_words_count_anywhere(condemned: bool, whole: bool, safe: bool, alarm: bool) -> bool:
    """
    post: _
    """
    vote = vote_of(condemned, whole, safe, alarm)
    return (vote == 3) == condemned and (vote != 0 or (whole and safe)) and (vote != 1 or not alarm)


def an_attempt_never_unsays_another(before: int, now: int) -> bool:
    """
    pre: 0 <= before <= 3 and 0 <= now <= 3
    post: _
    """
    vote = attempted(before, now)
    return (
        (vote == 3) == (before == 3 or now == 3)
        and (vote >= before or before == 1)
        and vote == attempted(now, before)
        and 0 <= vote <= 3
    )


def safe_needs_everyone(condemning: int, safe: int, voters: int, families: int, complete: bool) -> bool:
    """
    pre: 0 <= condemning and 0 <= safe <= voters and 0 <= families <= voters
    post: _
    """
    decision = consensus(condemning, safe, voters, families, complete)
    return (decision == 2) == (condemning > 0) and (
        decision != 0 or (complete and safe == voters and families >= 2)
    )


def words_count_up_to_fifty(acts: int, everything: int, floor: int) -> bool:
    """
    pre: 0 <= acts <= 100 and 0 <= everything <= 100 and 0 <= floor <= 51
    post: _
    """
    score = by_kind(acts, everything, floor)
    return max(acts, floor) <= score <= max(acts, floor, 50) and score >= min(everything, 50)


def more_kinds_and_deeds_never_lower_the_floor(c: bool, d: int, p: bool, e: bool, f: int, q: bool) -> bool:
    """
    pre: (e or not c) and d <= f and (q or not p)
    post: _
    """
    return 0 <= floor_of_kinds(c, d, p) <= floor_of_kinds(e, f, q) <= 51


def only_approvals_lower(
    decision: int, against: int, approving: int, overriding: int, needed: int, may: bool
) -> bool:
    """
    pre: 0 <= decision <= 2 and 0 <= against and 0 <= overriding <= approving
    post: _
    """
    said = ruled(decision, against, approving, overriding, needed, may)
    lowered = said < decision
    return 0 <= said <= 2 and (not lowered or (against == 0 and approving >= 1 and (decision < 2 or may)))


def the_stricter_is_no_milder(one: int, other: int) -> bool:
    """
    post: _
    """
    return stricter(one, other) >= one and stricter(one, other) >= other


def calling_it_untrusted_never_helps(trusted: bool, origin: bool, worst: int) -> bool:
    """
    pre: 0 <= worst <= 2 and (origin or worst == 0)
    post: _
    """
    said, unsaid = stance(True, trusted, origin, worst), stance(False, trusted, origin, worst)
    return is_untrusted(said) and (closes(said) or not closes(unsaid))


def the_stance_is_never_better_for_worse_origins(marked: bool, trusted: bool, one: int, other: int) -> bool:
    """
    pre: 0 <= one <= other <= 2
    post: _
    """
    before, after = stance(marked, trusted, True, one), stance(marked, trusted, True, other)
    return is_untrusted(before) <= is_untrusted(after) and closes(before) <= closes(after)


def an_origin_keeps_its_own_class(entry: int, default: int) -> bool:
    """
    pre: 0 <= entry <= 2 and 0 <= default <= 2
    post: _
    """
    return class_of(entry, default) == (entry if entry else default) <= worse(entry, default)


def overriding_is_strict(deny_label: int, deny_target: int, allow_label: int, allow_target: int) -> bool:
    """
    post: _
    """
    over = overrides(deny_label, deny_target, allow_label, allow_target)
    return not over or (
        (allow_label, allow_target) != (deny_label, deny_target)
        and not overrides(allow_label, allow_target, deny_label, deny_target)
    )


def denied_is_denied(dangerous: bool, opted_in: bool, present: bool, matched: bool) -> bool:
    """
    post: _
    """
    return capability(True, dangerous, opted_in, present, matched) == 1


def a_layer_refuses_if_a_step_does(found: int, rule: int, flow: bool, listed: bool) -> bool:
    """
    pre: 0 <= found <= 3 and 0 <= rule <= 4
    post: _
    """
    return (layer(found, rule, flow, listed) == 0) == (found == 0 and rule == 0 and not flow and not listed)


def both_layers_must_permit(one: int, other: int) -> bool:
    """
    post: _
    """
    return (both(one, other) == 0) == (one == 0 and other == 0)


def the_tighter_limit_is_held(one: int, other: int) -> bool:
    """
    pre: one > 0
    post: _
    """
    return 0 < tighter(one, other) <= one and 0 < tighter(other, one) <= one


def trust_never_outlives_doubt(first: bool, first_stained: bool, second: bool, second_stained: bool) -> bool:
    """
    post: _
    """
    survives = trust_survives(first, first_stained, second, second_stained)
    return not survives or (
        (first or second) and (first or not first_stained) and (second or not second_stained)
    )
