"""Clusters as executors: what ``Scanner.scan_many(sources, executor=...)`` takes, for dask and for ray.

    from dask.distributed import Client
    from sluicegate.executors import dask_executor

    with sluicegate.Scanner() as scanner, Client("tcp://scheduler:8786") as client:
        for result in scanner.scan_many(sources, executor=dask_executor(client)):
            ...

What goes to a worker names skills and does not hold them, so every worker needs the same files under the same paths (a
shared file system), the same release of sluicegate, and your own rules, if you use any. A worker of another release, or
with other rules, is an error; a file that it does not find is a gap, so that nothing is SAFE because nobody saw it.

A worker that dies costs the skills that it held one more try each, alone, and then a gap. Dask tries a task that ended
its worker again by itself, ``distributed.scheduler.allowed-failures`` times (3 unless you say otherwise), before that.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from sluicegate.vet.errors import ConfigError

if TYPE_CHECKING:
    from distributed import Client

_P = ParamSpec("_P")
_T = TypeVar("_T")


def dask_executor(client: Client) -> Executor:
    """The workers of a dask cluster. Needs ``sluicegate[dask]``; the client stays yours to close."""
    try:
        from distributed import Client as _Client
    except ImportError as error:
        raise _missing("dask") from error
    if not isinstance(client, _Client) or client.asynchronous:
        raise ConfigError("dask_executor takes a synchronous dask.distributed.Client")
    executor: Executor = client.get_executor(pure=False, retries=0)
    return executor


def ray_executor(*, num_cpus: float = 1) -> Executor:
    """The workers of the ray cluster that ``ray.init`` connected to. Needs ``sluicegate[ray]``.

    ``num_cpus`` is what ray sets aside for each task.
    """
    try:
        import ray
    except ImportError as error:
        raise _missing("ray") from error
    if not ray.is_initialized():
        raise ConfigError("ray is not connected", hint="Call ray.init() first.")
    return _Ray(num_cpus)


class _Ray(Executor):
    """The interface of ``concurrent.futures`` over tasks of ray, each tried once."""

    def __init__(self, num_cpus: float) -> None:
        import ray

        self._remote: Any = ray.remote(num_cpus=num_cpus, max_retries=0)(_call)
        self._closed = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand over a call."""
        if self._closed:
            raise RuntimeError("this executor is shut down")
        reference: Any = self._remote.remote(fn, args, kwargs)
        future: Future[_T] = reference.future()
        future.add_done_callback(lambda done: _cancel(reference) if done.cancelled() else None)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls. The cluster goes on, for it is not ours."""
        self._closed = True


def _call(fn: Callable[..., _T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> _T:
    return fn(*args, **kwargs)


def _cancel(reference: Any) -> None:
    import ray

    ray.cancel(reference)


def _missing(extra: str) -> ConfigError:
    return ConfigError(f"{extra} is not installed", hint=f"Install it: pip install 'sluicegate[{extra}]'.")
