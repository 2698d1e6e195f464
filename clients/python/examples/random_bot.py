"""Plays a whole game at random against a house bot and prints the result."""

import argparse
import random
import sys

try:
    import tavola
except ModuleNotFoundError:
    sys.exit("The Tavola client is not installed: run `pip install ./clients/python` in the checkout.")


def main() -> None:
    """Reads the command line and plays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="santorini", help="a game's id (default: santorini)")
    parser.add_argument("--bot", default="random", help="the house bot to play against (default: random)")
    parser.add_argument("--address", default="localhost:50051", help="(default: localhost:50051)")
    args = parser.parse_args()

    with tavola.connect(args.address) as client:
        host = client.create(args.game)
        me = host.join()
        for _ in client.session(me.session_id).seats[1:]:
            host.add_bot(args.bot)
        outcome = me.play(lambda update: random.choice(update.legal_actions).action_id)

    winners = [f"seat {seat}" + " (this bot)" * (seat == me.seat) for seat in outcome.winners]
    print(f"{args.game} against {args.bot}:", " and ".join(winners) or "nobody", "won.", end=" ")
    print("Returns by seat:", *outcome.returns)


if __name__ == "__main__":
    try:
        main()
    except tavola.TavolaError as error:
        sys.exit(f"No game: {error}")
