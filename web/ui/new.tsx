// The form for a new game of any kind, on any board, against anybody.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { Demo } from "./demo";
import { Setup } from "./setup";
import { say } from "./words";

export function Main(): JSX.Element {
  const [game, setGame] = useState("othello");
  return (
    <main id="main" class="home new">
      <div class="intro">
        <h1>{say("setup.title")}</h1>
        <Demo game={game} />
      </div>
      <Setup onGame={setGame} />
      <p class="note"><a href="/device">{say("device.title")}</a></p>
    </main>
  );
}
