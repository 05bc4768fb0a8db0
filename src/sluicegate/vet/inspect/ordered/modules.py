"""Modules of Python that a skill names as its own and does not have: of its folders, from its folders, and parts in machine code.

A module of a package that is installed is none. So a name alone says nothing: it must be one in a folder of the skill, or
be run from such a folder, or begin as only a package's own parts in machine code do (``_name``).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

from sluicegate.vet.inspect.ordered.orders import Order
from sluicegate.vet.inspect.ordered.places import OF_USERS, Base, BundlePaths
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_RUN_AS_MODULES = frozenset(
    "ast base64 calendar cProfile cgi code compileall concurrent dis doctest email ensurepip fileinput filecmp ftplib gzip http idlelib imaplib inspect"
    " json lib2to3 mimetypes nntplib pdb pickle pickletools platform poplib profile pstats py_compile pyclbr pydoc quopri random runpy site smtpd smtplib"
    " sqlite3 sysconfig tabnanny tarfile telnetlib test timeit tkinter tokenize trace turtledemo unittest uuid venv webbrowser xmlrpc zipapp zipfile"
    # what is installed so often that nobody says it
    " pip pipx uv virtualenv pipenv poetry build twine setuptools wheel hatch flit pdm tox nox pytest coverage mypy pyright ruff black isort flake8 pylint"
    " pycodestyle autopep8 yapf bandit vulture pyflakes pre_commit mkdocs sphinx jupyter notebook jupyterlab ipykernel IPython nbconvert uvicorn gunicorn"
    " hypercorn flask django celery streamlit gradio chainlit playwright selenium spacy nltk torch transformers accelerate deepspeed vllm mlx mlx_lm sglang"
    " piptools pip_audit pip_tools piplicenses memory_profiler line_profiler kernprof scalene pyinstaller PyInstaller nuitka cython cffi maturin mcp fastmcp"
    " grpc_tools alembic sqlmap httpie yt_dlp youtube_dl whisper markitdown pdfplumber ocrmypdf http_server debugpy ptvsd robot behave locust mpi4py cudf"
    " cuml numba dask ray prefect dbt airflow scrapy asv xdist cibuildwheel bumpversion semgrep safety pygments rich textual typer click invoke fabric".split()
)
"""Modules that are run by their name and come with Python, or with tools that most machines have."""
_PRIVATE = frozenset(
    "abc aix_support android_support apple_support ast ast_unparse asyncio bisect blake2 bootsubprocess bz2 cffi_backend codecs collections collections_abc"
    " colorize compat_pickle compression contextvars crypt csv ctypes curses curses_panel datetime dbm decimal distutils_hack elementtree frozen_importlib"
    " frozen_importlib_external functools gdbm hashlib heapq hmac imp interpchannels interpqueues interpreters io ios_support json locale lsprof lzma"
    " markupbase md5 msi multibytecodec multiprocessing opcode opcode_metadata operator osx_support overlapped pickle plotly_utils posixshmem"
    " posixsubprocess py_abc py_warnings pydatetime pydecimal pyio pylong pyrepl pytest queue random remote_debugging scproxy sha1 sha2 sha256 sha3 sha512"
    " signal sitebuiltins socket sqlite3 sre ssl stat statistics string strptime struct suggestions symtable sysconfig testcapi testinternalcapi thread"
    " threading_local tkinter tokenize tracemalloc types typing uuid warnings weakref weakrefset winapi winreg wmi yaml zoneinfo zstd".split()
)
"""Modules of Python whose names begin with an underscore, and of packages that programs import so; without it."""
_IMPORT = lazy(
    r"(?m)^(?P<indent>[ \t]*+)(?:from[ \t]++(?P<module>[A-Za-z_]\w*+(?:\.\w++)*+)[ \t]++import[ \t]++(?P<names>\([^()]{1,2000}\)|[^\n#;(]{1,500})"
    r"|import[ \t]++(?P<plain>[A-Za-z_]\w*+(?:\.\w++)*+))"
)
_TRIED = lazy(r"(?:^|\n)[ \t]*+try[ \t]*+:[ \t]*+(?:#[^\n]*+)?\n(?:[ \t]*+(?:#[^\n]*+)?\n)*+$")
"""What stands before an import that may fail."""
_LOOKED_BACK = 400


def is_installed(module: str, texts: Iterable[str]) -> bool:
    """Whether a module that is run by its name comes with Python or a tool, or a text installs its package."""
    top = module.partition(".")[0]
    if top in _RUN_AS_MODULES:
        return True
    named = re.escape(top).replace("_", "[-_.]")
    declared = re.compile(
        rf"(?im)^[^\n]{{0,300}}\b(?:install|add|require[sd]?|dependenc(?:y|ies)|depends)\b[^\n]{{0,300}}(?<![\w/.]){named}(?![\w/])"
        rf"|^[ \t]{{0,8}}[\"']?{named}(?:\[[\w,-]{{1,60}}\])?[ \t]{{0,4}}(?:[=<>~!@]|[\"',]|$)"
    )
    return any(declared.search(text) is not None for text in texts)


def of_own_imports(view: View, places: BundlePaths, installed: Callable[[str], bool]) -> Iterator[Order]:
    """Modules that a program of the skill imports as the skill's own and that are not there.

    1. One in a folder of the skill that holds modules: ``from tools.build import x``, where there is no ``tools/build.py``.
       What a folder with an ``__init__.py`` gives by a name may be any name in that, and a folder may be called as a package
       that is installed (``installed``).
    2. One whose name begins with an underscore: no package is called so, only its parts, and mostly those in machine code.
       An import that may fail is none.
    """
    text = view.text
    own = [name for name in places.packages if f"from {name}" in text or f"import {name}." in text]
    if OF_USERS.search(view.path) is not None or not (own or "import _" in text or "from _" in text):
        return
    here = view.path.rpartition("/")[0]
    for found in _IMPORT.finditer(text):
        module = found["module"] or found["plain"]
        top, _, rest = module.partition(".")
        if top in own:
            wanted = _missing(module, found["names"] or "", places, here) if rest or found["names"] else ""
            wanted = "" if wanted and installed(top) else wanted
        elif top[:1] == "_" and top[1:] not in _PRIVATE and not top.startswith("__"):
            before = text[max(0, found.start() - _LOOKED_BACK) : found.start()]
            there = _is_here(top, places, here) or places.has_folder(top)
            wanted = "" if there or (found["indent"] and _TRIED.search(before)) else top
        else:
            continue
        if wanted:
            yield Order(f"{wanted}.py", view, found.start(), found.end(), Base.SCRIPT, "python")


def _missing(module: str, names: str, places: BundlePaths, here: str) -> str:
    """The module of a folder of the skill that is not there, as a path without suffix; empty where nothing is missing."""
    path = module.replace(".", "/")
    if _is_here(path, places, here):
        if any(places.known(posixpath.join(base, path, "__init__.py")) for base in (here, "")):
            return ""
        if not any(posixpath.join(base, path) in places.folders for base in (here, "")):
            return ""
        imported = (name.split()[0] for name in names.strip("() \n").split(",") if name.split())
        return next(
            (
                f"{path}/{name}"
                for name in imported
                if name.isidentifier() and not _is_here(f"{path}/{name}", places, here)
            ),
            "",
        )
    top = path.partition("/")[0]
    return (
        path
        if any(posixpath.normpath(posixpath.join(base, top)) in places.folders for base in (here, ""))
        else ""
    )


def _is_here(path: str, places: BundlePaths, here: str) -> bool:
    """Whether a module, by its path without suffix, stands beside a program, at the top of the skill, or anywhere by this path."""
    for base in (here, ""):
        full = posixpath.normpath(posixpath.join(base, path))
        if full in places.folders or any(
            places.known(full + suffix) for suffix in (".py", ".pyi", ".pyx", ".so", ".pyd")
        ):
            return True
    return any(places.ends(f"/{path}{suffix}") for suffix in (".py", ".so", ".pyd"))
