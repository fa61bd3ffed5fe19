// The first page: play now, take an open seat, watch, come back.

import type { JSX } from "preact";
import { Lists } from "./lists";
import { Setup } from "./setup";
import { say } from "./words";

export function Home({ missing }: { missing: boolean }): JSX.Element {
  return (
    <main id="main" class="home">
      <div class="intro">
        <h1>{missing ? say("missing.title") : say("home.title")}</h1>
        <p>{missing ? say("missing.text") : say("home.text")}</p>
      </div>
      <Setup />
      <Lists />
    </main>
  );
}
