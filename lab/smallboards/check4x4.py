#!/usr/bin/env python3
"""Checks the values of Othello on 4x4 for all maps of pits, by the rules alone.

    python3 lab/smallboards/check4x4.py lab/smallboards/testdata/4x4.txt [EVERY]

It visits every position that can occur on a board, prunes nothing and shares no code with Quintet. It
also checks that every map with at most 8 pits has an entry, up to symmetry, and that the line of an
entry is legal and ends with the value. With EVERY it checks the value of every so many boards.
"""
import itertools
import sys

SIZE, MOST_PITS, PASS = 4, 8, "pass"
CELLS = [(row, col) for row in range(SIZE) for col in range(SIZE)]
START = {(1, 1): "X", (2, 2): "X", (1, 2): "O", (2, 1): "O"}
WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
# LINES has the lines of cells that begin beside a cell, as places in a board, a text of 16 characters.
LINES = []
for row, col in CELLS:
    lines = []
    for down, right in WAYS:
        line = [(row + n * down, col + n * right) for n in range(1, SIZE)]
        line = [r * SIZE + c for r, c in line if 0 <= r < SIZE and 0 <= c < SIZE]
        if len(line) > 1:
            lines.append(line)
    LINES.append(lines)


def name(cell):
    return "abcd"[cell[1]] + str(cell[0] + 1)


def place(board, at, side):
    """Returns the board after a disc, or None if the move is not legal. A side is X or O; # is a pit."""
    if board[at] != ".":
        return None
    turned = []
    for line in LINES[at]:
        for n, cell in enumerate(line):
            if board[cell] == side:
                turned += line[:n]
            if board[cell] in (side, ".", "#"):
                break
    if not turned:
        return None
    after = list(board)
    for cell in turned + [at]:
        after[cell] = side
    return "".join(after)


def moves(board, side):
    all_moves = ((at, place(board, at, side)) for at in range(SIZE * SIZE))
    return {at: after for at, after in all_moves if after}


def other(side):
    return "O" if side == "X" else "X"


def margin(board, side):
    """Returns by how many discs a side is ahead; empty cells count for the winner."""
    lead = board.count(side) - board.count(other(side))
    return lead + board.count(".") * ((lead > 0) - (lead < 0))


def value(board, side, known):
    key = board + side
    if key not in known:
        after = moves(board, side)
        if after:
            known[key] = max(-value(b, other(side), known) for b in after.values())
        elif moves(board, other(side)):
            known[key] = -value(board, other(side), known)
        else:
            known[key] = margin(board, side)
    return known[key]


def follow(board, line):
    """Plays a line, and returns the margin for X at its end."""
    side = "X"
    for move in line:
        after = moves(board, side)
        if move == PASS:
            assert not after and moves(board, other(side)), f"{board} {side}: no pass"
        else:
            at = next(i for i, cell in enumerate(CELLS) if name(cell) == move)
            assert at in after, f"{board} {side}: {move} is not legal"
            board = after[at]
        side = other(side)
    assert not moves(board, "X") and not moves(board, "O"), f"{board}: the line does not end the game"
    return margin(board, "X")


def images(pits):
    """Returns a map and its images that leave the start as it is."""
    for turn in (lambda r, c: (r, c), lambda r, c: (c, r), lambda r, c: (3 - c, 3 - r), lambda r, c: (3 - r, 3 - c)):
        assert all(START[turn(*cell)] == disc for cell, disc in START.items())
        yield frozenset(turn(*cell) for cell in pits)


def main():
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    free = [cell for cell in CELLS if cell not in START]
    missing = {frozenset(pits) for n in range(MOST_PITS + 1) for pits in itertools.combinations(free, n)}
    maps, checked, visited, wins = len(missing), 0, 0, [0, 0, 0]
    with open(sys.argv[1]) as table:
        entries = [line.split() for line in table]
    for i, (size, names, claimed, _, *line) in enumerate(entries):
        pits = frozenset(cell for cell in CELLS if name(cell) in names.split(","))
        assert size == "4" and (names == "-" or len(pits) == len(names.split(","))), names
        assert pits in missing, f"{names}: another entry has this map"
        missing -= set(images(pits))
        board = "".join("#" if cell in pits else START.get(cell, ".") for cell in CELLS)
        assert follow(board, line) == int(claimed), f"{names}: the line does not end with {claimed}"
        if i % every == 0:
            known = {}
            found = value(board, "X", known)
            assert found == int(claimed), f"{names}: the value is {found}, not {claimed}"
            checked, visited = checked + 1, visited + len(known)
        wins[(int(claimed) > 0) - (int(claimed) < 0)] += 1
    assert not missing, f"{len(missing)} maps have no entry"
    print(f"{len(entries)} boards for {maps} maps: Black wins {wins[1]}, White {wins[-1]}, {wins[0]} are drawn")
    print(f"{checked} values proved by {visited} positions")


main()
