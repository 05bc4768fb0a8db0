"""Using environments: make one, run commands in it, and let go of it whatever happens.

providers = Providers.of(os.environ, protection)
with environment(config, providers) as session:
    completed = execute(session, command)
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.environments.configuration.attenuation import attenuate
from sluicegate.flow.environments.configuration.config import CONTAINER, ENGINES, EnvironmentConfig
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable
from sluicegate.flow.environments.providers.bubblewrap import BubblewrapProvider
from sluicegate.flow.environments.providers.local import LocalProvider
from sluicegate.flow.environments.providers.provider import EnvironmentSession, Provider, SnapshottingProvider
from sluicegate.flow.environments.run.command import Command, Completed

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

T = TypeVar("T")


class Providers(Struct, frozen=True, kw_only=True):
    """The providers that configuration trusts, by the names under which it asks for them."""

    by_name: Mapping[str, Provider] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        environ: Mapping[str, str],
        protection: Protection,
        *others: Provider,
        snapshots: Path | None = None,
    ) -> Providers:
        """Those of this package, and ``others``, which may not take the name of one of these. ``snapshots`` is the folder that keeps
        those of sandboxes."""
        from sluicegate.flow.environments.providers.container import ContainerProvider

        own: tuple[Provider, ...] = (
            LocalProvider(environ, protection),
            BubblewrapProvider(environ, protection, snapshots=snapshots),
            *(ContainerProvider(engine, environ, protection) for engine in (CONTAINER, *ENGINES)),
        )
        by_name = {provider.name: provider for provider in own}
        for provider in others:
            if by_name.setdefault(provider.name, provider) is not provider:
                raise EnvironmentConfigError(
                    f"there is a provider '{printable(provider.name, 60)}' already",
                    hint="give it another name",
                )
        return cls(by_name=by_name)

    def of_config(self, config: EnvironmentConfig) -> Provider:
        """The provider of ``config``. Raises ``EnvironmentConfigError``."""
        provider = self.by_name.get(config.provider)
        if provider is None:
            raise EnvironmentConfigError(
                f"there is no provider '{printable(config.provider, 60)}'",
                hint=f"the providers are {', '.join(sorted(self.by_name))}",
            )
        return provider


@contextlib.contextmanager
def environment(config: EnvironmentConfig, providers: Providers) -> Iterator[EnvironmentSession]:
    """An environment for the length of a block.

    An unnamed one is released at the end, however the block ends. A named one stays for others to find, unless
    it was made for this block and the block fails. Raises ``EnvironmentFailure`` if it cannot be made.
    """
    provider = providers.of_config(config)
    session = provider.create(config)
    try:
        yield session
    except BaseException:
        if session.created:
            provider.release(session)
        raise
    if not config.name:
        provider.release(session)


@contextlib.asynccontextmanager
async def environment_async(
    config: EnvironmentConfig, providers: Providers
) -> AsyncIterator[EnvironmentSession]:
    """``environment`` for asyncio: making and releasing do not block the loop; cancelling releases."""
    provider = providers.of_config(config)
    made: list[EnvironmentSession] = []
    try:
        await _to_the_end(lambda: made.append(provider.create(config)))
        yield made[0]
    except BaseException:
        if made and made[0].created:
            await _to_the_end(lambda: provider.release(made[0]))
        raise
    if not config.name:
        await _to_the_end(lambda: provider.release(made[0]))


@contextlib.contextmanager
def derived(session: EnvironmentSession, config: EnvironmentConfig) -> Iterator[EnvironmentSession]:
    """A narrower environment within ``session``. Raises ``Denied`` if it would be wider in any field."""
    child = attenuate(session.config, config)
    if isinstance(child, Denial):
        raise Denied(child)
    inner = session.provider.derive(session, child)
    try:
        yield inner
    finally:
        if inner.created and inner.id != session.id:
            session.provider.release(inner)


def execute(session: EnvironmentSession, command: Command) -> Completed:
    """Run ``command`` in the environment. Raises ``EnvironmentFailure``; nothing is left running then either."""
    return session.provider.execute(session, command)


async def execute_async(session: EnvironmentSession, command: Command) -> Completed:
    """``execute`` for asyncio. Cancelling ends the command and all that it started before it is raised."""
    reader, writer = os.pipe()
    try:
        return await _to_the_end(
            lambda: session.provider.execute(session, command, cancel=reader),
            cancel=lambda: os.write(writer, b"c"),
        )
    finally:
        os.close(reader)
        os.close(writer)


def snapshot(session: EnvironmentSession, name: str) -> str:
    """Keep the state of the environment; the reference is for the key ``from``. Raises ``EnvironmentFailure``."""
    provider = session.provider
    if not isinstance(provider, SnapshottingProvider):
        raise EnvironmentConfigError(
            f"the provider '{provider.name}' takes no snapshots", hint="use the provider 'container'"
        )
    return provider.snapshot(session, name)


async def _to_the_end(call: Callable[[], T], cancel: Callable[[], object] | None = None) -> T:
    """What ``call`` gives, run in a thread of its own, which lives until it is done.

    Cancelling this asks ``cancel`` once, waits for the end all the same, and is then raised.
    """
    import asyncio  # costs more than all the rest here, and most programs do without

    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(how: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits
            loop.call_soon_threadsafe(how)

    def work() -> None:
        try:
            result = call()
        except BaseException as error:  # noqa: BLE001 - carried over to the one who waits
            settle(functools.partial(future.set_exception, error))
        else:
            settle(functools.partial(future.set_result, result))

    threading.Thread(target=work, name="sluicegate-environment", daemon=True).start()
    asked: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait({future})
        except asyncio.CancelledError as error:
            if cancel is not None and asked is None:
                cancel()
            asked = error
    if asked is not None:
        future.exception()
        raise asked
    return future.result()
