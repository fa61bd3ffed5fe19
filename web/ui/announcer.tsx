// What is said aloud: moves, passes, offers and results, to assistive technology;
// and as sounds, for those who switched them on.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Match } from "./match";
import { beep } from "./sound";
import { sound } from "./store";
import { resultText } from "./table";
import type { Side, View } from "./types";
import { playerName, say, sideName } from "./words";

export function Announcer({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!;
  const before = useRef<View>(v);
  const [text, setText] = useState("");
  const [passed, setPassed] = useState("");
  useEffect(() => {
    const old = before.current;
    before.current = v;
    if (old === v) return;
    const lines = news(old, v, match);
    if (lines.length > 0) setText(lines.join(" "));
    if (v.ply !== old.ply) setPassed(v.last?.to === undefined && v.ply > 0 && v.moves[v.ply - 1]?.toLowerCase() === "pass" ? lines[0] : "");
    if (sound.value && v.ply > old.ply) beep(v.state === "over" ? "end" : "move");
  }, [v]);
  return (
    <>
      <p class="hidden" aria-live="polite" data-announce>{text}</p>
      {passed && <p class="toast" key={v.ply} aria-hidden="true">{passed}</p>}
    </>
  );
}

/** news says in sentences what has changed. */
function news(old: View, v: View, match: Match): string[] {
  const lines: string[] = [];
  const both: Side[] = ["first", "second"];
  if (v.ply === old.ply + 1 && old.turn) {
    const side = sideName(v.game, old.turn);
    const move = v.moves[v.ply - 1];
    lines.push(move.toLowerCase() === "pass" ? say("news.pass", { side }) : say("news.move", { side, move }));
  } else if (v.ply < old.ply) lines.push(say("news.back", { n: v.ply }));
  else if (v.ply > old.ply) lines.push(say("news.ahead", { n: v.ply }));
  for (const side of both) {
    if (v.seats[side] && !old.seats[side]) lines.push(say("news.sat", { name: playerName(v.seats[side]!), side: sideName(v.game, side) }));
    for (const r of v.asked[side]) if (!old.asked[side].includes(r) && !v.you.includes(side)) lines.push(say(`news.asks.${r}`, { side: sideName(v.game, side) }));
  }
  if (v.state === "over" && old.state !== "over") lines.push(resultText(v));
  else if (v.turn && match.you.value.includes(v.turn) && v.ply !== old.ply && v.turn !== old.turn) lines.push(say("status.you"));
  return lines;
}
