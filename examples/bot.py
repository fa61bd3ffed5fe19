#!/usr/bin/env python3
"""A bot for Quintet that plays all games. It needs only Python 3.8.

    python3 examples/bot.py                                  # Othello against level 3
    python3 examples/bot.py --game chess --against level:1
    python3 examples/bot.py --join http://127.0.0.1:8080/g/ID --seat second

It captures if it can and otherwise plays a random move: replace choose() by something better.
"""
import argparse
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request


def call(url, body=None, token=None):
    """Sends a request. An error response raises an HTTPError; its body has the reason."""
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode())
    if token:
        request.add_header("Authorization", "Bearer " + token)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise
            time.sleep(json.load(error).get("retry_after", 1))  # the server says how long


class Game:
    """One seat of one game."""

    def __init__(self, server, ident, key, side, token):
        self.url, self.side, self.token = f"{server}/api/games/{ident}", side, token
        self.query = "?key=" + urllib.parse.quote(key)

    def ask(self, path="", body=None):
        return call(self.url + path + self.query, body, self.token)

    def wait(self, view):
        """Waits until something happens after what the view shows."""
        request = urllib.request.Request(f"{self.url}/events{self.query}&after={view['events'] - 1}")
        request.add_header("Authorization", "Bearer " + self.token)
        with urllib.request.urlopen(request, timeout=60) as lines:
            for event in map(json.loads, lines):
                if event["kind"] != "beat":
                    return


def choose(view, side):
    """Returns a capture if there is one, else a random move."""
    cells, other = view["board"]["cells"], "2" if side == "first" else "1"
    captures = [m for m in view["legal"] if "to" in m and cells[m["to"]].startswith(other)]
    return random.choice(captures or view["legal"])["move"]


def play(game):
    """Plays to the end, and returns how the game looks then."""
    while True:
        try:
            view = game.ask()
            if view["state"] == "over":
                return view
            if view["state"] == "live" and view["turn"] == game.side:
                game.ask("/moves", {"move": choose(view, game.side), "ply": view["ply"]})
            else:
                game.wait(view)
        except urllib.error.HTTPError as error:
            if error.code != 409:  # something else has happened first: look again
                raise SystemExit(f"{error.code}: {json.load(error)['error']}")
        except OSError:  # the connection is gone, and the game is not
            time.sleep(1)


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--server", default="http://127.0.0.1:8080")
    args.add_argument("--game", default="othello", help="neighbors, othello, loa, connect6 or chess")
    args.add_argument("--against", default="level:3", help="a player, or open for anybody")
    args.add_argument("--join", help="the address of a game to join instead")
    args.add_argument("--token", help="a token of an account, under whose name it then plays")
    args.add_argument("--seat", default="first", choices=["first", "second"])
    args = args.parse_args()
    if not args.join:
        other = "second" if args.seat == "first" else "first"
        args.join = call(args.server + "/api/games", {"game": args.game, "seats": {args.seat: "open", other: args.against}})["url"]
        print(args.join, flush=True)
    url = urllib.parse.urlsplit(args.join)
    key = urllib.parse.parse_qs(url.query).get("key", [""])[0]
    game = Game(f"{url.scheme}://{url.netloc}", url.path.split("/")[-1], key, args.seat, args.token)
    game.token = game.ask(f"/seats/{args.seat}", {"name": "bot.py"})["token"]  # as good as that of the account
    view = play(game)
    print(f"{view['title']}, {view['ply']} moves: {view['result']} ({view['reason']})")


main()
