#!/usr/bin/env python3
"""A program for the league of a class. It speaks the part of UGI that the league needs.

    quintet arena othello --a "ugi[guided]:python3 examples/league/league.py" --b level:1 --nodes 1000 --games 10

It plays a random move: replace choose() by something better. A program that looks neither at the
clock nor at other chance than its own seed plays every game again in the same way.
"""
import random
import sys

chance = random.Random(1)


def choose(position, moves, nodes):
    """Returns one of the legal moves. position is the text of the board and the side to move,
    row by row, as docs/rules.md describes it; nodes is how many positions you may search."""
    return chance.choice(moves)


def main():
    position = ""
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "ugi":
            print("id name Random")
            print("ugiok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":  # position fen TEXT
            position = line.split(" fen ", 1)[1].strip()
        elif words[0] == "go":  # go nodes 1000 searchmoves e3 d3
            moves = words[words.index("searchmoves") + 1:]
            print("bestmove", choose(position, moves, int(words[2])))
        elif words[0] == "quit":
            return
        sys.stdout.flush()


main()
