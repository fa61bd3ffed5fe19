// A game that plays itself on the first page, for those who come to see what there is.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { replay } from "./api";
import { Board } from "./board";
import { Icon } from "./icon";
import { drawShapes, motion } from "./store";
import type { Move, Replay } from "./types";
import { gameTitle, say } from "./words";

/** games are games of two engines, with the size of the board where that can be chosen. */
const games: Record<string, { size?: string; moves: string }> = {
  othello: { size: "8", moves: "e3 f3 f4 f5 e6 d3 c3 c4 g5 h6 c2 e2 c6 g6 c5 f6 g4 g3 e1 d6 f2 d2 e7 f7 d7 e8 d1 c1 b1 g1 g8 c8 g7 c7 d8 b5 f8 g2 a4 b4 a3 a6 a5 a2 b3 h8 h3 h4 h1 f1 h2 b6 b8 a1 h5 h7 a7 b2 b7 a8" },
  connect6: { size: "15", moves: "F5 H7 H6 H5 G5 I5 J6 G4 G6 G7 I6 F8 F7 I4 J5 E8 F6 I7 K4 F3 F4" },
  loa: { moves: "a2c0 g0g2 h1f1 f0h2 a1c1 h2f4 h5f7 g7f6 a6c4 b7a6 f7g6 c7e5 a5c5 e0e3 c5e5 g2f3 a3e3 b0b1 g6e4 d7f5 h4h7 f5h5 h6g7 a6b7 g7g6 e7g5 c0f3 h5f3 f1d3 g5e5 d3d5 d0d2 a4b5 b1b4 b5e5 b4b2 g6d3 f3e2 c1c3 b7b5 h3g4 b5b3 g4f5 f4f1 e4c6 b3c2 e3g5 f1f4 g5g6" },
  neighbors: { moves: "d0f0 e0e1 f7d7 g0e2 f0e1 a2a4 a5a3 b7d7 h1g2 h4h2 b0d0 h6h4 g2e2 h2g3 d0d2 h5g4 h3e3 h4f4 e1g3 g4e4 e2e4 f4c4 e4f3 c7c6 e7f6 d7d6 g7g6 c6d5 d2d3 c4a2 a3a5 a4b3 g6g5 a1b2 f3d5 d6d5 d3c2 a2c4" },
  chess: { moves: "d2d4 d7d5 g1f3 b8c6 b1c3 f7f6 e2e3 g8h6 f1b5 c8e6 c1d2 a7a6 b5a4 g7g5 h2h4 g5g4 f3h2 b7b5 a4b3 f8g7 e3e4 c6d4 d2h6 d4b3 h6g7 b3a1 g7h8 d5d4 c3e2 e8f7 h8f6 d4d3 c2d3 f7f6 d3d4 f6g7 d4d5 e6d7 e2g3 c7c6 d1a1 a8c8 a1d1 d8a5 e1f1 a5b4 d5c6 d7e6 b2b3 b4d6 g3h5 g7f8 d1d6 e7d6 h5f4 c8c6 f4e6 f8g8 g2g3 h7h5 e6f4 c6c1 f1g2 c1h1 g2h1 d6d5 f4h5 d5e4 h5f6 g8f7" },
};

const every = 1_400; // milliseconds between two moves
const rest = 5; // moves for which the end is shown

/** still reports whether nothing shall move by itself. */
const still = (): boolean => !motion.value || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Demo plays a game through, again and again, until it is stopped. */
export function Demo({ game }: { game: string }): JSX.Element {
  const [played, setPlayed] = useState<{ game: string; positions: string[][]; moves: Move[]; replay: Replay } | null>(null);
  const [ply, setPly] = useState(0);
  const [stopped, setStopped] = useState(still());
  const shown = played?.game === game ? played : null;
  useEffect(() => {
    let late = false;
    const { size, moves } = games[game] ?? { moves: "" }; // of other games, the start is shown
    void replay({ game, options: size ? { size } : undefined, moves: moves.split(" ").filter(Boolean) }).then((r) => {
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
      {shown && <Board key={game} game={game} board={{ ...shown.replay.board, cells: shown.positions[at] }} last={at > 0 ? [shown.moves[at - 1]] : []} label={say("demo.label", { game: gameTitle(game) })} small shapes={drawShapes()} />}
      {shown && (
        <button class="quiet icon stop" type="button" aria-label={say(stopped ? "demo.go" : "demo.stop")} title={say(stopped ? "demo.go" : "demo.stop")} onClick={() => setStopped(!stopped)}>
          <Icon name={stopped ? "play" : "pause"} />
        </button>
      )}
    </div>
  );
}
