"""Many games at the same time, with the vector interface of gymnasium, which need not be installed."""
import array

from ._child import Child, numpy
from ._program import Error

try:
    import gymnasium
except ImportError:
    gymnasium = None

# The environments: the game and the options of its set-up. The meaning of an identifier never changes:
# tests/playthroughs has a game of each.
IDS = {
    "chess-v1": ("chess", {}),
    "connect6-v1": ("connect6", {"size": 19}),
    "connect6-15x15-v1": ("connect6", {"size": 15}),
    "loa-v1": ("loa", {}),
    "neighbors-v1": ("neighbors", {}),
    "othello-4x4-v1": ("othello", {"size": 4}),
    "othello-6x6-v1": ("othello", {"size": 6}),
    "othello-8x8-v1": ("othello", {"size": 8}),
    "othello-10x10-v1": ("othello", {"size": 10}),
}


class Discrete:
    """A space of n actions, for those without gymnasium."""

    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return f"Discrete({self.n})"


def vector(id, num_envs=1, **options):
    """Returns a VectorEnv.

    id is one of IDS, or the name of a game with options such as size=12, pits="c3,d4".
    max_plies     truncates a game (1000)
    random_plies  random plies at the start of each game (0)
    manual        a finished game waits for a reset; otherwise the next step begins a new one
    opponent      a player of the other side, such as "random" or "level:3"; without it, actions play
                  both sides, and a reward is that of the side that moved
    learner       the side that actions play against an opponent: "first", "second" or "random"
    nodes, movetime  the limit of the opponent "engine" or "mcts"
    threads       threads that play (all processors)
    copy          return copies of arrays, which the next step does not change (True)
    """
    if id in IDS:
        game, setup = IDS[id]
    elif id.endswith("-v1"):
        raise Error(f"there is no environment {id!r}: expected one of {', '.join(IDS)}")
    else:
        game, setup = id, {}
    return VectorEnv(game, num_envs, **{**setup, **options})


