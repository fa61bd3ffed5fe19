// Index pages, which link to a page for each game: puzzles, lessons, analysis, editor. Also the page
// about the site.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { columns, crop, Diagram } from "./diagram";
import { learnt, solved } from "./store";
import { useSyncedProgress } from "./syncprogress";
import { daily, Today, type Daily } from "./today";
import { boot, count, facts, gameTitle, language, say } from "./words";

/** more maps each index to links to related pages. */
const more: Record<string, string[]> = { analysis: ["editor", "review"], puzzles: ["learn"], learn: ["puzzles", "class", "about"], editor: ["analysis"], about: ["learn", "watch", "class"] };

/** live are pages that a static site lacks. */
const live = ["watch", "class", "review"];

export function Main(): JSX.Element {
  useSyncedProgress();
  const page = boot.id!;
  return (
    <main id="main" class="index">
      <h1>{say(`index.${page}`)}</h1>
      <p class="note">{say(`index.${page}.text`)}</p>
      {page === "puzzles" && <Puzzles />}
      {page === "about" ? <>{say("about.text").split("\n").map((line) => <p key={line}>{line}</p>)}{language !== "en" && <p>{say("about.translation", { file: `internal/lang/${language}.json` })}</p>}</> : <Kinds page={page} />}
      <nav class="bar" aria-label={say("index.more")}>{more[page].filter((to) => !boot.local || !live.includes(to)).map((to) => <a key={to} class="button" href={`/${to}`}>{say(`index.${to}`)}</a>)}</nav>
    </main>
  );
}

/** Puzzles shows the puzzles of the day. */
function Puzzles(): JSX.Element {
  const [today, setToday] = useState<Daily | null>(null);
  useEffect(() => void daily().then(setToday, () => {}), []);
  return today ? <Today {...today} /> : <div class="today" />;
}

/** Kinds links to the page of each game and shows the visitor's progress there. */
function Kinds({ page }: { page: string }): JSX.Element {
  return (
    <ul class="kinds" style={{ "--games": columns(facts.games.length) }}>
      {facts.games.map(({ name, face }) => (
        <li key={name}>
          <a class="card" href={`/${page}/${name}`}>
            <span class="face" aria-hidden="true"><Diagram game={name} board={crop(face)} label="" /></span>
            <b>{gameTitle(name)}</b>
            <span class="note">{doneOf(page, name)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** doneOf describes this browser's progress in a game. */
function doneOf(page: string, game: string): string {
  const list = page === "learn" ? learnt.value[game] ?? [] : page === "puzzles" ? Object.values(solved.value[game] ?? {}).filter((v) => v !== null) : [];
  return list.length > 0 ? count(`index.${page}.done`, list.length) : "";
}
