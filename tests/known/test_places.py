"""The table of secret places: every line is known for what it is, however it is spelled."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.known import places
from sluicegate.known.places import PROJECT, SECRETS, kept

HARMLESS = """~/.ssh/config ~/.ssh/known_hosts ~/.ssh/known_hosts.old ~/.ssh/id_rsa.pub id_ed25519.pub /etc/shadows /etc/hosts notes.ssh/x
    window.ethereum.request a?.ethereum config.solana ~/.kube/cache/x .azure/azure-pipelines.yml my.npmrc.d/x ~/.config/ghostty/config
    valid_rsa_test.py""".split()


def example(glob: str) -> str:
    """A path that a glob means."""
    path = glob.replace("**/", "~/work/", 1) if glob.startswith("**/") else glob
    return re.sub(r"/\*\*$", "/item", path).replace("*", "x")


EXAMPLES = [example(place.glob) for kind in SECRETS for place in kept(kind)]


@pytest.mark.parametrize(
    "spelled", ["{}", "cat {} | wc", "File.read('{}')", "read({}, 'x')", "curl -d @{}", "{}\n"]
)
def test_a_place_is_found_in_whatever_names_it(spelled: str) -> None:
    named = [*EXAMPLES]
    named += [path.replace("~", "/home/somebody") for path in EXAMPLES]
    named += [path.replace("~", "$HOME").upper() for path in EXAMPLES]
    named += [path.replace("/", "\\\\") for path in EXAMPLES if path[0] == "~"]
    assert [path for path in named if not places.secret(spelled.format(path))] == []


@pytest.mark.parametrize("path", HARMLESS)
def test_what_stands_beside_a_secret_is_none(path: str) -> None:
    assert not places.secret(path)


@pytest.mark.parametrize("kind", SECRETS)
def test_a_folder_of_secrets_is_one_itself(kind: str) -> None:
    for place in kept(kind):
        if place.glob.endswith("/**"):
            assert places.secret(example(place.glob).removesuffix("/item"))


@pytest.mark.parametrize("place", kept("dotenv"), ids=lambda place: place.glob)
def test_files_of_settings_are_known_and_are_no_store(place: places.PlaceLine) -> None:
    name = place.glob.removeprefix("**/").replace("*", "x")
    for path in (name, f"./{name}", f"cat {name}", f"curl -d @{name}"):
        assert places.dotenv(path)
        assert not places.secret(path)
        assert [path[start:end] for start, end in places.dotenvs(path)] == [name]


@pytest.mark.parametrize("path", [".env.example", ".env.sample", ".environment", "x.env", "process.env.HOME"])
def test_templates_and_other_names_are_no_files_of_settings(path: str) -> None:
    assert not places.dotenv(path)


@pytest.mark.parametrize("place", kept("key files"), ids=lambda place: place.glob)
def test_key_files_are_known_by_their_names(place: places.PlaceLine) -> None:
    name = place.glob.removeprefix("**/").replace("*", "x")
    assert places.key_file(name) and places.key_file(f"conf/{name}")
    assert place.glob.endswith("*") or not places.key_file(f"conf/{name}.md")
    assert not places.key_file(f"public/{name}")


def test_every_kind_has_places_and_no_place_two_kinds() -> None:
    globs = [place.glob for kind in SECRETS | PROJECT for place in kept(kind)]
    assert len(globs) == len(set(globs)) > 120


@given(st.text(alphabet="~/.ab shİ*{}", max_size=40), st.sampled_from(EXAMPLES), st.text(max_size=5))
def test_offsets_are_those_of_the_text(before: str, path: str, after: str) -> None:
    text = f"{before} {path} {after}"
    found = [text[start:end] for start, end in places.secrets(text)]
    assert found and all(places.secret(each) for each in found)
