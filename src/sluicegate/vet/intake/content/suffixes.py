"""What a name claims a file to be. Only a claim: ``kinds`` holds it against the content."""

from __future__ import annotations

from sluicegate.vet.intake.bundle import Kind

_BY_SUFFIX: dict[Kind, str] = {
    Kind.MARKDOWN: "md markdown mdx mdc mkd mdown qmd rmd",
    Kind.TEXT: "txt text rst adoc asciidoc org log rtf diff patch po pot srt vtt eml tmpl j2 jinja jinja2",
    Kind.HTML: "html htm xhtml vue svelte hbs mustache ejs",
    Kind.XML: "xml xsd xsl xslt rss atom wsdl xaml csproj vcxproj props targets nuspec pom drawio bpmn hta",
    Kind.SVG: "svg",
    Kind.CSV: "csv tsv",
    Kind.LATEX: "tex sty cls bib ltx bst",
    Kind.PYTHON: "py pyi pyw pyx pxd",
    Kind.SHELL: "sh bash zsh ksh fish command bats ash dash",
    Kind.JAVASCRIPT: "js mjs cjs jsx",
    Kind.TYPESCRIPT: "ts tsx mts cts",
    Kind.POWERSHELL: "ps1 psm1 psd1",
    Kind.BATCH: "bat cmd",
    Kind.RUBY: "rb gemspec rake podspec",
    Kind.PERL: "pl pm",
    Kind.PHP: "php phtml php5 phar",
    Kind.GO: "go",
    Kind.RUST: "rs",
    Kind.JAVA: "java",
    Kind.C: "c h cc cpp cxx hpp hh hxx m mm ino",
    Kind.LUA: "lua",
    Kind.R: "r",
    Kind.SQL: "sql",
    Kind.CSS: "css scss sass less",
    Kind.APPLESCRIPT: "applescript scpt",
    Kind.MAKEFILE: "mk mak",
    Kind.DOCKERFILE: "dockerfile",
    Kind.SOURCE: (
        "cs kt kts swift scala groovy gradle clj cljs ex exs erl hrl hs ml mli nim zig dart jl vb vbs vba "
        "wsf awk sed tcl f90 pas asm s v sol proto graphql gql tf hcl nix cmake coffee elm lisp el scm rkt "
        "jsonnet cue rego star bzl fs fsx fsi ps d cr pro just vim"
    ),
    Kind.JSON: "json jsonc json5 webmanifest geojson har map sarif avsc",
    Kind.YAML: "yaml yml",
    Kind.TOML: "toml",
    Kind.INI: "ini cfg conf config properties env desktop service timer socket editorconfig reg inf",
    Kind.PLIST: "plist mobileconfig",
    Kind.NOTEBOOK: "ipynb",
    Kind.DATA: "jsonl ndjson lock snap",
    Kind.ZIP: "zip skill whl jar war ear egg apk aab ipa xpi vsix nupkg epub pyz aar mcpb dxt",
    Kind.TAR: "tar gem",
    Kind.GZIP: "gz tgz",
    Kind.BZIP2: "bz2 tbz tbz2",
    Kind.XZ: "xz txz lzma",
    Kind.ZSTD: "zst tzst",
    Kind.SEVENZIP: "7z",
    Kind.RAR: "rar",
    Kind.OFFICE: "docx xlsx pptx docm xlsm pptm dotx dotm xltx potx odt ods odp odg",
    Kind.OLE: "doc xls ppt msi",
    Kind.PDF: "pdf",
    Kind.IMAGE: "png jpg jpeg gif webp bmp ico cur tif tiff heic heif avif psd icns",
    Kind.FONT: "ttf otf ttc woff woff2",
    Kind.AUDIO: "mp3 wav ogg oga opus flac m4a mid midi aiff aif",
    Kind.VIDEO: "mp4 mov m4v webm mkv avi flv mpg mpeg ogv 3gp",
    Kind.PE: "exe dll pyd sys scr ocx",
    Kind.ELF: "so ko elf",
    Kind.MACHO: "dylib",
    Kind.WASM: "wasm",
    Kind.PYC: "pyc pyo",
    Kind.CLASS: "class",
    Kind.PICKLE: "pkl pickle joblib",
    Kind.SQLITE: "sqlite sqlite3",
}

SUFFIXES: dict[str, Kind] = {s: kind for kind, row in _BY_SUFFIX.items() for s in row.split()}

_BY_NAME: dict[Kind, str] = {
    Kind.MAKEFILE: "makefile gnumakefile bsdmakefile",
    Kind.DOCKERFILE: "dockerfile containerfile",
    Kind.RUBY: "gemfile rakefile podfile vagrantfile fastfile brewfile guardfile",
    Kind.SOURCE: "jenkinsfile justfile .justfile build.bazel workspace tiltfile cmakelists.txt .vimrc",
    Kind.PYTHON: "sconstruct sconscript wscript .pythonrc .pythonstartup",
    Kind.SHELL: (
        ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv "
        ".zlogin .zlogout .kshrc .cshrc .envrc pkgbuild .xprofile .xinitrc"
    ),
    Kind.INI: (
        ".env .npmrc .yarnrc .pypirc .gitconfig .gitmodules .gitattributes .editorconfig .netrc .flake8 "
        ".pylintrc .coveragerc pip.conf"
    ),
    Kind.JSON: ".babelrc .eslintrc .prettierrc .jshintrc .mcprc .swcrc composer.lock deno.lock flake.lock",
    Kind.YAML: ".clang-format .clang-tidy .yamllint .condarc",
    Kind.TOML: "cargo.lock poetry.lock uv.lock pdm.lock pipfile",
    Kind.TEXT: (
        "readme changelog changes history authors contributors maintainers owners codeowners install news "
        "todo version thanks procfile .gitignore .dockerignore .npmignore .gitkeep .keep .cursorrules "
        ".windsurfrules .clinerules .goosehints robots.txt go.mod go.sum head "
        "description packed-refs metadata record"
    ),
}

NAMES: dict[str, Kind] = {name: kind for kind, row in _BY_NAME.items() for name in row.split()}

LICENCES = ("license", "licence", "copying", "unlicense", "notice", "copyright", "ofl", "eula")
"""What the name of a licence file begins with, lower case."""

DATA_SUFFIXES = frozenset(
    {
        "json", "jsonl", "csv", "tsv", "dat", "data", "log", "tmp", "bak", "cache", "db", "xml", "toml",
        "lock", "map", "snap", "po", "properties", "ini", "cfg", "txt",
    }
)  # fmt: skip
"""Suffixes under which nobody expects a program."""


def suffix_of(name: str) -> str:
    """What follows the last dot of a lower-case base name; empty when there is none or nothing before it."""
    stem, dot, suffix = name.rpartition(".")
    return suffix if dot and stem else ""


def base_name(path: str) -> str:
    """The last part of a path, lower case."""
    return path[path.rfind("/") + 1 :].lower()


def claimed_kind(path: str) -> Kind | None:
    """What the name claims the file to be; None when the name claims nothing that we know."""
    name = base_name(path)
    known = NAMES.get(name)
    if known is not None:
        return known
    suffix = suffix_of(name)
    if suffix == "sample" or name.startswith(("dockerfile.", "containerfile.", "makefile.")):
        return NAMES.get(name.partition(".")[0])
    if name.startswith(".env."):
        return Kind.INI
    if suffix in ("example", "template", "dist", "in", "sample"):
        return claimed_kind(name[: -len(suffix) - 1]) if name.count(".") > 1 else None
    return SUFFIXES.get(suffix)
