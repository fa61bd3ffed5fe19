"""Run with: QUINTET=path/of/quintet python3 -m unittest discover python/tests"""
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import quintet  # noqa: E402
from quintet import _child  # noqa: E402

HERE = pathlib.Path(__file__).parent


def generator(seed):
    return random.Random(seed) if _child.numpy is None else _child.numpy.random.default_rng(seed)


def legal_actions(info, game=0):
    return [a for a, ok in enumerate(info["action_mask"].tolist()[game]) if ok]


def plain(array):
    """Returns an array of numbers or flags as a list."""
    return [int(x) for x in array.tolist()]


def one_game(env, choose):
    """Plays a game and returns what identifies it: its moves, and a hash of all that an agent sees."""
    seen = hashlib.sha256()
    obs, info = env.reset(seed=0)
    while True:
        seen.update(obs.tobytes())
        seen.update(info["action_mask"].tobytes())
        obs, reward, terminated, truncated, info = env.step([choose(legal_actions(info))])
        if terminated[0] or truncated[0]:
            return {"moves": " ".join(env.moves()), "seen": seen.hexdigest(), "result": int(info["result"][0]), "reward": float(reward[0])}


class Playthroughs(unittest.TestCase):
    """An identifier means the same for ever: one recorded game of each. QUINTET_GOLDEN=1 writes them."""

    def test_all(self):
        for id in quintet.IDS:
            with self.subTest(id), quintet.vector(id) as env:
                dice = random.Random(id)
                got = one_game(env, dice.choice)
                path = HERE / "playthroughs" / (id + ".json")
                if os.environ.get("QUINTET_GOLDEN"):
                    path.write_text(json.dumps(got, indent=1) + "\n")
                self.assertEqual(got, json.loads(path.read_text()))


class Vector(unittest.TestCase):
    def test_interface(self):
        with quintet.vector("othello-6x6-v1", num_envs=3) as env:
            obs, info = env.reset(seed=1)
            self.assertEqual((tuple(obs.shape), env.num_actions, env.planes), ((3, 3, 6, 6), 37, ["own stones", "opponent's stones", "first to move"]))
            self.assertEqual([env.move(a) for a in legal_actions(info)], ["d2", "e3", "b4", "c5"])
            first = obs.tobytes()
            dice = generator(1)
            ended = 0
            for _ in range(80):
                was = plain(info["plies"])
                _, _, terminated, truncated, info = env.step(env.sample(dice))
                for i, n in enumerate(plain(info["plies"])):
                    self.assertIn(n, (was[i] + 1, 0))
                ended += sum(plain(terminated))
            self.assertGreater(ended, 3)
            self.assertEqual(obs.tobytes(), first, "a step has changed a copy")

    def test_seeds(self):
        def games(seed):
            with quintet.vector("connect6", size=7, num_envs=4, random_plies=5) as env:
                env.reset(seed=seed)
                return env.render()
        self.assertEqual(games(3), games(3))
        self.assertNotEqual(games(3), games(4))

    def test_tree(self):
        with quintet.vector("loa-v1", num_envs=2, manual=True) as env:
            _, info = env.reset()
            before, legal = env.position(0), legal_actions(info)
            env.step(legal[:2])
            moved = env.position(1)
            env.undo(1, games=[True, False])
            self.assertEqual((env.position(0), env.position(1)), (before, moved))
            env.clone([1, 0], games=[True, False])
            self.assertEqual(env.position(0), moved)
            env.set_position(before, 1)
            self.assertEqual((env.position(1), env.moves(1)), (before, []))
            env.reset(options={"reset_mask": [True, False]})
            self.assertEqual(env.moves(0), [])

    def test_opponent(self):
        with quintet.vector("neighbors-v1", num_envs=8, opponent="level:1", learner="random", manual=True, max_plies=60) as env:
            env.reset(seed=5)
            dice, done = generator(2), [0] * 8
            for _ in range(40):
                _, reward, terminated, truncated, info = env.step(env.sample(dice))
            self.assertEqual([t or u for t, u in zip(plain(terminated), plain(truncated))], [1] * 8)
            self.assertLess(sum(reward.tolist()), 0, "level 1 does not beat random play")

    def test_refusals(self):
        for call, text in [
            (lambda: quintet.vector("othello-9x9-v1"), "there is no environment 'othello-9x9-v1'"),
            (lambda: quintet.vector("go"), "there is no game"),
            (lambda: quintet.vector("othello", size=5), "size"),
            (lambda: quintet.vector("loa-v1", num_envs=0), "batch"),
            (lambda: quintet.vector("loa-v1", opponent="level:11"), "the levels are 1 to 10"),
            (lambda: quintet.perft("go", 1), "there is no game"),
        ]:
            with self.assertRaisesRegex(quintet.Error, text):
                call()
        with quintet.vector("loa-v1", num_envs=2) as env:
            legal = legal_actions(env.reset()[1])
            for call, text in [
                (lambda: env.step([0, 0]), "game 0: action 0 is not legal"),
                (lambda: env.step([0]), "1 actions: expected 2"),
                (lambda: env.undo(games=[True]), "1 games selected or not: expected 2"),
                (lambda: env.position(2), 'game "2": expected 0 to 1'),
                (lambda: env.clone([0, 1]), "expected one of 2 games that is not selected itself"),
            ]:
                with self.assertRaisesRegex(quintet.Error, text):
                    call()
            env.step([env.action(env.move(legal[0]))] * 2)  # it goes on
        with self.assertRaisesRegex(quintet.Error, "closed"):
            env.reset()


