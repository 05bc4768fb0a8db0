import pytest

import translate


def test_the_kernels_are_the_translated_ones():
    assert translate.check() == ""


def test_every_module_of_kernels_is_translated():
    kernels = {
        path.relative_to(translate.ROOT).as_posix() for path in translate.ROOT.glob("src/**/kernels.py")
    }
    assert kernels == set(translate.MODULES.values())


def test_a_kernel_that_changes_is_told(tmp_path, monkeypatch):
    (tmp_path / "spec/coq").mkdir(parents=True)
    source = tmp_path / "kernels.py"
    source.write_text("def f(x: int) -> int:\n    return x\n")
    monkeypatch.setattr(translate, "ROOT", tmp_path)
    monkeypatch.setattr(translate, "MODULES", {"Some": "kernels.py"})
    assert "Some.v is not the translation of kernels.py" in translate.check()
    assert translate.main(["--write"]) == 0
    assert translate.check() == ""
    assert "Translated from kernels.py" in (tmp_path / "spec/coq/Some.v").read_text()
    source.write_text("def f(x: int) -> int:\n    return x + 1\n")
    assert "Some.v is not the translation" in translate.check()
    source.write_text("def f(x: int) -> int:\n    return x ** 2\n")
    assert translate.check().startswith("kernels.py: line 2")


def test_a_kernel_is_translated():
    text = translate.translate(
        "LIMIT = 7\n"
        "def small(x: int, yes: bool) -> bool:\n"
        "    '''words'''\n"
        "    if not yes:\n"
        "        return x < LIMIT\n"
        "    return True\n"
        "def pair(x: int) -> tuple[int, int]:\n"
        "    return (-x // LIMIT, max(x, 1) if small(x, True) else 0)\n"
    )
    assert "Definition LIMIT : Z := 7." in text
    assert "(if (negb yes) then (x <? LIMIT)\n   else true)." in text
    assert "Definition pair (x : Z) : (Z * Z) :=" in text
    assert "(((- x) / LIMIT), (if (small x true) then (Z.max x (1)) else (0)))." in text


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "LIMIT = 1.5",
        "LIMIT = True",
        "def f(x: float) -> int:\n    return 1",
        "def f(x) -> int:\n    return 1",
        "def f(x: int):\n    return 1",
        "def f(x: int = 3) -> int:\n    return x",
        "def f(*x: int) -> int:\n    return 1",
        "def f(x: int, /) -> int:\n    return x",
        "@cache\ndef f(x: int) -> int:\n    return x",
        "def f(x: int) -> int:\n    for _ in (1,):\n        pass\n    return x",
        "def f(x: int) -> int:\n    y = x\n    return y",
        "def f(x: int) -> int:\n    return y",
        "def f(x: int) -> int:\n    return f(x)",
        "def f(x: int) -> int:\n    return x / 2",
        "def f(x: int) -> int:\n    return x // 2",
        "N = 0\ndef f(x: int) -> int:\n    return x // N",
        "def f(x: int) -> int:\n    return x ** 2",
        "def f(x: int) -> int:\n    return x % 2",
        "def f(x: int) -> bool:\n    return x",
        "def f(x: bool) -> int:\n    return x + 1",
        "def f(x: int) -> bool:\n    return 0 < x < 3",
        "def f(x: int) -> bool:\n    return x is 3",
        "def f(x: int) -> bool:\n    return x and True",
        "def f(x: int) -> int:\n    return min(x)",
        "def f(x: int) -> int:\n    return max(x, key=1)",
        "def f(x: int) -> int:\n    return x.y",
        "def f(x: int) -> int:\n    return (lambda: x)()",
        "def f(x: bool) -> int:\n    if x:\n        return 1",
        "def f(x: bool) -> int:\n    if x:\n        return 1\n    else:\n        return 2",
        "def f(x: str) -> int:\n    return 'a'",
        "class A:\n    pass",
        "def match(x: int) -> int:\n    return x",
        "def f(forall: int) -> int:\n    return forall",
        "true = 1",
        "def f(x: int) -> int:\n    return x\ndef f(x: int) -> int:\n    return 1",
    ],
)
def test_what_is_outside_the_subset_is_refused(source):
    with pytest.raises(translate.OutsideSubset):
        translate.translate(source)
