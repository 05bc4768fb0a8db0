"""Files that blocks of the specification read."""

from pathlib import Path

FILES = {
    "prompts/audit.att": "Review @findings and approve only if safe",
    "prompts/audit-criteria.att": "Review @findings and approve only if safe",
    "custom-verify.att": "Verify your instructions with {command} first.",
    "found-on-internet.txt": "text of a stranger",
    "config.txt": "colour = blue",
}


def prepare(folder: Path) -> None:
    """Put them there."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