class Processes(unittest.TestCase):
    def test_killed(self):
        env = quintet.vector("chess-v1")
        env._child._process.kill()
        with self.assertRaisesRegex(quintet.Error, "status -9"):
            env.reset()
        env.close()

    def test_interrupted(self):
        """After Ctrl-C the next answer is that of the next command."""
        with quintet.vector("othello-8x8-v1", num_envs=2, opponent="engine", movetime="300ms") as env:
            env.reset()
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                env.step([env.action("e3", i) for i in range(2)])
            self.assertEqual(env.moves(0)[0], "e3")

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_fork(self):
        with quintet.vector("chess-v1") as env:
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    env.reset()
                except quintet.Error as err:
                    os.write(write, str(err).encode())
                os._exit(0)
            os.waitpid(child, 0)
            self.assertIn(b"make one after a fork", os.read(read, 1000))
            os.close(read), os.close(write)
            self.assertEqual(len(env.reset()[0]), 1)

    def test_parent(self):
        """The program ends with a parent that is killed."""
        script = ("import os, quintet; env = quintet.vector('chess-v1'); print(env._child._process.pid, flush=True); os.kill(os.getpid(), 9)")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(HERE.parent)})
        pid = int(done.stdout)
        for _ in range(200):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            if pathlib.Path(f"/proc/{pid}/stat").exists() and ") Z " in pathlib.Path(f"/proc/{pid}/stat").read_text():
                return  # nobody has collected its status
            threading.Event().wait(0.05)
        self.fail(f"process {pid} still runs")


class AEC(unittest.TestCase):
    def test_game(self):
        env = quintet.aec("connect6", size=7)
        env.reset(seed=1)
        dice, order, total = random.Random(1), [], {"first": 0.0, "second": 0.0}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            order.append(agent)
            total[agent] += reward
            legal = [a for a, ok in enumerate(info["action_mask"]) if ok]
            env.step(None if terminated or truncated else dice.choice(legal))
        self.assertEqual(order[:5], ["first", "second", "second", "first", "first"])
        self.assertEqual(sum(total.values()), 0)
        env.close()


class Tools(unittest.TestCase):
    def test_reports(self):
        self.assertEqual([d["leaves"] for d in quintet.perft("loa", 2)["depths"]], [36, 1244])
        self.assertEqual(quintet.solve("othello", size=4)["value"], -10)
        self.assertIn(quintet.analyze("othello", nodes=1000)["best"], ["e3", "f4", "c5", "d6"])
        self.assertEqual(len(quintet.review("othello", "e3 f3", nodes=500)["moves"]), 2)
        self.assertIn("e3 f3", quintet.convert("e3f3", "moves", game="othello"))
        self.assertEqual([g["name"] for g in quintet.games()], ["neighbors", "othello", "loa", "connect6", "chess"])


if __name__ == "__main__":
    unittest.main()
