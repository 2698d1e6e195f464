"""How to reach a server: what the sync and the asyncio client share."""

from __future__ import annotations

import grpc

OPTIONS: list[tuple[str, int]] = [
    # A stream on a dead connection ends within 40 s rather than never.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # After a restart of the server a client is back in seconds rather than in up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # Clients of one process do not share a connection, nor the streams that a server allows on one.
    ("grpc.use_local_subchannel_pool", 1),
]


def resolve(
    address: str, credentials: grpc.ChannelCredentials | None
) -> tuple[str, grpc.ChannelCredentials | None]:
    """The target of an address, which may also be a URL, and the credentials to use there."""
    if address.startswith("https://") and credentials is None:
        credentials = grpc.ssl_channel_credentials()
    return address.removeprefix("http://").removeprefix("https://").rstrip("/"), credentials


def credentials_of(token: str | None, api_key: str | None) -> tuple[tuple[str, str], ...]:
    """The metadata that carries a token and the key of a server that wants one."""
    metadata = []
    if token:
        metadata.append(("authorization", f"Bearer {token}"))
    if api_key:
        metadata.append(("x-api-key", api_key))
    return tuple(metadata)
