"""Environments, engines and analysis of the board games of Quintet.

The package is pure Python. It runs the program ``quintet``, which it finds in the variable QUINTET
or on the PATH. With numpy, arrays are numpy arrays; without, memoryviews.

    env = quintet.vector("othello-8x8-v1", num_envs=4096)
    obs, info = env.reset(seed=1)
    obs, reward, terminated, truncated, info = env.step(actions)
"""
from ._aec import AEC, aec
from ._program import Error, run
from ._tools import analyze, convert, games, perft, review, solve
from ._vector import IDS, VectorEnv, vector

__all__ = [
    "AEC", "Error", "IDS", "VectorEnv",
    "aec", "analyze", "convert", "games", "perft", "review", "run", "solve", "vector",
]
