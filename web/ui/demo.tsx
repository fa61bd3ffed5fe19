// The game that plays itself on the first page.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { replay } from "./api";
import { Diagram } from "./diagram";
import { Icon } from "./icon";
import { motion } from "./store";
import type { Move, Replay } from "./types";
import { gameTitle, lookOf, say } from "./words";

const every = 1_400; // milliseconds between two moves
const rest = 5; // moves for which the end is shown

/** still reports whether animation is off. */
export const still = (): boolean => !motion.value || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Demo plays a game in a loop until it is stopped. */
export function Demo({ game }: { game: string }): JSX.Element {
  const [played, setPlayed] = useState<{ game: string; positions: string[][]; moves: Move[]; replay: Replay } | null>(null);
  const [ply, setPly] = useState(0);
  const [stopped, setStopped] = useState(still());
  const shown = played?.game === game ? played : null;
  useEffect(() => {
    let late = false;
    const { options, moves } = lookOf(game).demo;
    void replay({ game, options, moves: moves.split(" ").filter(Boolean) }).then((r) => {
      if (late) return;
      const positions = [r.board.cells];
      for (const f of r.frames) positions.push(Object.assign(positions.at(-1)!.slice(), f.changes));
      setPlayed({ game, positions, moves: r.frames, replay: r });
      setPly(still() ? r.frames.length : Math.min(8, r.frames.length));
    }, () => {});
    return () => { late = true; };
  }, [game]);
  useEffect(() => {
    if (stopped || !shown) return;
    const timer = setInterval(() => { if (!document.hidden) setPly((n) => (n >= shown.moves.length + rest ? 0 : n + 1)); }, every);
    return () => clearInterval(timer);
  }, [stopped, shown]);
  const at = shown ? Math.min(ply, shown.moves.length) : 0;
  return (
    <div class="demo">
      {shown && <Diagram key={game} game={game} board={{ ...shown.replay.board, cells: shown.positions[at] }} last={at > 0 ? shown.moves[at - 1] : undefined} label={say("demo.label", { game: gameTitle(game) })} />}
      {shown && (
        <div class="caption">
          <p aria-hidden="true">{say("demo.label", { game: gameTitle(game) })}</p>
          <button class="quiet icon stop" type="button" aria-label={say(stopped ? "demo.go" : "demo.stop")} title={say(stopped ? "demo.go" : "demo.stop")} onClick={() => setStopped(!stopped)}>
            <Icon name={stopped ? "play" : "pause"} />
          </button>
        </div>
      )}
    </div>
  );
}