class VectorEnv:
    """Many games of one kind. It is a context manager: ``with quintet.vector(...) as env``."""

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP if gymnasium else "NextStep", "render_modes": ["ansi"]}
    render_mode = None
    spec = None

    def __init__(self, game, num_envs=1, copy=True, **options):
        self._child = None
        self._child = child = Child(game, {"batch": num_envs, **options})
        head = child.header
        n, self._copy = num_envs, copy
        self.game, self.num_envs, self.num_actions = game, n, head["actions"]
        self.planes, self.start, self.sides = head["planes"], head["start"], head["sides"]
        self.observation_shape = (len(self.planes), head["rows"], head["cols"])
        self._actions = child.array("actions", "i", n)
        self._rewards = child.array("rewards", "f", n)
        self._plies = child.array("plies", "i", n)
        self._terminated = child.array("terminated", "B", n)
        self._truncated = child.array("truncated", "B", n)
        self._turn = child.array("turn", "B", n)
        self._result = child.array("result", "B", n)
        self._selected = child.array("selected", "B", n)
        self._observations = child.array("observations", "B", n, *self.observation_shape)
        self._mask = child.array("mask", "B", n, self.num_actions)
        if numpy is not None:
            self._terminated, self._truncated = self._terminated.view(bool), self._truncated.view(bool)
        self._spaces(n)

    def _spaces(self, n):
        self.single_action_space = self.action_space = Discrete(self.num_actions)
        self.single_observation_space = self.observation_space = None
        if gymnasium is not None:
            spaces = gymnasium.spaces
            self.single_action_space = spaces.Discrete(self.num_actions)
            self.action_space = spaces.MultiDiscrete([self.num_actions] * n)
            self.single_observation_space = spaces.Box(0, 1, self.observation_shape, "uint8")
            self.observation_space = spaces.Box(0, 1, (n, *self.observation_shape), "uint8")

    def _give(self, view):
        if not self._copy:
            return view
        if numpy is not None:
            return view.copy()
        copy = memoryview(array.array(view.format, view.tobytes()))
        return copy.cast("B", view.shape) if view.ndim > 1 else copy

    def _info(self):
        return {"action_mask": self._give(self._mask), "turn": self._give(self._turn), "plies": self._give(self._plies), "result": self._give(self._result)}

    def _select(self, games):
        if games is None:
            games = [1] * self.num_envs
        if len(games) != self.num_envs:
            raise Error(f"{len(games)} games selected or not: expected {self.num_envs}")
        self._selected[:] = array.array("B", [1 if g else 0 for g in games]) if numpy is None else numpy.asarray(games, dtype="u1")

    def _write(self, actions):
        if len(actions) != self.num_envs:
            raise Error(f"{len(actions)} actions: expected {self.num_envs}, one for each game")
        self._actions[:] = array.array("i", actions) if numpy is None else actions

    def reset(self, *, seed=None, options=None):
        """Begins all games anew, or those of options["reset_mask"]. The same seed makes the same games."""
        if seed is None:
            seed = getattr(self, "_seed", -1) + 1  # the first reset of every program is the same
        self._seed = seed
        self._select((options or {}).get("reset_mask"))
        self._child.ask(f"reset {int(seed)}")
        return self._give(self._observations), self._info()

    def step(self, actions):
        """Plays an action in each game. It raises Error and plays none if one is not legal."""
        self._write(actions)
        self._child.ask("step")
        return self._give(self._observations), self._give(self._rewards), self._give(self._terminated), self._give(self._truncated), self._info()

    def undo(self, plies=1, games=None):
        """Takes back plies, in all games or where games is true."""
        self._select(games)
        self._child.ask(f"undo {int(plies)}")
        return self._give(self._observations), self._info()

    def clone(self, sources, games=None):
        """Makes each game i, or each where games is true, a copy of game sources[i], which must not be one of them."""
        self._select(games)
        self._write(sources)
        self._child.ask("copy")
        return self._give(self._observations), self._info()

    def position(self, game=0):
        """Returns the position of a game as text."""
        return self._child.ask(f"position {int(game)}")

    def set_position(self, text, game=0):
        """Begins a game in a position."""
        self._child.ask(f"set {int(game)} {' '.join(text.split())}")

    def moves(self, game=0):
        """Returns the moves of a game in notation."""
        return self._child.ask(f"moves {int(game)}").split()

    def action(self, move, game=0):
        """Returns the action of a move in notation, such as e3."""
        return int(self._child.ask(f"action {int(game)} {' '.join(move.split())}"))

    def move(self, action, game=0):
        """Returns the notation of a legal action."""
        return self._child.ask(f"text {int(game)} {int(action)}")

    def sample(self, random):
        """Returns a random legal action for each game, 0 where there is none. random is a numpy.random.Generator, or a
        random.Random without numpy."""
        if numpy is not None:
            return _sample(self._mask, random)
        mask, n, actions = self._mask.cast("B"), self.num_actions, []
        for i in range(self.num_envs):
            legal = [a for a, ok in enumerate(mask[i * n:(i + 1) * n]) if ok]
            actions.append(random.choice(legal) if legal else 0)
        return actions

    def render(self):
        """Returns the positions as texts."""
        return tuple(self.position(i) for i in range(self.num_envs))

    def close(self):
        """Ends the process that plays."""
        if self._child is not None:
            self._child.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


def _sample(mask, random):
    """Returns a random true column of each row."""
    counts = mask.sum(axis=1, dtype="i4")
    pick = (random.random(len(mask)) * counts).astype("i4")
    columns = numpy.flatnonzero(mask) % mask.shape[1]
    begins = numpy.cumsum(counts) - counts
    actions = numpy.zeros(len(mask), dtype="i4")
    some = counts > 0
    actions[some] = columns[(begins + pick)[some]]
    return actions
