// What is said aloud: moves, passes, offers, results and low time, to assistive
// technology; and as sounds, for those who switched them on. What is easily missed
// on the board is shown for a moment, too.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { lowTime } from "./clocks";
import type { Match } from "./match";
import { beep } from "./sound";
import { sound } from "./store";
import { resultText } from "./table";
import { sides, type View } from "./types";
import { count, playerName, say, sideName } from "./words";

/** News is a sentence; what is brief is shown, too, for as long as it takes to read. */
interface News {
  text: string;
  brief?: boolean;
}

export function Announcer({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!;
  const before = useRef<View>(v);
  const [text, setText] = useState("");
  const [brief, setBrief] = useState("");
  const hurry = useHurry(match, v);
  useEffect(() => {
    const old = before.current;
    before.current = v;
    if (old === v) return;
    const list = news(old, v, match);
    if (list.length > 0) {
      setText(list.map((n) => n.text).join(" "));
      setBrief(list.filter((n) => n.brief).map((n) => n.text).join(" "));
    }
    if (sound.value && v.ply > old.ply) beep(v.state === "over" ? "end" : "move");
  }, [v]);
  return (
    <>
      <p class="hidden" aria-live="polite" data-announce>{text}</p>
      <p class="hidden" role="alert" data-hurry>{hurry}</p>
      {brief && <p class="toast" key={v.events} aria-hidden="true">{brief}</p>}
    </>
  );
}

/** useHurry says that one's own time runs low, when it does. */
function useHurry(match: Match, v: View): string {
  const [text, setText] = useState("");
  useEffect(() => {
    const side = v.running ? v.turn : null;
    if (!side || !v.you.includes(side) || !v.clocks) return setText("");
    const low = lowTime(v.clock);
    const wait = v.clocks[side] - (performance.now() - match.told.value) - low;
    if (wait < 0 || wait > 2 ** 31 - 1) return; // it has been said, or is days away
    const timer = setTimeout(() => {
      setText(v.clock?.days ? say("news.low.hour") : count("news.low", Math.round(low / 1000)));
      if (sound.value) beep("low");
    }, wait);
    return () => clearTimeout(timer);
  }, [v]);
  return text;
}

/** news says in sentences what has changed. */
function news(old: View, v: View, match: Match): News[] {
  const list: News[] = [];
  if (v.ply === old.ply + 1 && old.turn) {
    const side = sideName(v.game, old.turn);
    const move = v.moves[v.ply - 1];
    list.push(move.toLowerCase() === "pass" ? { text: say("news.pass", { side }), brief: true } : { text: say("news.move", { side, move }) });
  } else if (v.ply < old.ply) list.push({ text: say("news.back", { n: v.ply }), brief: true });
  else if (v.ply > old.ply) list.push({ text: say("news.ahead", { n: v.ply }) });
  list.push(...ofPlayers(old, v));
  if (v.state === "over" && old.state !== "over") list.push({ text: resultText(v) });
  else if (v.turn && match.you.value.includes(v.turn) && v.ply !== old.ply && v.turn !== old.turn) list.push({ text: say("status.you") });
  return list;
}

/** ofPlayers says who has come, what the others ask for, and what they did not want. */
function ofPlayers(old: View, v: View): News[] {
  const list: News[] = [];
  for (const side of sides) {
    const name = sideName(v.game, side), other = sideName(v.game, side === "first" ? "second" : "first");
    const mine = v.you.includes(side);
    if (v.seats[side] && !old.seats[side] && !mine) list.push({ text: say("news.sat", { name: playerName(v.seats[side]!), side: name }), brief: true });
    for (const r of v.asked[side]) if (!old.asked[side].includes(r) && !mine) list.push({ text: say(`news.asks.${r}`, { side: name }) });
    const refused = old.asked[side].some((r) => !v.asked[side].includes(r)) && v.ply === old.ply && v.state === old.state && !v.next;
    if (refused && mine) list.push({ text: say("news.declined", { side: other }), brief: true });
  }
  return list;
}
