"""The tools that look for failures find them: mutation, shrinking, keeping."""

from drt import campaign, shrink
from drt.cases import generate
from drt.sides import production
from mutation import special
from mutation.operators import mutants
from mutation.run import EXPLAINED, ROOMS, all_mutants, explained

SOURCE = '''
LIMIT = 3

def f(x: int) -> int:
    """Words."""
    y = min(x, LIMIT)
    if x > 1 and y:
        raise ValueError("words for people")
    return "said" if not y else [n for n in (x, y) if n < 2]
'''


def test_a_source_is_changed_one_place_at_a_time():
    found = {mutant.name: mutant.source for mutant in mutants("m", SOURCE)}
    assert len(found) == len(set(found.values()))
    for name in (
        "m.module: LIMIT = 3 -> LIMIT = 4",
        "m.f: y = min(x, LIMIT) -> y = max(x, LIMIT)",
        "m.f: y = min(x, LIMIT) -> pass",
        "m.f: if x > 1 and y: -> if x >= 1 and y:",
        "m.f: if x > 1 and y: -> if x > 1 or y:",
        "m.f: if x > 1 and y: -> if y:",
        "m.f: if x > 1 and y: -> if True:",
        "m.f: raise ValueError('words for people') -> pass",
    ):
        assert name in found
    assert not any("peoplex" in text or "Words.x" in text for text in found.values())
    assert any("(x, y)]" in text for text in found.values())
    assert all("def f(x: int)" in text for text in found.values())


def test_every_explained_mutant_exists():
    known = explained()
    files = {f"{room.prefix}{path.stem}" for room in ROOMS for path in room.paths()}
    about = [file for file in files if any(name.startswith(f"{file}.") for name in known)]
    sets = ["tokens", *(["special"] if any(special.SIGN in name for name in known) else [])]
    names = {mutant.name for _, _, mutant in all_mutants(about, sets)}
    assert EXPLAINED.is_file()
    assert set(known) <= names
    assert all(why.strip() for why in known.values())


def test_a_failure_is_shrunk_kept_and_run_again(tmp_path, monkeypatch):
    monkeypatch.setattr(shrink, "FAILURES", tmp_path / "failures")
    monkeypatch.setattr(campaign, "differs", lambda case: production(case)["alone"]["decision"] == 2)
    number = next(n for n in range(50) if production(generate("hostile", n))["alone"]["decision"] == 2)
    kept = campaign._keep("hostile", number, "production differs from the model", oracle=None)
    assert kept.path.startswith(str(tmp_path))
    ((name, case),) = shrink.kept()
    assert name == "000-production-differs-from-the-model.json"
    assert production(case)["alone"]["decision"] == 2
    assert len(case.findings) <= 5
    assert "shrunk and kept" in campaign.report([kept])
