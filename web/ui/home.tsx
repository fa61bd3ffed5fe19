// The first page: your games, Play now, a game to watch, the puzzles of the day.

import type { JSX } from "preact";
import { Demo } from "./demo";
import { Going, Others, useLists } from "./lists";
import { PlayNow } from "./playnow";
import { engines, useBest } from "./rows";
import { Screen } from "./screen";
import { learnt, mine, solved } from "./store";
import { Today } from "./today";
import { boot, gameTitle, say } from "./words";

const known = "othello"; // the game that new visitors see

/** isNew reports whether nothing has been played, learnt or solved in this browser. */
const isNew = (): boolean => mine.peek().length === 0 && [learnt, solved].every((s) => Object.keys(s.peek()).length === 0);

export function Main(): JSX.Element {
  const missing = boot.page === "missing";
  const lists = useLists(), { found, puzzles } = lists;
  const people = found?.live.filter((g) => engines(g) < 2), best = useBest(people);
  return (
    <main id="main" class={`home ${boot.page}`}>
      {missing ? <div class="intro"><h1>{say("missing.title")}</h1><p>{say("missing.text")}</p></div> : <h1 class={isNew() ? "" : "hidden"}>{say("home.title")}</h1>}
      <Going {...lists} />
      <PlayNow crowd={found?.crowd ?? null} />
      <section class="card tv">
        <h2>{best ? say("tv.live") : isNew() ? say("first.ask", { game: gameTitle(known) }) : say("tv.demo")}</h2>
        {best ? <Screen id={best} /> : <Demo game={known} />}
        <p class="note">{best || !isNew() ? <a href="/watch">{say("tv.more")}</a> : <><a href={`/learn/${known}`}>{say("first.learn")}</a> {say("first.or")} <a href={`/new?game=${known}&opponent=engine`}>{say("first.play")}</a></>}</p>
      </section>
      {puzzles ? <Today {...puzzles} /> : <div class="today" />}
      <Others {...lists} />
    </main>
  );
}
