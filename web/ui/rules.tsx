// The rules of a game in a few sentences.

import type { JSX } from "preact";
import { has, say } from "./words";

/** Rules are folded unless open: players need not know them to begin. */
export function Rules({ game, options, open }: { game: string; options?: Record<string, string>; open?: boolean }): JSX.Element | null {
  if (!has(`rules.${game}`)) return null;
  const halt = options?.halt && has(`rules.halt.${options.halt}`) ? say(`rules.halt.${options.halt}`) : "";
  return (
    <details class="rules" open={open}>
      <summary>{say("rules.title")}</summary>
      {say(`rules.${game}`).split("\n").map((line) => <p key={line}>{line}</p>)}
      {halt && <p>{halt}</p>}
    </details>
  );
}
