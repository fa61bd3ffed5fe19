"""Calls of the command line that return its JSON reports. docs/python.md lists them."""
from ._program import flags, report, run


def games():
    """Returns the games: names, titles, options and rules."""
    return report("games")


def perft(game, depth, **options):
    """Counts the leaves of the game tree at depths 1 to depth."""
    return report("perft", game, "--depth", depth, *flags(options))


def analyze(game, **options):
    """Returns the best lines of a position: score, depth, nodes and moves. Without a limit (nodes, depth or
    movetime), nodes is 100,000."""
    if not {"nodes", "depth", "movetime"} & options.keys():
        options["nodes"] = 100_000
    return report("analyze", game, *flags(options))


def solve(game, **options):
    """Solves a position."""
    return report("solve", game, *flags(options))


def review(game, moves, **options):
    """Says what each move of a game gave away. Without a limit, nodes is 10,000 a move."""
    if not {"nodes", "depth", "movetime"} & options.keys():
        options["nodes"] = 10_000
    return report("analyze", game, "--review", "--moves", moves if isinstance(moves, str) else " ".join(moves), *flags(options))


def convert(text, to, **options):
    """Converts a record to another format: quintet, pgn, ggf, sgf, console, moves or transcript."""
    return run("convert", "--to", to, *flags(options), stdin=text)
