// The puzzles of the day on the first page: one of each game, and the streak.

import type { JSX } from "preact";
import { call } from "./api";
import { columns, crop, Diagram } from "./diagram";
import { solved, streakOn } from "./store";
import type { Board } from "./types";
import { count, gameTitle, say } from "./words";

/** Daily has the puzzles of a day (UTC): the server chooses them. */
export interface Daily {
  day: string;
  puzzles: { game: string; id: string; board: Board }[];
}

export const daily = (): Promise<Daily> => call("GET", "/api/puzzles/today");

/** Today leads to the puzzles of the day, and says which of them are solved. */
export function Today({ day, puzzles }: Daily): JSX.Element {
  const run = streakOn(day);
  return (
    <section class="card list-card today">
      <h2>{say("today.title")}{run > 0 && <span class="note">{count("today.streak", run)}</span>}</h2>
      <ul style={{ "--games": columns(puzzles.length) }}>
        {puzzles.map(({ game, id, board }) => {
          const done = typeof solved.value[game]?.[id] === "boolean";
          return (
            <li key={game}>
              <a href={`/puzzles/${game}?id=${id}`} class={done ? "done" : ""} aria-label={say(done ? "today.done" : "today.open", { game: gameTitle(game) })}>
                <span class="face"><Diagram game={game} board={crop(board)} label="" /></span>
                <span aria-hidden="true">{gameTitle(game)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
