"""Finds and runs the program quintet."""
import json
import os
import shutil
import subprocess


class Error(Exception):
    """What quintet says when it cannot do something."""


def program():
    """Returns the path of the program: $QUINTET, or quintet on the PATH."""
    path = os.environ.get("QUINTET") or shutil.which("quintet")
    if not path:
        raise Error("no program quintet: install it, or set QUINTET to its path")
    return path


def run(*args, stdin=None):
    """Runs a command of quintet and returns its output, without ``quintet: `` in errors."""
    try:
        done = subprocess.run([program(), *map(str, args)], input=stdin, capture_output=True, text=True, check=False)
    except OSError as err:
        raise Error(f"running quintet: {err}") from err
    if done.returncode:
        raise Error(done.stderr.strip().removeprefix("quintet: ") or f"quintet ended with status {done.returncode}")
    return done.stdout


def report(*args, stdin=None):
    """Runs a command and returns its JSON report."""
    return json.loads(run(*args, "--json", stdin=stdin))


def flags(options):
    """Returns options as flags of the command line: max_plies=5 is --max-plies 5, manual=True is --manual."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(" ".join(value) if isinstance(value, (list, tuple)) else str(value))
    return words
