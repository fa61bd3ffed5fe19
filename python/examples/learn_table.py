#!/usr/bin/env python3
"""Learns 4x4 Othello with a table of values, by Q-learning against random play, and plays matches.

    python3 python/examples/learn_table.py [--steps 3000]

It needs no numpy. The learner plays the second side, which wins 4x4 Othello.
"""
import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import quintet  # noqa: E402

GAMES = 64


def rows(view):
    """Returns the bytes of each game."""
    data = bytes(view.tobytes())
    size = len(data) // GAMES
    return [data[i * size:(i + 1) * size] for i in range(GAMES)]


def choose(table, state, mask, explore, dice):
    legal = [a for a, ok in enumerate(mask) if ok]
    if not legal or dice.random() < explore:
        return dice.choice(legal or [0])
    values = table.get(state, {})
    return max(legal, key=lambda a: (values.get(a, 0.0), dice.random()))


def play(opponent, table, steps, explore, rate, seed):
    """Plays, learns if rate is above 0, and returns the games won, drawn and lost."""
    dice, counts = random.Random(seed), {1: 0, 0: 0, -1: 0}
    with quintet.vector("othello-4x4-v1", num_envs=GAMES, opponent=opponent, learner="second") as env:
        obs, info = env.reset(seed=seed)
        states, masks = rows(obs), rows(info["action_mask"])
        for _ in range(steps):
            actions = [choose(table, s, m, explore, dice) for s, m in zip(states, masks)]
            obs, reward, done, _, info = env.step(actions)
            after, legal = rows(obs), rows(info["action_mask"])
            for i in range(GAMES):
                if 1 not in masks[i]:  # this step has begun a new game
                    continue
                if done[i]:
                    counts[int(reward[i])] += 1
                if rate:
                    best = max((table.get(after[i], {}).get(a, 0.0) for a, ok in enumerate(legal[i]) if ok), default=0.0)
                    values = table.setdefault(states[i], {})
                    old = values.get(actions[i], 0.0)
                    values[actions[i]] = old + rate * (reward[i] + best - old)
            states, masks = after, legal
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3000)
    steps, table = parser.parse_args().steps, {}
    play("random", table, steps, 0.2, 0.2, 1)
    for opponent in ("random", "level:1"):
        c = play(opponent, table, 60, 0, 0, 3)
        print(f"against {opponent}: {c[1]} won, {c[0]} drawn, {c[-1]} lost; {len(table)} positions known")


if __name__ == "__main__":
    main()
