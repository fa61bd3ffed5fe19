#!/usr/bin/env python3
"""The console program of Connect6, with a mistake: it looks along one of the two diagonals."""
import re
import sys

N = 19
STONES = 6  # in a row
cells = {(row, col): "." for row in range(N) for col in range(N)}
line = ""  # what is left of the last line read


def token(pattern):
    """Reads past white space, then takes what the pattern matches. It returns None if nothing does."""
    global line
    while not line.strip():
        line = sys.stdin.readline()
        if not line:
            sys.exit("the input has ended")
    line = line.lstrip()
    match = re.match(pattern, line, re.ASCII)
    if match:
        line = line[match.end():]
    return match and match[0]


def cell():
    """Reads a cell such as F4. It returns None for one that is no empty cell of the board."""
    global line
    col = ord(token(".")) - ord("A")
    row = token(r"[+-]?\d+")
    if row is None:
        line = ""
    at = (int(row), col) if row else None
    return at if cells.get(at) == "." else None


def show():
    print("  " + "".join(f" {chr(ord('A') + col)}" for col in range(N)))
    for row in range(N):
        print(f"{row:2}" + "".join(f" {cells[row, col]}" for col in range(N)))


def wins(row, col):
    def stones(down, right):
        n = 1
        while cells.get((row + n * down, col + n * right)) == cells[row, col]:
            n += 1
        return n - 1

    return any(1 + stones(a, b) + stones(-a, -b) >= STONES for a, b in ((0, 1), (1, 0), (1, 1)))


def main():
    side, left = "B", 1
    show()
    while True:
        print(f"{side}'s turn: ", end="", flush=True)
        at = cell()
        if at is None:
            print("Invalid move. Enter again!")
            continue
        cells[at] = side
        show()
        if wins(*at):
            return print("Black wins!" if side == "B" else "White wins!")
        if "." not in cells.values():
            return print("Draw game!")
        left -= 1
        if left == 0:
            side, left = "W" if side == "B" else "B", 2


main()
