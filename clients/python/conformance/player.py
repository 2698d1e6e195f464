"""Takes a seat of a session, plays it at random and prints the result: `player.py ADDRESS SESSION_ID`.

The conformance kit seats it beside those of other languages.
"""

import json
import random
import sys

import tavola

with tavola.connect(sys.argv[1]) as client:
    seat = client.join(sys.argv[2])
    outcome = seat.play(lambda update: random.choice(update.legal_actions).action_id)
print(json.dumps({"seat": seat.seat, "winners": list(outcome.winners), "returns": list(outcome.returns)}))
