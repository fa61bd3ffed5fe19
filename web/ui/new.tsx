// The first page: play now, take an open seat, watch, continue a game.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { Demo } from "./demo";
import { Going, Lists, useLists } from "./lists";
import { Setup } from "./setup";
import { boot, say } from "./words";

export function Main(): JSX.Element {
  const missing = boot.page === "missing";
  const [game, setGame] = useState("othello");
  const lists = useLists();
  return (
    <main id="main" class={`home ${boot.page}`}>
      <div class="intro">
        <div>
          <h1>{missing ? say("missing.title") : say("home.title")}</h1>
          <p>{missing ? say("missing.text") : say("home.text")}</p>
        </div>
        <Going {...lists} />
        <Demo game={game} />
      </div>
      <Setup onGame={setGame} />
      <nav class="bar">
        {[`learn/${game}`, `puzzles/${game}`, `analysis/${game}`, `editor/${game}`, "review"].map((to) => <a class="button" href={`/${to}`}>{say(`home.${to.split("/")[0]}`)}</a>)}
      </nav>
      <Lists {...lists} />
    </main>
  );
}
