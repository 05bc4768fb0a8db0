import shutil
import sys
import types

import pytest

import fuzz_translator
import running
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
        "def f(x: int) -> tuple[int,]:\n    return (x,)",
        "def f(x: int, x: int) -> int:\n    return x",
        "from __future__ import annotations as max",
        "from __future__ import division",
        "def max(x: int, y: int) -> int:\n    return x",
        "min = 3",
        "def f(int: int) -> int:\n    return int",
        "bool = 1",
        "tuple = 1",
        "def f(min: int) -> int:\n    return min(min, 1)",
        "def range(x: int) -> int:\n    return x",
        "def Z(x: int) -> int:\n    return x",
        "def f(_: int) -> int:\n    return _",
        "N = 3\nN = 4",
        "N = 3\ndef f(N: int) -> int:\n    return N",
        "N = 3\ndef f(x: int, N: int) -> int:\n    return x // N",
        "def f(x: int) -> int:\n    return x\ndef g(f: int) -> int:\n    return f",
        "def f(f: int) -> int:\n    return f",
        "def f(x: int) -> int:\n    return x\nf = 3",
    ],
)
def test_what_is_outside_the_subset_is_refused(source):
    with pytest.raises(translate.OutsideSubset):
        translate.translate(source)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"# -*- coding: unicode_escape -*-\nN = 1\n", "the encoding unicode_escape"),
        (b"# coding: latin-1\nN = 1\n", "the encoding iso-8859-1"),
        (b"# coding: utf-7\nN = 1\n", "the encoding utf-7"),
        (b"# coding: nonsense\nN = 1\n", "unknown encoding"),
        (b"\xef\xbb\xbfN = 1\n", "the byte 0xef"),
        (b"N = 1\n\x0c\nM = 2\n", "line 2 holds the byte 0x0c"),
        (b"N = 1\r\n", "the byte 0x0d"),
        (b"N = 1  # \xe2\x80\xae\n", "the byte 0xe2"),
        (b"N = 1\n\tM = 1\n", "the byte 0x09"),
        (b"N = (1\n", "not Python"),
    ],
)
def test_a_text_that_could_be_read_in_two_ways_is_refused(source, said):
    with pytest.raises(translate.OutsideSubset, match=said):
        translate.translate(source)


def test_a_line_that_a_coding_hides_is_refused():
    source = (
        b"# -*- coding: unicode_escape -*-\ndef f(x: int) -> int:\n    # \\x0a    return 21\n    return x\n"
    )
    room: dict = {}
    exec(compile(source, "f", "exec"), room)
    assert room["f"](3) == 21  # the text says 3
    with pytest.raises(translate.OutsideSubset):
        translate.translate(source)


def test_utf_8_may_be_declared():
    assert "Definition N : Z := 1." in translate.translate(b"# -*- coding: utf-8 -*-\nN = 1\n")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_a_type_parameter_is_refused():
    with pytest.raises(translate.OutsideSubset):
        translate.translate("def f[min](x: int) -> int:\n    return min(x, 1)\n")


def test_what_has_no_translation_is_told_in_a_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "spec/coq").mkdir(parents=True)
    (tmp_path / "kernels.py").write_text("def f(x: int) -> int:\n    return x ** 2\n")
    monkeypatch.setattr(translate, "ROOT", tmp_path)
    monkeypatch.setattr(translate, "MODULES", {"Some": "kernels.py"})
    assert translate.main(["--write"]) == 1
    assert "kernels.py: line 2: not in the subset: x ** 2" in capsys.readouterr().err
    assert not (tmp_path / "spec/coq/Some.v").exists()
    (tmp_path / "kernels.py").unlink()
    assert translate.main(["--write"]) == 1
    assert translate.check().startswith("kernels.py: ")


def test_the_kernels_that_run_are_the_translated_ones(tmp_path):
    assert running.problems() == []
    path = tmp_path / "kernels.py"
    path.write_text("N = 3\ndef f(x: int) -> int:\n    return x\n")
    module = types.ModuleType("kernels")
    module.__file__ = str(path)
    exec("N = 3\ndef f(x: int) -> int:\n    return x\n", vars(module))
    assert running.differences(module, path) == []
    exec("def f(x: int) -> int:\n    return 21 if x == 7 else x\n", vars(module))
    assert running.differences(module, path) == ["f is not what its source says"]
    vars(module).update(N=3.0, f=None, max=min)
    assert len(running.differences(module, path)) == 3
    module.__file__ = str(tmp_path / "kernels.so")
    assert "Python imports" in running.differences(module, path)[0]


def test_generated_modules_are_accepted_and_refused():
    found = [fuzz_translator.program(number) for number in range(300)]
    assert 10 < sum(one is not None for one in found) < 100


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")
def test_the_translator_agrees_with_python_on_a_few_modules():
    generated, evaluations, found = fuzz_translator.fuzz(20, seed=1)
    assert generated > 20 and evaluations > 100
    assert found == []


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")
def test_the_comparison_finds_a_name_that_means_two_things(monkeypatch):
    source = b"def max(x: int, y: int) -> int:\n    return x\ndef f(x: int) -> int:\n    return max(x, 3)\n"
    monkeypatch.setattr(translate, "_TAKEN", frozenset())
    one = fuzz_translator.Program(
        source=source, coq=translate.translate(source), calls=("[(f (1))]",), answers=("1",)
    )
    (told,) = fuzz_translator.compared([one])
    assert "Python says 1, Coq says 3" in told and "def max" in told


def test_without_coq_the_comparison_says_that_it_is_left_out(monkeypatch, capsys):
    monkeypatch.setattr(fuzz_translator.shutil, "which", lambda _: None)
    assert fuzz_translator.report(5, 0) == []
    assert "left out: the translator against Python (coqc is missing)" in capsys.readouterr().out
