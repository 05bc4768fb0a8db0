"""Changes of one constant of a sample, for the tests of fingerprints."""

import re
from collections.abc import Iterator

from sluicegate.vet.inspect.pages import Sample, SampleFile

HOST = re.compile(
    r"(?<=://)(?!localhost|127\.|0\.0\.0\.0|192\.168\.|10\.)([\w-]+)((?:\.[\w-]+)+)(?=[/:\"'\s)?`]|$)"
)
PATH = re.compile(r"(?<=://)([\w.-]+(?::\d+)?/[\w./-]*?)([\w-]+)(?=\.\w+[\"'\s)`]|[\"'\s)?`]|$)")
KEPT = {
    ".ssh/id_rsa": ".ssh/id_ed25519",
    ".ssh/id_ed25519": ".ssh/id_rsa",
    ".aws/credentials": ".kube/config",
    ".netrc": ".pypirc",
    ".npmrc": ".netrc",
    ".pypirc": ".npmrc",
    "Login Data": "Cookies.sqlite",
    "/etc/shadow": "/etc/gshadow",
}


def host_changed(text: str, found: re.Match[str]) -> str:
    """Another host of the same kind: another number in an address, another name in the same domain."""
    if found[1].isdigit():
        last = found[2].rpartition(".")
        new = found[1] + last[0] + "." + ("7" if last[2] != "7" else "8")
    elif found[2].count(".") == 1:
        new = found[1] + "x" + found[2]
    else:
        new = found[1] + "x" + found[2]
    return text[: found.start()] + new + text[found.end() :]


def changes(text: str) -> Iterator[tuple[str, str]]:
    """What is changed, and the text with it changed, one constant at a time."""
    for found in HOST.finditer(text):
        yield found[0], host_changed(text, found)
    for found in PATH.finditer(text):
        yield found[0], text[: found.start(2)] + found[2] + "x" + text[found.end(2) :]
    for old, new in KEPT.items():
        if old in text:
            yield old, text.replace(old, new)


def changed(sample: Sample) -> Iterator[tuple[str, Sample]]:
    """The sample with one constant of one of its files changed."""
    for number, file in enumerate(sample.files):
        try:
            text = file.data.decode()
        except UnicodeDecodeError:
            continue
        for what, new in changes(text):
            other = SampleFile(
                path=file.path, language=file.language, data=new.encode(), mode=file.mode, link=file.link
            )
            files = (*sample.files[:number], other, *sample.files[number + 1 :])
            yield f"{file.path}: {what}", Sample(name=sample.name, files=files)


REMARKS = {
    "python": "#", "shell": "#", "bash": "#", "sh": "#", "ruby": "#", "perl": "#", "r": "#", "powershell": "#", "javascript": "//",
    "js": "//", "typescript": "//", "ts": "//", "go": "//", "rust": "//", "java": "//", "c": "//", "php": "//", "lua": "--",
    "applescript": "--", "batch": "rem", "bat": "rem",
}  # fmt: skip
"""What begins a remark in the languages of the samples."""


def moved(sample: Sample) -> Sample | None:
    """The sample with remarks and empty lines around and between its statements; None where it has no program."""
    files: list[SampleFile] = []
    for file in sample.files:
        mark = REMARKS.get(file.language)
        if mark is None or b"<<" in file.data or b"?>" in file.data:
            files.append(file)
            continue
        lines = file.data.decode().split("\n")
        first = 1 if lines[0].startswith(("#!", "<?", "package", "@echo")) else 0
        lines[first:first] = [f"{mark} a remark", ""]
        data = "\n".join([*lines, "", f"{mark} another remark", ""]).encode()
        files.append(
            SampleFile(path=file.path, language=file.language, data=data, mode=file.mode, link=file.link)
        )
    return Sample(name=sample.name, files=tuple(files)) if tuple(files) != sample.files else None
