// Announces moves, passes, offers, results and low time to assistive technology, and as
// sounds if they are on. What is easily missed on the board is also shown briefly.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { lowTime } from "./clocks";
import { endText } from "./ending";
import type { Match } from "./match";
import { beep } from "./sound";
import { mustPass, sides, type Both, type Presence, type View } from "./types";
import { count, gameTitle, places, playerName, say, sideName } from "./words";

/** News is a sentence; a brief one is also shown for as long as it takes to read. */
interface News {
  text: string;
  brief?: boolean;
}

const long = 3_500; // milliseconds for which it is shown, as in frame.css

/** Told is an announcement with a number, because the same sentence may repeat. */
interface Told {
  text: string;
  n: number;
}

export function Announcer({ match }: { match: Match }): JSX.Element {
  const v = match.view.value!, up = match.link.up.value;
  const before = useRef<{ v: View; up?: boolean }>({ v, up });
  const [said, setSaid] = useState<Told>({ text: "", n: 0 });
  const [brief, setBrief] = useState<Told>({ text: "", n: 0 });
  const hurry = useHurry(match, v);
  const { of } = match.presence.value, there = useRef(of);
  useEffect(() => {
    const list = v.state === "open" ? [] : ofPresence(there.current, of, v);
    there.current = of;
    if (list.length > 0) setSaid(({ n }) => ({ text: list.join(" "), n: n + 1 }));
  }, [of]);
  useEffect(() => {
    const old = before.current;
    before.current = { v, up };
    const list = old.v === v ? [] : news(old.v, v, match.notation(v.ply));
    if (up && old.up === false) list.unshift({ text: say("connection.back") });
    noise(old.v, v);
    if (list.length === 0) return;
    const shown = list.filter((n) => n.brief), text = (of: News[]): string => of.map((n) => n.text).join(" ");
    setSaid(({ n }) => ({ text: text(list), n: n + 1 }));
    if (shown.length > 0) setBrief(({ n }) => ({ text: text(shown), n: n + 1 }));
  }, [v, up]);
  useEffect(() => {
    const timer = setTimeout(() => setBrief(({ n }) => ({ text: "", n })), long);
    return () => clearTimeout(timer);
  }, [brief.n]);
  return (
    <>
      <p class="hidden" aria-live="polite" data-announce><span key={said.n}>{said.text}</span></p>
      <p class="hidden" role="alert" data-hurry>{hurry}</p>
      {brief.text && <p class="toast" key={brief.n} aria-hidden="true">{brief.text}</p>}
    </>
  );
}

/** ofPresence says which opponent left or came back. */
function ofPresence(old: Both<Presence | null>, now: Both<Presence | null>, v: View): string[] {
  return sides.filter((s) => !v.you.includes(s) && v.seats[s] && old[s] && now[s] && old[s].here !== now[s].here)
    .map((s) => say(now[s]!.here ? "news.here" : "news.away", { name: playerName(v.seats[s]!) }));
}

/** noise returns the sound for a move, the end of a game, or the arrival of an opponent. */
function noise(old: View, v: View): void {
  if (old.state === "open" && v.state === "live" && old.you.length > 0) {
    beep("begin");
    notify(say("news.begun", { game: gameTitle(v.game) }));
  } else if (v.state === "over" && old.state !== "over") beep("end");
  else if (v.ply > old.ply) beep("move", taken(old, v));
}

/** taken counts the pieces that the last move flipped or captured. */
function taken(old: View, v: View): number {
  const digit = v.turn === "first" ? "1" : "2"; // of the side to which they belonged
  const count = (w: View): number => w.board.cells.filter((c) => c.startsWith(digit)).length;
  return v.ply === old.ply + 1 && v.turn !== old.turn ? Math.max(0, count(old) - count(v)) : 0;
}

/** notify shows a system notification if the page is hidden and notifications are allowed. */
function notify(text: string): void {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    new Notification(text, { tag: location.pathname });
  } catch {
    // some phones notify only through service workers: the title and the sound must do
  }
}

/** useHurry announces when the player's own time runs low. */
function useHurry(match: Match, v: View): string {
  const [text, setText] = useState("");
  useEffect(() => {
    const side = v.running ? v.turn : null;
    if (!side || !v.you.includes(side) || !v.clocks) return setText("");
    const low = lowTime(v.clock);
    const wait = v.clocks[side] + v.free - (performance.now() - match.told.value) - low;
    if (wait < 0 || wait > 2 ** 31 - 1) return; // it has been said, or is days away
    const timer = setTimeout(() => {
      setText(v.clock?.days ? say("news.low.hour") : count("news.low", Math.round(low / 1000)));
      beep("low");
    }, wait);
    return () => clearTimeout(timer);
  }, [v, match.told.value]);
  return text;
}

/** news returns sentences about what has changed. */
function news(old: View, v: View, written: string): News[] {
  const list: News[] = [];
  if (v.ply === old.ply + 1 && old.turn) {
    const side = sideName(v.game, old.turn);
    const move = v.moves[v.ply - 1];
    list.push(move.toLowerCase() === "pass" ? { text: say("news.pass", { side }), brief: true } : { text: say("news.move", { side, move: written }) });
  } else if (v.ply < old.ply) list.push({ text: say("news.back", { n: v.ply }), brief: true });
  else if (v.ply > old.ply) list.push({ text: say("news.ahead", { n: v.ply }) });
  list.push(...ofPlayers(old, v));
  if (v.state === "over" && old.state !== "over") list.push({ text: endText(v) });
  return [...list, ...ofTurn(old, v)];
}

/** ofTurn says whether it is the viewer's turn, what is left of it, and whether only a pass is legal. */
function ofTurn(old: View, v: View): News[] {
  const began = old.state !== "live";
  if (v.state !== "live" || !v.turn || !v.you.includes(v.turn) || (v.ply === old.ply && !began)) return [];
  const list: News[] = [];
  const left = places(v);
  if (began || v.turn !== old.turn) list.push({ text: say("status.you") });
  else if (left > 0) list.push({ text: count("note.places", left) });
  if (mustPass(v)) list.push({ text: say("pass.must", { side: sideName(v.game, v.turn) }) });
  return list;
}

/** ofPlayers says who joined, what opponents ask for, and what they declined. */
function ofPlayers(old: View, v: View): News[] {
  const list: News[] = [];
  for (const side of sides) {
    const name = sideName(v.game, side), other = sideName(v.game, side === "first" ? "second" : "first");
    const mine = v.you.includes(side);
    if (mine && !old.you.includes(side)) list.push({ text: say("news.seated", { side: name }) });
    if (v.seats[side] && !old.seats[side] && !mine) list.push({ text: say("news.sat", { name: playerName(v.seats[side]!), side: name }), brief: true });
    for (const r of v.asked[side]) if (!old.asked[side].includes(r) && !mine) list.push({ text: say(`news.asks.${r}`, { side: name }) });
    const refused = old.asked[side].some((r) => !v.asked[side].includes(r)) && v.ply === old.ply && v.state === old.state && !v.next;
    if (refused && mine) list.push({ text: say("news.declined", { side: other }), brief: true });
  }
  return list;
}
