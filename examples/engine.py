#!/usr/bin/env python3
"""An engine for Connect6 that speaks UGI. It needs only Python 3.8.

    quintet engine --check "python3 examples/engine.py" --protocol ugi connect6
    quintet play connect6 --second "ugi:python3 examples/engine.py"
    quintet arena connect6 --a "ugi:python3 examples/engine.py" --b level:1 --games 10

It puts its stone next to the others: replace choose() by something better. docs/protocols.md
explains the protocol.
"""
import re
import sys


class Board:
    """A position. Cells are numbered row by row; "." is empty."""

    def __init__(self, fen):
        rows, self.side, left = fen.split()
        self.left = int(left)  # stones that the side to move still places in this turn
        self.size = rows.count("/") + 1
        self.cells = list(re.sub(r"\d+", lambda n: "." * int(n[0]), rows).replace("/", ""))

    def name(self, cell):
        return chr(ord("A") + cell % self.size) + str(cell // self.size)

    def place(self, move):
        self.cells[ord(move[0].upper()) - ord("A") + self.size * int(move[1:])] = self.side
        self.left -= 1
        if self.left == 0:
            self.side, self.left = "W" if self.side == "B" else "B", 2

    def winner(self):
        """Returns the side with six in a row, or None."""
        for cell, side in enumerate(self.cells):
            row, column = divmod(cell, self.size)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end = row + 5 * down, column + 5 * right
                if side != "." and max(end) < self.size and min(end) >= 0:
                    step = down * self.size + right
                    if all(self.cells[cell + i * step] == side for i in range(6)):
                        return side
        return None

    def result(self):
        winner = self.winner()
        if winner:
            return "p1win" if winner == "B" else "p2win"
        return "none" if "." in self.cells else "draw"


def choose(board):
    """Returns the cell for the next stone: the empty one that is nearest to another stone."""
    size = board.size
    stones = [i for i, cell in enumerate(board.cells) if cell != "."] or [size * size // 2]

    def distance(cell):
        return min(max(abs(cell % size - s % size), abs(cell // size - s // size)) for s in stones)

    return min((i for i, cell in enumerate(board.cells) if cell == "."), key=distance)


def main():
    start = "/".join(["19"] * 19) + " B 1"
    board, searching = Board(start), False
    for line in sys.stdin:
        head, _, moves = line.partition(" moves ")
        command, _, rest = head.strip().partition(" ")
        if command == "ugi":
            print("id name Neighbor\nid author Quintet\nugiok")
        elif command == "isready":
            print("readyok")
        elif command == "position" and rest:
            board = Board(rest[len("fen "):] if rest.startswith("fen ") else start)
            for move in moves.split():
                board.place(move)
        elif command == "query":
            answers = {"p1turn": board.side == "B", "gameover": board.result() != "none", "result": board.result()}
            print("response", str(answers.get(rest)).lower())
        elif command == "go":
            searching = rest in ("", "infinite")  # until stop
            if not searching:
                print("bestmove", board.name(choose(board)))
        elif command == "stop" and searching:
            searching = False
            print("bestmove", board.name(choose(board)))
        elif command == "quit":
            return
        sys.stdout.flush()


main()
