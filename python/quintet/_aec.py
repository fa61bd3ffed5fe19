"""One game with the AEC interface of PettingZoo, which need not be installed."""
from ._vector import vector


def aec(id, **options):
    """Returns an AEC. id and options are those of vector, without an opponent."""
    return AEC(vector(id, num_envs=1, manual=True, **options))


class AEC:
    """A game whose agents "first" and "second" act in turn. The second stone of a turn in Connect6 is an action of
    its own."""

    metadata = {"is_parallelizable": False, "render_modes": ["ansi"]}
    possible_agents = ["first", "second"]

    def __init__(self, env):
        self._env = env
        self.agents = []

    def reset(self, seed=None, options=None):
        """Begins a new game."""
        self._obs, self._info = self._env.reset(seed=seed or 0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._show()

    def _show(self):
        self.agent_selection = self.possible_agents[self._info["turn"][0]]
        self.infos = {a: {"action_mask": self._info["action_mask"].tolist()[0]} for a in self.possible_agents}

    def observe(self, agent):
        """Returns the observation of the side to move; planes of the side to move come first."""
        return {"observation": self._obs[0] if hasattr(self._obs, "dtype") else self._obs.tolist()[0], "action_mask": self.infos[agent]["action_mask"]}

    def last(self, observe=True):
        """Returns observation, reward, termination, truncation and info of the agent that is to act."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def step(self, action):
        """Plays an action; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self.agents.remove(agent)
            if self.agents:
                self.agent_selection = self.agents[0]
            return
        self._cumulative_rewards[agent] = 0.0
        self._obs, reward, terminated, truncated, self._info = self._env.step([action])
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        self.rewards = {agent: float(reward[0]), other: -float(reward[0])}
        for a in self.agents:
            self._cumulative_rewards[a] += self.rewards[a]
            self.terminations[a], self.truncations[a] = bool(terminated[0]), bool(truncated[0])
        self._show()

    def agent_iter(self, max_iter=1 << 62):
        """Yields the agent that is to act, until the game is over."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def render(self):
        """Returns the position as text."""
        return self._env.position()

    def close(self):
        """Ends the process that plays."""
        self._env.close()
