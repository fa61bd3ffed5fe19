// Conditional moves: what the server answers for a player, in a game with days for a move.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, withKey, type Trouble } from "./api";
import type { Match } from "./match";
import { slow } from "./nextgame";
import { say } from "./words";

/** Conditional lists and changes the player's conditional moves while the opponent is to move. */
export function Conditional({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  return slow(v) && v.state === "live" && v.turn !== v.you[0] ? <Lines key={v.events} match={match} /> : null;
}

function Lines({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!, path = withKey(`/api/games/${v.id}/conditional`);
  const [lines, setLines] = useState<string[][]>([]), [text, setText] = useState(""), [trouble, setTrouble] = useState("");
  useEffect(() => void call<{ lines: string[][] }>("GET", path).then((a) => setLines(a.lines), () => {}), []);
  const put = (list: string[][]): void => void call<{ lines: string[][] }>("POST", path, { lines: list }).then((a) => { setLines(a.lines); setText(""); setTrouble(""); }, (e: Trouble) => setTrouble(e.message));
  return (
    <details class="conditional">
      <summary>{say("plan.title", { n: lines.length })}</summary>
      <p class="note">{say("plan.text")}</p>
      <ul>
        {lines.map((line) => {
          const moves = line.join(" ");
          return <li key={moves} class="bar"><code>{moves}</code><button type="button" class="quiet" aria-label={say("plan.remove.one", { moves })} onClick={() => put(lines.filter((l) => l !== line))}>{say("plan.remove")}</button></li>;
        })}
      </ul>
      <form class="typed" onSubmit={(e) => { e.preventDefault(); if (text.trim()) put([...lines, text.trim().split(/\s+/)]); }}>
        <input aria-label={say("plan.label")} value={text} onInput={(e) => setText(e.currentTarget.value)} placeholder={say("plan.example", { move: v.legal[0]?.move ?? "" })} autocomplete="off" autocapitalize="off" spellcheck={false} />
        <button>{say("plan.add")}</button>
      </form>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
    </details>
  );
}
