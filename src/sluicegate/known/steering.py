"""Variables of the environment that steer other programs: where packages come from, where traffic goes, what runs."""

from __future__ import annotations

from enum import StrEnum

from sluicegate.patterns import lazy


class Steers(StrEnum):
    """What a variable decides for every program that is started after it."""

    PACKAGES = "packages"
    """The address that packages and what belongs to a language are taken from."""
    TRAFFIC = "traffic"
    """The machine through which, or to which, requests go."""
    MODEL = "model"
    """The address at which a model is asked."""
    COMMAND = "command"
    """A command line that another program runs when it comes to it."""


_STEERING = lazy(
    r"(?P<packages>npm_config_(?:@[\w-]{1,40}:)?registry|NPM_CONFIG_REGISTRY|YARN_(?:NPM_)?REGISTRY(?:_SERVER)?|BUN_CONFIG_REGISTRY|PIP_(?:EXTRA_)?INDEX_URL"
    r"|PIP_FIND_LINKS|UV_(?:EXTRA_)?INDEX(?:_URL)?|UV_DEFAULT_INDEX|UV_FIND_LINKS|PDM_PYPI_URL|POETRY_REPOSITORIES_\w{1,60}_URL|GOPROXY"
    r"|CARGO_REGISTRIES_\w{1,60}_INDEX|CARGO_SOURCE_\w{1,60}_REGISTRY|RUSTUP_DIST_SERVER|RUSTUP_UPDATE_ROOT|BUNDLE_MIRROR__[^=]{1,80}|CONDA_CHANNELS"
    r"|CONDA_CHANNEL_ALIAS|HOMEBREW_(?:BOTTLE|API)_DOMAIN|(?:NVM_)?NODEJS_ORG_MIRROR|PLAYWRIGHT_DOWNLOAD_HOST|PUPPETEER_DOWNLOAD_(?:HOST|BASE_URL)|ELECTRON_MIRROR)"
    r"|(?P<traffic>(?i:https?_proxy|all_proxy|npm_config_(?:https_)?proxy)|AWS_ENDPOINT_URL(?:_\w{1,40})?|GH_HOST|DOCKER_HOST|KUBERNETES_MASTER|SENTRY_URL|VAULT_ADDR)"
    r"|(?P<model>(?:ANTHROPIC|OPENAI|CLAUDE|GEMINI|GOOGLE_GEMINI|CODEX|LITELLM)_(?:API_)?(?:BASE_URL|BASE|HOST|ENDPOINT))"
    r"|(?P<command>PROMPT_COMMAND|GIT_(?:SSH_COMMAND|SSH|ASKPASS|EXTERNAL_DIFF|PAGER|EDITOR|PROXY_COMMAND)|SSH_ASKPASS|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|NODE_OPTIONS)"
)


def steers(name: str) -> Steers | None:
    """What a variable of this name decides for other programs."""
    found = _STEERING.fullmatch(name) if len(name) < 160 else None
    return Steers(found.lastgroup) if found is not None and found.lastgroup is not None else None
