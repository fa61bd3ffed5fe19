#!/usr/bin/env python3
"""Learns 6x6 Othello with a small network in numpy, by Q-learning against itself, and plays matches.

    python3 python/examples/learn_network.py [--steps 3000]

A network with one hidden layer maps a position, as the side to move sees it, to a value for each
action. The value of an action is the reward, or minus the best value of the opponent's reply.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import quintet  # noqa: E402

ID, GAMES, HIDDEN = "othello-6x6-v1", 256, 128


class Network:
    """Values of actions: tanh(W2 relu(W1 x + b1) + b2), trained with Adam."""

    def __init__(self, inputs, actions, random):
        self.parts = [random.normal(0, (2 / inputs) ** 0.5, (inputs, HIDDEN)), np.zeros(HIDDEN),
                      random.normal(0, 0.01, (HIDDEN, actions)), np.zeros(actions)]
        self.first = [np.zeros_like(p) for p in self.parts]
        self.second = [np.zeros_like(p) for p in self.parts]
        self.steps = 0

    def values(self, x):
        self.hidden = np.maximum(x @ self.parts[0] + self.parts[1], 0)
        return np.tanh(self.hidden @ self.parts[2] + self.parts[3])

    def train(self, x, actions, targets, rate):
        out = self.values(x)
        some = np.arange(len(x))
        error = np.zeros_like(out)
        picked = out[some, actions]
        error[some, actions] = (picked - targets) * (1 - picked ** 2) / len(x)
        back = (error @ self.parts[2].T) * (self.hidden > 0)
        self.steps += 1
        for i, g in enumerate((x.T @ back, back.sum(0), self.hidden.T @ error, error.sum(0))):
            self.first[i] += 0.1 * (g - self.first[i])
            self.second[i] += 0.001 * (g * g - self.second[i])
            self.parts[i] -= rate * (self.first[i] / (1 - 0.9 ** self.steps)) / (np.sqrt(self.second[i] / (1 - 0.999 ** self.steps)) + 1e-8)


def best(values, mask):
    """Returns the best legal action of each game and its value."""
    legal = np.where(mask == 1, values, -2)
    return legal.argmax(1), legal.max(1)


def flat(obs):
    return obs.reshape(len(obs), -1).astype("f4")


def learn(steps):
    random = np.random.default_rng(1)
    with quintet.vector(ID, num_envs=GAMES) as env:
        obs, info = env.reset(seed=1)
        x, mask = flat(obs), info["action_mask"]
        net = Network(x.shape[1], env.num_actions, random)
        for step in range(steps):
            actions = best(net.values(x), mask)[0]
            explore = random.random(GAMES) < 0.15
            actions[explore] = env.sample(random)[explore]
            turn, playing = info["turn"], mask.any(1)
            obs, reward, done, _, info = env.step(actions)
            after, mask = flat(obs), info["action_mask"]
            # A pass is an action, too, so the sides alternate, and with them the signs.
            reply = np.where(done | ~mask.any(1), 0, best(net.values(after), mask)[1])
            targets = reward + np.where(info["turn"] == turn, reply, -reply)
            net.train(x[playing], actions[playing], targets[playing], 1e-3 * (1 - step / steps) + 1e-5)
            x = after
    return net


def match(net, opponent, games=200):
    """Returns the share of points against an opponent."""
    random, points, played = np.random.default_rng(2), 0.0, 0
    with quintet.vector(ID, num_envs=100, opponent=opponent, learner="random", random_plies=2) as env:
        obs, info = env.reset(seed=2)
        while played < games:
            actions = best(net.values(flat(obs)), info["action_mask"])[0]
            obs, reward, done, _, info = env.step(actions)
            points += (reward[done] + 1).sum() / 2
            played += done.sum()
    return points / played


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3000)
    began = time.monotonic()
    net = learn(parser.parse_args().steps)
    print(f"learned in {time.monotonic() - began:.0f} s")
    for opponent in ("random", "level:1"):
        print(f"against {opponent}: {100 * match(net, opponent):.0f} % of the points")


if __name__ == "__main__":
    main()
