"""The servers that the tests play on, and the two ways to call them."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

import fake
import pytest
import real

import tavola
from tavola import v1

Policy = Callable[[v1.Update], int | v1.Action]


class Sync:
    """Calls the blocking client."""

    def client(self, address: str, method: str, *args: object, **kwargs: object) -> Any:
        """What a method of a client returns; of a stream, everything."""
        with tavola.connect(address, patience=5) as client:
            result = getattr(client, method)(*args, **kwargs)
            return list(result) if inspect.isgenerator(result) else result

    def seat(self, address: str, method: str, *args: object, patience: float = 5) -> Any:
        """What a method of a seat returns; of a stream, everything."""
        with tavola.connect(address, patience=patience) as client:
            result = getattr(client.join(fake.SESSION), method)(*args)
            return list(result) if inspect.isgenerator(result) else result


class Asyncio:
    """Calls the asyncio client in the same way."""

    def client(self, address: str, method: str, *args: object, **kwargs: object) -> Any:
        """What a method of a client returns; of a stream, everything."""

        async def run() -> object:
            async with tavola.aio.connect(address, patience=5) as client:
                return await self._all(getattr(client, method)(*args, **kwargs))

        return asyncio.run(run())

    def seat(self, address: str, method: str, *args: object, patience: float = 5) -> Any:
        """What a method of a seat returns; of a stream, everything."""

        async def run() -> object:
            async with tavola.aio.connect(address, patience=patience) as client:
                return await self._all(getattr(await client.join(fake.SESSION), method)(*args))

        return asyncio.run(run())

    async def _all(self, result: Any) -> object:
        return [each async for each in result] if inspect.isasyncgen(result) else await result


@pytest.fixture(params=[Sync(), Asyncio()], ids=["sync", "aio"])
def caller(request: pytest.FixtureRequest) -> Sync | Asyncio:
    """Each of the two ways to call."""
    way: Sync | Asyncio = request.param
    return way


@pytest.fixture
def server() -> Iterator[fake.Server]:
    """A fake server of its own for each test."""
    server = fake.Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a real server, for the end-to-end tests."""
    if not real.configured():
        _missing(f"needs {real.ADDRESS}, the address of a server, or {real.BINARY}, the path of its binary")
    with real.server() as address:
        yield address


@pytest.fixture(scope="session")
def binary() -> str:
    """The path of a server's binary, for tests that need a server of their own."""
    if not os.environ.get(real.BINARY):
        _missing(f"needs {real.BINARY}, the path of a server's binary")
    return os.environ[real.BINARY]


def _missing(reason: str) -> None:
    pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
