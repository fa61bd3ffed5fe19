// The run: solve as many puzzles as you can in three minutes. They get harder and harder.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { kept } from "./store";
import { count, say } from "./words";

const lasts = 180_000; // milliseconds
const seen = 900; // milliseconds that a solved or missed puzzle stays on the screen
const each = 3; // puzzles at each difficulty

/** best is the most puzzles solved in a run, by game. */
const best = kept<Record<string, number>>("runs", {});

export interface Run {
  going: boolean;
  left: number; // milliseconds
  solved: number;
  done: boolean; // it has ended, and its result is shown
}

const idle: Run = { going: false, left: 0, solved: 0, done: false };

/** runNext returns the next puzzle of a run. The difficulty rises every few puzzles tried. */
export function runNext<E extends { id: string; difficulty: number }>(list: E[], tried: number, now: string): E {
  const hardest = Math.max(...list.map((e) => e.difficulty)), others = list.filter((e) => e.id !== now);
  for (let d = Math.min(hardest, 1 + Math.floor(tried / each)); d <= hardest; d++) {
    const fit = others.filter((e) => e.difficulty === d);
    if (fit.length > 0) return fit[Math.floor(Math.random() * fit.length)];
  }
  return others[0] ?? list[0];
}

/** useRun times a run. It calls open with the number of puzzles tried, to show the next one. */
export function useRun(game: string, open: (tried: number) => void): { run: Run; start: () => void; stop: () => void; tried: (well: boolean) => void } {
  const [run, setRun] = useState(idle), [tries, setTries] = useState(0), [ends, setEnds] = useState(0);
  const stop = (): void => setRun((r) => {
    best.value = { ...best.peek(), [game]: Math.max(best.peek()[game] ?? 0, r.solved) };
    return { ...r, going: false, done: true };
  });
  useEffect(() => {
    if (!run.going) return;
    const timer = setInterval(() => {
      const left = ends - performance.now();
      if (left <= 0) stop();
      else setRun((r) => ({ ...r, left }));
    }, 250);
    return () => clearInterval(timer);
  }, [run.going]);
  const start = (): void => {
    setEnds(performance.now() + lasts);
    setTries(0);
    setRun({ going: true, left: lasts, solved: 0, done: false });
    open(0);
  };
  const tried = (well: boolean): void => {
    if (!run.going) return;
    setTries(tries + 1);
    if (well) setRun((r) => ({ ...r, solved: r.solved + 1 }));
    setTimeout(() => open(tries + 1), seen);
  };
  return { run, start, stop, tried };
}

/** RunBar starts a run and shows its time, then its result. */
export function RunBar({ game, run, start, stop }: { game: string; run: Run; start: () => void; stop: () => void }): JSX.Element {
  const seconds = Math.ceil(run.left / 1_000);
  return (
    <div class="run">
      {run.going
        ? <><b role="timer">{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}</b><span>{count("run.solved", run.solved)}</span><button onClick={stop}>{say("run.stop")}</button></>
        : <><button onClick={start}>{say("run.start")}</button><span role="status">{run.done ? `${count("run.over", run.solved)} ${say("run.best", { n: best.value[game] ?? 0 })}` : ""}</span></>}
    </div>
  );
}
