"""Hosts: who serves well-known installers and code, whose address anybody may have, who collects for anybody who asks.

Texts are cut at ``LONGEST`` characters, so no question costs more than a constant.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

from sluicegate.patterns import lazy, seldom

LONGEST = 2048

INSTALLERS = frozenset(
    """astral.sh sh.rustup.rs rustup.rs get.docker.com bun.sh bun.com deno.land get.pnpm.io install.python-poetry.org
    nodesource.com deb.nodesource.com rpm.nodesource.com get.helm.sh get.sdkman.io get.rvm.io fnm.vercel.app
    ollama.com ollama.ai claude.ai starship.rs get.volta.sh dl.k8s.io k3s.io get.k3s.io fly.io cli.github.com
    brew.sh get.haskellup.org get-ghcup.haskell.org nixos.org install.determinate.systems mise.run mise.jdx.dev
    pixi.sh micro.mamba.pm repo.anaconda.com repo.continuum.io packages.microsoft.com aka.ms dot.net
    dotnet.microsoft.com bootstrap.pypa.io pypi.org files.pythonhosted.org registry.npmjs.org sdk.cloud.google.com
    dl.google.com cloud.google.com packages.cloud.google.com apt.releases.hashicorp.com cli.run.nu tailscale.com
    install.duckdb.org supabase.com railway.app railway.com sentry.io cursor.com foundry.paradigm.xyz getfoundry.sh
    release.solana.com release.anza.xyz sh.vector.dev setup.vector.dev setup.atuin.sh just.systems taskfile.dev opencode.ai
    codeium.com zed.dev cli.inference.sh inference.sh get.modular.com raw.ollama.ai download.docker.com golang.org
    go.dev get.opentofu.org install.goreleaser.com wasmtime.dev get.wasmer.io get.nexte.st docs.datadoghq.com
    install.datadoghq.com awscli.amazonaws.com cli.doppler.com get.pulumi.com code.claude.com hf.co huggingface.co
    lmstudio.ai llamafile.ai encore.dev dl.encore.dev cli.anthropic.com get.netdata.cloud get.chezmoi.io chezmoi.io
    temporal.download rclone.org dl.dagger.io cli.new webi.sh webinstall.dev get.k0s.sh get.k0sproject.io
    get.rke2.io get.arkade.dev cli.openfaas.com run.linkerd.io istio.io fluxcd.io get.jetify.com
    install.zerotier.com install.pi-hole.net openclaw.ai coder.com code-server.dev aider.chat ampcode.com
    cli.kiro.dev pyenv.run pdm-project.org install.julialang.org opam.ocaml.org dlang.org nim-lang.org
    elixir-lang.org install.perlbrew.pl getcomposer.org php.new laravel.build install.surrealdb.com sh.edgedb.com
    get.tur.so clickhouse.com install.meilisearch.com install.astronomer.io dl.min.io sh.starkup.dev get.trunk.io
    get.anchore.io install.lix.systems static.pantsbuild.org getmic.ro getcroc.schollz.com ohmyposh.dev
    install.meteor.com get.nextflow.io goteleport.com cdn.teleport.dev get.casaos.io cdn.coollabs.io dokploy.com
    get.acme.sh my-netdata.io get.okteto.com binaries.twingate.com pkgs.netbird.io
    gitlab-runner-downloads.s3.amazonaws.com meltano.com get.jenv.be asdf-vm.com git.io cli.moonrepo.dev
    moonrepo.dev""".split()
)
CODE_HOSTS = frozenset(
    "github.com raw.githubusercontent.com objects.githubusercontent.com gitlab.com bitbucket.org codeberg.org "
    "cdn.jsdelivr.net unpkg.com".split()
)
_TRUSTED_ORGS = frozenset(
    """nvm-sh homebrew ohmyzsh pyenv rbenv helm kubernetes docker astral-sh rust-lang nodejs microsoft google
    golang denoland oven-sh anthropics openai github huggingface facebook vercel aws hashicorp argoproj junegunn
    asdf-vm ollama zsh-users golangci aquasecurity anchore goreleaser k3d-io derailed hadolint wagoodman
    conda-forge mamba-org nextflow-io sdkman tj pnpm jdx rancher istio linkerd cloudflare supabase dfinity
    foundry-rs block crossplane fluxcd dapr cilium tektoncd kubernetes-sigs crossplane-contrib sst charmbracelet
    romkatv tmux-plugins neovim lunarvim continuedev google-gemini jesseduffield ajeetdsouza cargo-bins rustwasm
    wasmerio bytecodealliance alexellis fluent hasura terraform-linters gruntwork-io sigstore grafana prometheus
    elastic""".split()
)
TUNNELS = tuple(
    """bore.pub ngrok.io ngrok.app ngrok.dev ngrok-free.io ngrok-free.app ngrok-free.dev trycloudflare.com serveo.net
    localtunnel.me loca.lt localhost.run lhr.life pinggy.link pinggy.io devtunnels.ms tunnelmole.net zrok.io
    playit.gg""".split()
)
"""Hosts whose subdomains lead to somebody's own machine."""
COLLECTORS = tuple(
    """webhook.site webhook.cool typedwebhook.tools requestbin.com requestbin.net requestbin.io pipedream.net beeceptor.com hookbin.com
    requestcatcher.com mockbin.org oast.pro oast.live oast.site oast.online oast.fun oast.me oastify.com interact.sh
    interactsh.com burpcollaborator.net dnslog.cn ceye.io canarytokens.com setup-service.com""".split()
)
"""Hosts that show whatever is sent to them to whoever made the address."""
PASTES = tuple(
    """pastebin.com paste.ee hastebin.com ghostbin.com rentry.co rentry.org glot.io dpaste.com dpaste.org termbin.com ix.io
    sprunge.us 0x0.st transfer.sh file.io gofile.io anonfiles.com catbox.moe tmpfiles.org bashupload.com temp.sh oshi.at""".split()
)
"""Hosts that keep whatever is sent to them, and serve whatever anybody left there."""
PAGES = tuple(
    """sites.google.com docs.google.com drive.google.com github.io gitlab.io gist.github.com gist.githubusercontent.com notion.site
    notion.so telegra.ph graph.org hackmd.io codimd.org gitbook.io carrd.co webflow.io framer.site framer.website blogspot.com
    medium.com substack.com write.as justpaste.it controlc.com tumblr.com wordpress.com wixsite.com weebly.com godaddysites.com
    mystrikingly.com hashnode.dev bearblog.dev neocities.org tiiny.site surge.sh netlify.app vercel.app pages.dev web.app
    firebaseapp.com onrender.com glitch.me replit.app repl.co codepen.io jsfiddle.net stackblitz.io lovable.app dropbox.com
    onedrive.live.com 1drv.ms mega.nz mediafire.com scribd.com pad.riseup.net cryptpad.fr dontpad.com ghost.io linktr.ee""".split()
)
"""Hosts on which anybody may write a page or leave a file, under the name of the service."""
SHORTENERS = ("bit.ly", "tinyurl.com", "t.ly", "is.gd", "cutt.ly")
NUMBERLESS = ("duckdns.org", "no-ip.org", "ddns.net", "hopto.org")
"""Hosts whose subdomains anybody gets for the address of the day."""
FREE_DOMAINS = ("onion", "tk", "ml", "ga", "cf", "gq")
"""Top-level domains that cost nothing and name nobody."""
STRANGERS = frozenset((*COLLECTORS, *PASTES, *SHORTENERS, *NUMBERLESS, *TUNNELS, *FREE_DOMAINS))
"""Hosts and domains that nobody answers for, with all below them."""
_PAGES = frozenset(PAGES)
WEBHOOKS = (
    "discord.com/api/webhooks",
    "discordapp.com/api/webhooks",
    "api.telegram.org/bot",
    "hooks.slack.com/services",
)
"""Addresses that deliver to an inbox that anyone can open."""
METADATA = frozenset({"169.254.169.254", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254"})
"""Where a machine in a cloud asks who it is."""

_URL = seldom(
    ("://",),
    r"(?i)\b(https?|ftps?|wss?)://(?:[^/\s@'\"]{0,128}@)?(\[[0-9a-f:.]{2,45}\]|[^/\s:'\"?#)>|;`]{1,253})",
)
_IP = lazy(r"^\[?(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{8}|\d{8,10}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})\]?$")
_GIT_SCHEME = lazy(r"^(?:git\+)?(?:ssh|git|sftp|rsync)://")
_NAMED = lazy(r"[a-z0-9.-]{3,253}")
_LOCAL = lazy(
    r"^\[?(?:(?:localhost(?:\.localdomain)?|0\.0\.0\.0|host\.docker\.internal)(?![\w.-])|::1\]?$)"
    r"|^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.(?!(?:.*\.)?[a-z][a-z0-9-]+$)"
    r"|\.(?:local|localhost|internal|lan)$"
)
"""A name that only begins like this machine or its network (``localhost.acme.io``, ``10.acme.io``) is anybody's."""

_DOCUMENTATION = lazy(r"(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid)$")
_REGISTRIES = lazy(
    r"(?:^|\.)(?:pypi\.org|pytorch\.org|nvidia\.com|npmjs\.org|npmjs\.com|yarnpkg\.com|github\.com|dev\.azure\.com|visualstudio\.com"
    r"|googleapis\.com|pyg\.org|vllm\.ai|npmmirror\.com|tsinghua\.edu\.cn|aliyun\.com|ustc\.edu\.cn|huggingface\.co|amazonaws\.com"
    r"|pkg\.dev|jfrog\.io|anaconda\.org|gitlab\.com|jsr\.io|tencent\.com|huaweicloud\.com|fedoraproject\.org|rpmfusion\.org|centos\.org|redhat\.com|opensuse\.org|alpinelinux\.org|archlinux\.org|launchpad\.net|k8s\.io|packagecloud\.io|postgresql\.org|llvm\.org|golang\.org|goproxy\.(?:io|cn)|rubygems\.org|crates\.io|hex\.pm|sglang\.ai|dgl\.ai|openmmlab\.com"
    r"|flashinfer\.ai|readthedocs\.org|intel\.com|amd\.com|taobao\.org|douban\.com|fury\.io|cloudsmith\.io|databricks\.com)$"
)
"""Hosts from which packages are taken everywhere."""


class Host(IntEnum):
    """How much a host says of what is fetched from it or sent to it. Larger is worse."""

    LOCAL = 0
    INSTALLER = 1
    CODE = 2
    UNKNOWN = 3
    SUSPECT = 4


def host_of(target: str) -> str:
    """The host that a URL, a ``user@host:path`` or a ``host:port`` names, in lower case; empty where it is not told."""
    found = urls(target)
    if found:
        return found[0][1]
    target = _GIT_SCHEME.sub("", target[:LONGEST])
    if "://" in target:
        return ""
    name = target[:LONGEST].rpartition("@")[2].partition(":")[0].partition("/")[0].lower()
    return name if "." in name and _NAMED.fullmatch(name) else ""


def urls(text: str) -> list[tuple[str, str]]:
    """(scheme, host) of each URL in the first ``LONGEST`` characters, in lower case."""
    return [(m[1].lower(), m[2].lower().rstrip(".,")) for m in _URL.finditer(text[:LONGEST])]


@lru_cache(maxsize=2048)
def classify(text: str) -> Host:
    """The worst class among the URLs of ``text``; UNKNOWN when there is none."""
    found = [_class(scheme, host, text) for scheme, host in urls(text)]
    return max(found, default=Host.UNKNOWN)


def registry(host: str) -> bool:
    """Whether a host serves packages of a well-known registry, or mirrors one."""
    return _REGISTRIES.search(host) is not None


def reserved(host: str) -> bool:
    """Whether a host is one that documents use for an example: nobody has it, so it says nothing of who is meant."""
    return _DOCUMENTATION.search(host) is not None


def is_local(host: str) -> bool:
    """Whether a host is this machine or one of its network, by its name."""
    return bool(host) and _LOCAL.search(host) is not None


def stranger(host: str) -> bool:
    """Whether nobody answers for a host, by its name."""
    labels = host.split(".")
    return any(".".join(labels[at:]) in STRANGERS for at in range(len(labels)))


def page_of_anybody(host: str) -> bool:
    """Whether anybody may write a page at a host or below it: free hosting, notes, pastes, files that are shared."""
    labels = host.split(".")
    ends = {".".join(labels[at:]) for at in range(len(labels))}
    return not ends.isdisjoint(_PAGES) or not ends.isdisjoint(PASTES)


def webhook(text: str) -> bool:
    """Whether a URL delivers to an inbox that anyone can open: a chat bot or webhook."""
    text = text[:LONGEST].lower()
    return any(address in text for address in WEBHOOKS)


def _class(scheme: str, host: str, text: str) -> Host:
    if _LOCAL.search(host):
        return Host.LOCAL
    if _IP.match(host) or stranger(host):
        return Host.SUSPECT
    bare = host.removeprefix("www.")
    if scheme in ("http", "ftp", "ws"):
        return Host.UNKNOWN if bare in INSTALLERS else Host.SUSPECT
    if bare in INSTALLERS:
        return Host.INSTALLER
    if bare in CODE_HOSTS:
        return Host.INSTALLER if _organisation(host, text) in _TRUSTED_ORGS else Host.CODE
    return Host.UNKNOWN


def _organisation(host: str, text: str) -> str:
    at = text.lower().find(host)
    path = text[at + len(host) :][:200].lstrip("/").split("/")
    return path[0].lower() if path else ""
