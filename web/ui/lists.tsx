// The visitor's games and open seats on the first page.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, show, who, type Listed, type Trouble } from "./api";
import type { Crowd } from "./playnow";
import { isTurn, List, most, named, peopleFirst } from "./rows";
import { daily, type Daily } from "./today";
import { finish, forget, isMine, mine, remember } from "./store";
import type { View } from "./types";
import { say } from "./words";

const every = 4_000; // milliseconds between two looks at the lists
const few = 5; // finished games that are shown at first
const atOnce = 8; // own games that are asked for at a time

export interface Lists {
  found: Found | null; // null until all are there: they come at once, so that none moves another away
  puzzles: Daily | null;
  more?: () => void; // asks for more finished games
}

/** useLists looks at the lists again and again. */
export function useLists(): Lists {
  const [found, setFound] = useState<Found | null>(null);
  const known = useRef(new Map<string, View>());
  const finished = useRef(few);
  const [puzzles, setPuzzles] = useState<Daily | null>(null);
  const today = useRef<Promise<void> | null>(null); // asked for once; the lists do without
  const look = async (): Promise<void> => {
    if (document.hidden) return;
    today.current ??= daily().then(setPuzzles, () => {});
    if (who.value?.guest === false) for (const g of (await call<{ games: Listed[] }>("GET", "/api/account/turns")).games) if (!isMine(g.id)) remember(g.id); // games from other browsers, too
    const [own, crowd, open, live] = await Promise.all([ownGames(known.current, finished.current), call<Crowd>("GET", "/api/seeks"), ...["open", "live"].map(named)]);
    await today.current;
    const ids = new Set([...own, ...mine.peek().filter((g) => g.over)].map((g) => g.id));
    const others = (list: Listed[]): Listed[] => list.filter((g) => !ids.has(g.id));
    setFound({ own, crowd, open: others(open), live: peopleFirst(others(live)) });
  };
  const again = (): void => void look().catch(() => {}); // what was found before stays
  useEffect(() => {
    const timer = setInterval(again, every);
    again();
    return () => clearInterval(timer);
  }, [who.value?.guest === false]);
  return { found, puzzles, more: finished.current < finishedCount() ? () => { finished.current = most; again(); } : undefined };
}

/**
 * Going lists one's games that are not over, above everything else: they are why players
 * come back. Until they are known, there is room for as many as this browser remembers.
 */
export function Going({ found }: Lists): JSX.Element | null {
  const games = found?.own.filter((v) => v.state !== "over"), expected = mine.peek().filter((g) => !g.over).length;
  const first = Math.max(3, games?.filter(isTurn).length ?? 0);
  if ((games?.length ?? expected) === 0) return null;
  return <div class="going">{games ? <List title={say("lists.own")} games={games} empty="" verb={say("lists.back")} first={first} /> : <section class="card list-card"><h2>{say("lists.own")}</h2><ul aria-hidden="true">{Array.from({ length: Math.min(first, expected) }, (_, i) => <li key={i} />)}</ul></section>}</div>;
}

/** Others lists open seats and the visitor's finished games. */
export function Others({ found, more }: Lists): JSX.Element | null {
  if (!found) return null;
  const own = found.own.filter((v) => v.state === "over");
  return (
    <div class="lists">
      <List title={say("lists.open")} games={found.open} empty={say("lists.open.none")} verb={say("lists.join")} />
      <a class="button" href="/challenges">{say("lists.challenges")}</a>
      {own.length > 0 && <List title={say("lists.ended")} games={own} empty="" verb={say("lists.look")} first={64} more={more} />}
    </div>
  );
}

interface Found {
  own: View[];
  crowd: Crowd;
  open: Listed[];
  live: Listed[];
}

const finishedCount = (): number => mine.peek().filter((g) => g.over).length;

/**
 * ownGames returns the games in which this browser has a seat: those in which it is
 * one's turn, the most urgent first, the others that go on, and those that are over, the latest first.
 * Games that are not known are asked for, and of those that go on some at a time, by
 * turns: there may be many that last for weeks. What is over does not change.
 */
async function ownGames(known: Map<string, View>, finished: number): Promise<View[]> {
  const list = mine.peek(), over = list.filter((g) => g.over).sort((a, b) => b.at - a.at).slice(0, finished);
  const ids = [...list.filter((g) => !g.over), ...over].map((g) => g.id);
  for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
  const due = [...ids.filter((id) => !known.has(id)), ...[...known].filter(([, v]) => v.state !== "over").map(([id]) => id).slice(0, atOnce)];
  for (let i = 0; i < due.length; i += atOnce) await Promise.all(due.slice(i, i + atOnce).map((id) => ownGame(id, known)));
  const own = ids.map((id) => known.get(id)).filter((v) => v !== undefined && v.you.length > 0) as View[]; // a seat is gone with its cookie
  const goes = own.filter((v) => v.state !== "over");
  return [...goes.filter(isTurn).sort((a, b) => left(a) - left(b)), ...goes.filter((v) => !isTurn(v)), ...own.filter((v) => v.state === "over").sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated))];
}

/** left is the time of the side to move, in whole minutes, because the games are asked for one after the other; without a clock, more than any. */
const left = (v: View): number => Math.floor((v.clocks?.[v.turn!] ?? 1e12) / 60_000);

/** ownGame asks for a game; it is forgotten when it was called off, or is no more. */
async function ownGame(id: string, known: Map<string, View>): Promise<void> {
  try {
    const v = await show(id);
    known.delete(id); // it comes last now
    if (v.reason === "aborted") return forget(id);
    if (v.state === "over") finish(id, Date.parse(v.updated));
    known.set(id, v);
  } catch (e) {
    const { status } = e as Trouble;
    if (status === 0) throw e; // nothing is known of any
    if (status === 404) forget(id);
  }
}
