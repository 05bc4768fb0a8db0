"""Every file format that is told apart: one declaration each, for all that must know of it.

A new format is a member of ``Kind``, its row in ``FORMATS``, and a module that reads it. What bytes are by their own
signature needs code, and stands in ``content.magic``.
"""

from __future__ import annotations

from enum import Enum, StrEnum

from sluicegate.tuples import NamedTuple


class Kind(StrEnum):
    """What an artifact really is, by content, shebang and name together; also the language of a view."""

    # Text that people and agents read.
    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    XML = "xml"
    SVG = "svg"
    CSV = "csv"
    LATEX = "latex"
    LICENSE = "license"
    # Programs.
    PYTHON = "python"
    SHELL = "shell"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    POWERSHELL = "powershell"
    BATCH = "batch"
    RUBY = "ruby"
    PERL = "perl"
    PHP = "php"
    GO = "go"
    RUST = "rust"
    JAVA = "java"
    C = "c"
    LUA = "lua"
    R = "r"
    SQL = "sql"
    CSS = "css"
    APPLESCRIPT = "applescript"
    MAKEFILE = "makefile"
    DOCKERFILE = "dockerfile"
    SOURCE = "source"  # a program in a language we have no name for
    # Configuration and data.
    JSON = "json"
    YAML = "yaml"
    TOML = "toml"
    INI = "ini"
    PLIST = "plist"
    NOTEBOOK = "notebook"
    DATA = "data"  # text data without instructions or code (fixtures, lock files)
    # Containers.
    ZIP = "zip"
    TAR = "tar"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    ZSTD = "zstd"
    SEVENZIP = "7z"
    RAR = "rar"
    OFFICE = "office"  # docx, xlsx, pptx, odt and friends: a zip with a known inside
    OLE = "ole"
    PDF = "pdf"
    # Pictures, fonts, recordings.
    IMAGE = "image"
    FONT = "font"
    AUDIO = "audio"
    VIDEO = "video"
    # Programs as bytes.
    ELF = "elf"
    PE = "pe"
    MACHO = "macho"
    WASM = "wasm"
    PYC = "pyc"
    CLASS = "class"
    PICKLE = "pickle"
    SQLITE = "sqlite"
    # The rest.
    EMPTY = "empty"
    BINARY = "binary"


class FormatRole(Enum):
    """What files of a format are to an agent."""

    PROSE = "text that people and agents read"
    CODE = "a program as text"
    CONFIG = "configuration and data"
    MEDIA = "a picture, a font, a recording"
    ARCHIVE = "a container that is opened"
    COMPILED = "a program as bytes"
    OPAQUE = "nothing that is read here"


class Format(NamedTuple):
    """One format. Lists of words are separated by spaces, lower case, and no word of a list is in another format's.

    ``suffixes`` and whole ``names`` of files claim the format; ``interpreters`` (of a ``#!`` line or a command) read it;
    ``fences`` name it in Markdown. ``words`` is what a mismatch calls it, and ``accepts`` are the other kinds that its
    name may truly hold. ``views``: the families that read its structure, as ``module:function`` below ``intake.views``, in
    order; ``file_views`` those of a file as it is, where they differ. ``reader``: what reads it as settings, likewise.
    """

    kind: Kind
    role: FormatRole
    suffixes: str = ""
    names: str = ""
    interpreters: str = ""
    fences: str = ""
    words: str = ""
    accepts: tuple[Kind, ...] = ()
    views: tuple[str, ...] = ()
    file_views: tuple[str, ...] = ()
    reader: str = ""


_RECIPES = "programs.recipes:recipe_views"
_INTERPRETERS = "programs.interpreters:interpreter_views"
_BUILD = "programs.build_files:build_file_views"
_STARTER = (_INTERPRETERS, "programs.shell_text:shell_text_views", _BUILD)
_MARKED_UP = ("formats.markdown:markdown_views",)
_LISTINGS = "formats.listings:listing_views"
_MARKED_UP_FILE = (_RECIPES, *_MARKED_UP)
_TEXT_FILE = (*_MARKED_UP_FILE, _LISTINGS, _BUILD)
_HYPERTEXT = ("formats.documents:office_views", "formats.hypertext:hypertext_views")
_MARKUP_FILE = (*_HYPERTEXT, _BUILD)
_SETTINGS = ("programs.commands:command_views",)
_PROGRAM = ("evaluate.constants:constant_views", "programs.executed:executed_views", _INTERPRETERS)

