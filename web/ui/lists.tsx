// Games on the server: one's own, those with an open seat, and those to watch.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { list, pathOf, show, type Listed, type Trouble } from "./api";
import { controlText } from "./clocks";
import { forget, keyTo, mine } from "./store";
import { resultText } from "./table";
import { sides, type View } from "./types";
import { gameTitle, playerName, say, sideName } from "./words";

const every = 4_000;

export function Lists(): JSX.Element {
  const [found, setFound] = useState<Found | null>(null);
  const known = useRef(new Map<string, View>());
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const [own, open, live, over] = await Promise.all([ownGames(known.current), ...["open", "live", "over"].map(named)]);
      const ids = new Set(own.map((g) => g.id));
      const others = (list: Listed[]): Listed[] => list.filter((g) => !ids.has(g.id));
      setFound({ own, open: others(open), live: others(live), over: over.filter((g) => g.reason !== "aborted") });
    };
    const again = (): void => void look().catch(() => {}); // what was found before stays
    const timer = setInterval(again, every);
    again();
    return () => clearInterval(timer);
  }, []);
  if (!found) return <div class="lists" />; // all come at once, so that none moves another away
  return (
    <div class="lists">
      {found.own.length > 0 && <List title={say("lists.own")} games={found.own} empty="" verb={say("lists.back")} />}
      <List title={say("lists.open")} games={found.open} empty={say("lists.open.none")} verb={say("lists.join")} />
      <List title={say("lists.live")} games={found.live} empty={say("lists.live.none")} verb={say("lists.watch")} />
      {found.over.length > 0 && <List title={say("lists.over")} games={found.over} empty="" verb={say("lists.look")} />}
    </div>
  );
}

interface Found {
  own: View[];
  open: Listed[];
  live: Listed[];
  over: Listed[];
}

/** named returns the latest games of a state. */
const named = async (state: string): Promise<Listed[]> => (await list(`state=${state}&limit=${most}`)).games;

const most = 8; // games in a list of the server, and own ones that are asked for at a time

/**
 * ownGames returns the games in which this browser has a seat and that go on: those
 * in which it is one's turn, and then the others, the latest first. Games that are
 * not known are asked for, and of the others some at a time, by turns: there may be
 * many that last for weeks.
 */
async function ownGames(known: Map<string, View>): Promise<View[]> {
  const ids = mine.peek().map((g) => g.id);
  for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
  const due = [...ids.filter((id) => !known.has(id)), ...[...known.keys()].slice(0, most)];
  for (let i = 0; i < due.length; i += most) await Promise.all(due.slice(i, i + most).map((id) => ownGame(id, known)));
  const own = ids.map((id) => known.get(id)).filter((v) => v !== undefined && v.you.length > 0) as View[]; // a seat is gone with its cookie
  return [...own.filter(isTurn), ...own.filter((v) => !isTurn(v))];
}

/** isTurn reports whether a game waits for who looks; who plays both sides is not waited for. */
const isTurn = (g: Listed | View): boolean => "you" in g && g.state === "live" && g.you.length === 1 && g.you[0] === g.turn;

/** ownGame asks for a game; it is forgotten when it is over, or no more. */
async function ownGame(id: string, known: Map<string, View>): Promise<void> {
  try {
    const v = await show(id);
    known.delete(id); // it comes last now
    if (v.state === "over") forget(id);
    else known.set(id, v);
  } catch (e) {
    const { status } = e as Trouble;
    if (status === 0) throw e; // nothing is known of any
    if (status === 404) forget(id);
  }
}

function List({ title, games, empty, verb }: { title: string; games: (Listed | View)[]; empty: string; verb: string }): JSX.Element {
  return (
    <section class="card list-card">
      <h2>{title}</h2>
      {games.length === 0 && <p class="note">{empty}</p>}
      <ul>{games.map((g) => <Row key={g.id} g={g} verb={verb} />)}</ul>
    </section>
  );
}

function Row({ g, verb }: { g: Listed | View; verb: string }): JSX.Element {
  const names = sides.map((s) => (g.seats[s] ? playerName(g.seats[s]) : say("seat.free", { side: sideName(g.game, s) })));
  const size = g.options?.size ? ` ${g.options.size}×${g.options.size}` : "";
  return (
    <li>
      <a href={pathOf(g.id, keyTo(g.id))}>
        <span class="line"><b>{gameTitle(g.game)}{size}</b> <span class="note">{g.clock ? controlText(g.clock) : ""}</span></span>
        <span class="line">{names.join(" – ")}</span>
        <span class="line">{[g.state === "over" ? resultText(g) : "", g.watching > 0 ? say("watching", { n: g.watching }) : ""].filter(Boolean).join(" · ")}</span>
        <span class={isTurn(g) ? "go now" : "go"}>{isTurn(g) ? say("status.you") : verb}</span>
      </a>
    </li>
  );
}
