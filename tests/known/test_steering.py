"""Which variables steer other programs, and what they decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.known.steering import Steers, steers


@pytest.mark.parametrize(
    ("name", "decides"),
    [
        ("npm_config_registry", Steers.PACKAGES),
        ("npm_config_@team:registry", Steers.PACKAGES),
        ("GOPROXY", Steers.PACKAGES),
        ("UV_EXTRA_INDEX_URL", Steers.PACKAGES),
        ("CARGO_REGISTRIES_MINE_INDEX", Steers.PACKAGES),
        ("https_proxy", Steers.TRAFFIC),
        ("AWS_ENDPOINT_URL_S3", Steers.TRAFFIC),
        ("OPENAI_API_BASE", Steers.MODEL),
        ("PROMPT_COMMAND", Steers.COMMAND),
        ("GIT_SSH_COMMAND", Steers.COMMAND),
    ],
)
def test_a_variable_decides_one_thing(name: str, decides: Steers) -> None:
    assert steers(name) is decides


@pytest.mark.parametrize(
    "name", ["PATH", "INDEX_URL", "MY_GOPROXY", "GOPROXY2", "API_BASE_URL", "PROXY", "NODE_ENV", ""]
)
def test_other_variables_decide_nothing(name: str) -> None:
    assert steers(name) is None


@given(st.sampled_from(("GOPROXY", "PIP_INDEX_URL", "ALL_PROXY")), st.text("ABC_", min_size=1, max_size=8))
def test_a_longer_name_is_another_variable(name: str, more: str) -> None:
    assert steers(more + name) is None