FORMATS = (
    Format(
        Kind.MARKDOWN,
        FormatRole.PROSE,
        suffixes="md markdown mdx mdc mkd mdown qmd rmd",
        fences="markdown md mdx mkd",
        views=_MARKED_UP,
        file_views=_MARKED_UP_FILE,
    ),
    Format(
        Kind.TEXT,
        FormatRole.PROSE,
        suffixes=(
            "txt text rst adoc asciidoc org log rtf diff patch po pot srt vtt eml tmpl j2 jinja jinja2"
        ),
        names=(
            "readme changelog changes history authors contributors maintainers owners codeowners "
            "install news todo version thanks procfile .gitignore .dockerignore .npmignore .gitkeep "
            ".keep .cursorrules .windsurfrules .clinerules .goosehints robots.txt go.mod go.sum head "
            "description packed-refs metadata record"
        ),
        fences="text txt plain plaintext output log prompt none",
        views=_MARKED_UP,
        file_views=_TEXT_FILE,
    ),
    Format(
        Kind.HTML,
        FormatRole.PROSE,
        suffixes="html htm xhtml vue svelte hbs mustache ejs",
        fences="html htm xhtml vue svelte",
        views=_HYPERTEXT,
    ),
    Format(
        Kind.XML,
        FormatRole.PROSE,
        suffixes=(
            "xml xsd xsl xslt rss atom wsdl xaml csproj vcxproj props targets nuspec pom drawio bpmn hta"
        ),
        fences="xml xsd xsl rss",
        views=_HYPERTEXT,
        file_views=_MARKUP_FILE,
    ),
    Format(
        Kind.SVG,
        FormatRole.PROSE,
        suffixes="svg",
        fences="svg",
        views=_HYPERTEXT,
    ),
    Format(
        Kind.CSV,
        FormatRole.PROSE,
        suffixes="csv tsv",
        fences="csv tsv",
    ),
    Format(
        Kind.LATEX,
        FormatRole.PROSE,
        suffixes="tex sty cls bib ltx bst",
        fences="latex tex",
        views=_MARKED_UP,
        file_views=(*_MARKED_UP_FILE, _LISTINGS),
    ),
    Format(
        Kind.LICENSE,
        FormatRole.PROSE,
        views=_MARKED_UP,
        file_views=_MARKED_UP_FILE,
    ),
    Format(
        Kind.PYTHON,
        FormatRole.CODE,
        suffixes="py pyi pyw pyx pxd",
        names="sconstruct sconscript wscript .pythonrc .pythonstartup",
        interpreters="python pypy uv uvx pipx",
        fences="python py python3 py3 ipython pycon python-repl pyi",
        views=("disguises.cookie:cookie_views", *_PROGRAM),
        file_views=("disguises.cookie:cookie_views", *_PROGRAM, _BUILD),
    ),
    Format(
        Kind.SHELL,
        FormatRole.CODE,
        suffixes="sh bash zsh ksh fish command bats ash dash",
        names=(
            ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile "
            ".zshenv .zlogin .zlogout .kshrc .cshrc .envrc pkgbuild .xprofile .xinitrc"
        ),
        interpreters="sh bash zsh dash ksh ash fish mksh busybox bats",
        fences=(
            "shell sh bash zsh ksh fish console terminal shell-session shellsession sh-session "
            "cmdline shellscript bash-session command commands"
        ),
        views=(_INTERPRETERS, "programs.shell:shell_views", _RECIPES),
    ),
    Format(
        Kind.JAVASCRIPT,
        FormatRole.CODE,
        suffixes="js mjs cjs jsx",
        interpreters="node nodejs zx qjs",
        fences="javascript js jsx node nodejs mjs cjs ecmascript",
        views=_PROGRAM,
    ),
    Format(
        Kind.TYPESCRIPT,
        FormatRole.CODE,
        suffixes="ts tsx mts cts",
        interpreters="bun deno ts-node tsx",
        fences="typescript ts tsx mts cts deno",
        accepts=(Kind.VIDEO,),
        views=_PROGRAM,
    ),
    Format(
        Kind.POWERSHELL,
        FormatRole.CODE,
        suffixes="ps1 psm1 psd1",
        interpreters="pwsh powershell",
        fences="powershell ps1 pwsh ps posh",
    ),
    Format(
        Kind.BATCH,
        FormatRole.CODE,
        suffixes="bat cmd",
        fences="batch bat cmd dosbatch",
    ),
    Format(
        Kind.RUBY,
        FormatRole.CODE,
        suffixes="rb gemspec rake podspec",
        names="gemfile rakefile podfile vagrantfile fastfile brewfile guardfile",
        interpreters="ruby",
        fences="ruby rb",
        views=_STARTER,
    ),
    Format(
        Kind.PERL,
        FormatRole.CODE,
        suffixes="pl pm",
        interpreters="perl",
        fences="perl pl",
        views=_STARTER,
    ),
    Format(
        Kind.PHP,
        FormatRole.CODE,
        suffixes="php phtml php5 phar",
        interpreters="php",
        fences="php",
        views=_STARTER,
    ),
    Format(
        Kind.GO,
        FormatRole.CODE,
        suffixes="go",
        fences="go golang",
        views=_STARTER,
    ),
    Format(
        Kind.RUST,
        FormatRole.CODE,
        suffixes="rs",
        fences="rust rs",
        views=_STARTER,
    ),
    Format(
        Kind.JAVA,
        FormatRole.CODE,
        suffixes="java",
        fences="java kotlin kt scala groovy",
        views=_STARTER,
    ),
    Format(
        Kind.C,
        FormatRole.CODE,
        suffixes="c h cc cpp cxx hpp hh hxx m mm ino",
        fences="c cpp c++ cc h hpp objc objective-c cs csharp c#",
        views=_STARTER,
    ),
    Format(
        Kind.LUA,
        FormatRole.CODE,
        suffixes="lua",
        interpreters="lua luajit",
        fences="lua",
        views=_STARTER,
    ),
    Format(
        Kind.R,
        FormatRole.CODE,
        suffixes="r",
        interpreters="rscript",
        fences="r",
        views=_STARTER,
    ),
    Format(
        Kind.SQL,
        FormatRole.CODE,
        suffixes="sql",
        fences="sql postgresql postgres mysql sqlite plsql",
        views=(_INTERPRETERS, _BUILD),
    ),
    Format(
        Kind.CSS,
        FormatRole.CODE,
        suffixes="css scss sass less",
        fences="css scss sass less",
    ),
    Format(
        Kind.APPLESCRIPT,
        FormatRole.CODE,
        suffixes="applescript scpt",
        interpreters="osascript",
        fences="applescript osascript",
        accepts=(Kind.BINARY,),
    ),
    Format(
        Kind.MAKEFILE,
        FormatRole.CODE,
        suffixes="mk mak",
        names="makefile gnumakefile bsdmakefile",
        interpreters="make",
        fences="makefile make mk just",
        views=(_RECIPES, _INTERPRETERS),
    ),
    Format(
        Kind.DOCKERFILE,
        FormatRole.CODE,
        suffixes="dockerfile",
        names="dockerfile containerfile earthfile",
        fences="dockerfile docker containerfile",
        views=(_RECIPES, _INTERPRETERS),
    ),
    Format(
        Kind.SOURCE,
        FormatRole.CODE,
        suffixes=(
            "cs kt kts swift scala groovy gradle clj cljs ex exs erl hrl hs ml mli nim zig dart jl "
            "vb vbs vba wsf awk sed tcl f90 pas asm s v sol proto graphql gql tf hcl nix cmake "
            "coffee elm lisp el scm rkt jsonnet cue rego star bzl fs fsx fsi ps d cr pro just vim nu "
            "ninja nomad tofu exp psql smk nf wdl sbt"
        ),
        names="jenkinsfile snakefile justfile .justfile build.bazel workspace tiltfile cmakelists.txt .vimrc meson.build .psqlrc",
        fences=(
            "swift dart elixir ex haskell hs clojure clj erlang julia zig nim hcl terraform tf proto "
            "graphql vim elisp lisp scheme ocaml fsharp solidity nix nu nushell"
        ),
        views=(_RECIPES, *_STARTER),
    ),
    Format(
        Kind.JSON,
        FormatRole.CONFIG,
        suffixes="json jsonc json5 webmanifest geojson har map sarif avsc",
        names=(".babelrc .eslintrc .prettierrc .jshintrc .mcprc .swcrc composer.lock deno.lock flake.lock"),
        fences="json jsonc json5 jsonl ndjson",
        views=_SETTINGS,
        reader="configs.read_json:read_json",
    ),
    Format(
        Kind.YAML,
        FormatRole.CONFIG,
        suffixes="yaml yml",
        names=".clang-format .clang-tidy .yamllint .condarc user-data",
        fences="yaml yml",
        views=_SETTINGS,
        reader="configs.read_yaml:read_yaml",
    ),
    Format(
        Kind.TOML,
        FormatRole.CONFIG,
        suffixes="toml",
        names="cargo.lock poetry.lock uv.lock pdm.lock pipfile makefile.toml",
        fences="toml",
        views=_SETTINGS,
        reader="configs.read_lines:read_toml",
    ),
    Format(
        Kind.INI,
        FormatRole.CONFIG,
        suffixes="ini cfg conf config properties env desktop service timer socket editorconfig gitconfig reg inf",
        names=(
            ".env .npmrc .yarnrc .pypirc gitconfig .gitconfig .gitmodules .gitattributes .editorconfig .netrc "
            ".flake8 .pylintrc .coveragerc pip.conf"
        ),
        fences="ini cfg conf properties dotenv env systemd editorconfig desktop",
        views=_SETTINGS,
        file_views=(*_SETTINGS, _BUILD),
        reader="configs.read_lines:read_ini",
    ),
    Format(
        Kind.PLIST,
        FormatRole.CONFIG,
        suffixes="plist mobileconfig",
        fences="plist",
        views=_SETTINGS,
        reader="configs.read_plist:read_plist",
    ),
    Format(
        Kind.NOTEBOOK,
        FormatRole.CONFIG,
        suffixes="ipynb",
        views=("formats.notebooks:notebook_views",),
        reader="configs.read_json:read_json",
    ),
    Format(
        Kind.DATA,
        FormatRole.CONFIG,
        suffixes="jsonl ndjson lock snap",
    ),
    Format(
        Kind.ZIP,
        FormatRole.ARCHIVE,
        suffixes="zip skill whl jar war ear egg apk aab ipa xpi vsix nupkg epub pyz aar mcpb dxt",
    ),
    Format(
        Kind.TAR,
        FormatRole.ARCHIVE,
        suffixes="tar gem",
    ),
    Format(
        Kind.GZIP,
        FormatRole.ARCHIVE,
        suffixes="gz tgz",
    ),
    Format(
        Kind.BZIP2,
        FormatRole.ARCHIVE,
        suffixes="bz2 tbz tbz2",
    ),
    Format(
        Kind.XZ,
        FormatRole.ARCHIVE,
        suffixes="xz txz lzma",
    ),
    Format(
        Kind.ZSTD,
        FormatRole.ARCHIVE,
        suffixes="zst tzst",
    ),
    Format(
        Kind.SEVENZIP,
        FormatRole.ARCHIVE,
        suffixes="7z",
    ),
    Format(
        Kind.RAR,
        FormatRole.ARCHIVE,
        suffixes="rar",
    ),
    Format(
        Kind.OFFICE,
        FormatRole.ARCHIVE,
        suffixes="docx xlsx pptx docm xlsm pptm dotx dotm xltx potx odt ods odp odg",
        words="an office document",
        accepts=(
            Kind.OLE,
            Kind.ZIP,
        ),
    ),
    Format(
        Kind.OLE,
        FormatRole.OPAQUE,
        suffixes="doc xls ppt msi",
        words="an old office document or installer",
        accepts=(
            Kind.HTML,
            Kind.OFFICE,
            Kind.TEXT,
            Kind.XML,
            Kind.ZIP,
        ),
    ),
    Format(
        Kind.PDF,
        FormatRole.OPAQUE,
        suffixes="pdf",
        words="a PDF",
    ),
    Format(
        Kind.IMAGE,
        FormatRole.MEDIA,
        suffixes="png jpg jpeg gif webp bmp ico cur tif tiff heic heif avif psd icns",
        words="a picture",
        accepts=(
            Kind.SVG,
            Kind.VIDEO,
        ),
    ),
    Format(
        Kind.FONT,
        FormatRole.MEDIA,
        suffixes="ttf otf ttc woff woff2",
        words="a font",
    ),
    Format(
        Kind.AUDIO,
        FormatRole.MEDIA,
        suffixes="mp3 wav ogg oga opus flac m4a mid midi aiff aif",
        words="a recording",
        accepts=(Kind.VIDEO,),
    ),
    Format(
        Kind.VIDEO,
        FormatRole.MEDIA,
        suffixes="mp4 mov m4v webm mkv avi flv mpg mpeg ogv 3gp",
        words="a film",
        accepts=(
            Kind.AUDIO,
            Kind.IMAGE,
        ),
    ),
    Format(
        Kind.ELF,
        FormatRole.COMPILED,
        suffixes="so ko elf",
        words="an ELF program",
        accepts=(
            Kind.MACHO,
            Kind.TEXT,
        ),
    ),
    Format(
        Kind.PE,
        FormatRole.COMPILED,
        suffixes="exe dll pyd sys scr ocx",
        words="a Windows program",
    ),
    Format(
        Kind.MACHO,
        FormatRole.COMPILED,
        suffixes="dylib",
        words="a Mach-O program",
    ),
    Format(
        Kind.WASM,
        FormatRole.COMPILED,
        suffixes="wasm",
        words="a WebAssembly module",
    ),
    Format(
        Kind.PYC,
        FormatRole.COMPILED,
        suffixes="pyc pyo",
        words="Python bytecode",
    ),
    Format(
        Kind.CLASS,
        FormatRole.COMPILED,
        suffixes="class",
        words="Java bytecode",
    ),
    Format(
        Kind.PICKLE,
        FormatRole.OPAQUE,
        suffixes="pkl pickle joblib",
        words="a pickle",
        accepts=(
            Kind.BINARY,
            Kind.GZIP,
            Kind.ZIP,
        ),
    ),
    Format(
        Kind.SQLITE,
        FormatRole.OPAQUE,
        suffixes="sqlite sqlite3",
        words="a database",
        accepts=(Kind.BINARY,),
    ),
    Format(
        Kind.EMPTY,
        FormatRole.OPAQUE,
    ),
    Format(
        Kind.BINARY,
        FormatRole.OPAQUE,
        words="binary data",
    ),
)
"""One row a kind."""


def by_word(field: str) -> dict[str, Kind]:
    """Each word of a field of all formats, and the kind whose word it is."""
    return {word: row.kind for row in FORMATS for word in getattr(row, field).split()}


def _of(role: FormatRole) -> frozenset[Kind]:
    return frozenset(row.kind for row in FORMATS if row.role is role)


PROSE, CODE, CONFIG = _of(FormatRole.PROSE), _of(FormatRole.CODE), _of(FormatRole.CONFIG)
TEXTUAL = PROSE | CODE | CONFIG
MEDIA, ARCHIVES, COMPILED = _of(FormatRole.MEDIA), _of(FormatRole.ARCHIVE), _of(FormatRole.COMPILED)
SETTINGS = frozenset(row.kind for row in FORMATS if row.views == _SETTINGS)
"""Documents of keys and values, whose values something may run."""
