// How a game is played, in some sentences.

import type { JSX } from "preact";
import { has, say } from "./words";

/** Rules are shown when they are asked for: they say nothing that the players have to know before. */
export function Rules({ game, options }: { game: string; options?: Record<string, string> }): JSX.Element | null {
  if (!has(`rules.${game}`)) return null;
  const halt = options?.halt && has(`rules.halt.${options.halt}`) ? say(`rules.halt.${options.halt}`) : "";
  return (
    <details class="rules">
      <summary>{say("rules.title")}</summary>
      {say(`rules.${game}`).split("\n").map((line) => <p key={line}>{line}</p>)}
      {halt && <p>{halt}</p>}
    </details>
  );
}
