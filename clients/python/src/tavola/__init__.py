"""Play board games on a Tavola server.

    import tavola

    with tavola.connect("localhost:50051") as client:
        seat = client.join(session_id)
        outcome = seat.play(lambda update: update.legal_actions[0].action_id)

`tavola.aio` is the same for asyncio. Both are thin: they add tokens, deadlines and
typed errors to the calls of `proto/`, and `play` and `watch` come back after a
broken connection. The messages are in `tavola.v1` and, per game, in
`tavola.<game>.v1`; their documentation is that of the protos. What has no method
here goes through `Client.call` and the stubs `Client.catalog` and
`Client.sessions`.
"""

from tavola import aio, v1
from tavola.client import Client, Host, Policy, Seat, connect
from tavola.errors import TavolaError, Violation
from tavola.fair import VerificationError, verify

__all__ = [
    "Client",
    "Host",
    "Policy",
    "Seat",
    "TavolaError",
    "VerificationError",
    "Violation",
    "aio",
    "connect",
    "v1",
    "verify",
]
