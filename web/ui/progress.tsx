// What this browser made of its puzzles: a rating in each game, and the streak of days.

import type { JSX } from "preact";
import { solved, streak, streakOn } from "./store";
import { ratings, type Rating } from "./syncprogress";
import type { Daily } from "./today";
import { count, gameTitle, say } from "./words";

const start = 1000; // where everybody begins
const settled = 20; // puzzles after which a rating moves half as fast
const [fast, slow] = [40, 20]; // the most that a puzzle changes

/** ratingOf places the difficulty of a puzzle, 1 to 10, on the scale of the ratings. */
const ratingOf = (difficulty: number): number => 500 + 150 * difficulty;

/** rate returns a rating after a puzzle was solved at the first try (1) or not (0). */
export function rate(before: Rating | undefined, difficulty: number, score: 0 | 1): Rating {
  const { rating, puzzles } = before ?? { rating: start, puzzles: 0 };
  const expected = 1 / (1 + 10 ** ((ratingOf(difficulty) - rating) / 400));
  const change = Math.round((puzzles < settled ? fast : slow) * (score - expected));
  return { rating: rating + change, puzzles: puzzles + 1, change };
}

/** record notes what became of a puzzle: true, false or null, as in solved. Only the first result is rated. */
export function record(game: string, puzzle: { id: string; difficulty: number }, result: boolean | null): void {
  const own = solved.peek()[game] ?? {}, before = own[puzzle.id];
  if (before === undefined) ratings.value = { ...ratings.peek(), [game]: rate(ratings.peek()[game], puzzle.difficulty, result ? 1 : 0) };
  if (typeof before !== "boolean") solved.value = { ...solved.peek(), [game]: { ...own, [puzzle.id]: result } };
}

/** solvedIn returns how many puzzles of a game this browser solved. */
export const solvedIn = (game: string): number => Object.values(solved.value[game] ?? {}).filter((v) => v !== null).length;

/** extendStreak notes that a puzzle of the day was solved. */
export function extendStreak(day: string): void {
  const { last, best } = streak.peek();
  if (last === day) return;
  const run = streakOn(day) + 1;
  streak.value = { last: day, run, best: Math.max(best, run) };
}

/** Progress shows the rating, the streak and the puzzles of the day. */
export function Progress({ game, all, daily, now }: { game: string; all: number; daily: Daily | null; now: string }): JSX.Element {
  const own = ratings.value[game], run = daily ? streakOn(daily.day) : 0;
  return (
    <section class="card progress" aria-label={say("progress.title")}>
      <dl>
        <div><dt>{say("progress.rating")}</dt><dd>{own?.rating ?? start}{own && <small class={own.change < 0 ? "loss" : "gain"}>{own.change < 0 ? "−" : "+"}{Math.abs(own.change)}</small>}</dd></div>
        <div><dt>{say("progress.solved")}</dt><dd>{solvedIn(game)}<small>/{all}</small></dd></div>
        <div><dt>{say("progress.streak")}</dt><dd>{run}<small>{count("progress.days", run)}</small></dd></div>
      </dl>
      {daily && (
        <>
          <h2>{say("today.title")}</h2>
          <ul class="dailies">
            {daily.puzzles.map((p) => {
              const done = typeof solved.value[p.game]?.[p.id] === "boolean";
              return <li key={p.game}><a class={done ? "done" : ""} aria-current={p.id === now ? "true" : undefined} href={`/puzzles/${p.game}?id=${p.id}`}>{gameTitle(p.game)}{done && <span class="hidden">{say("progress.done")}</span>}</a></li>;
            })}
          </ul>
        </>
      )}
    </section>
  );
}
