// Games on the server: one's own, those with an open seat, and those to watch.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { list, pathOf, show, type Listed, type Trouble } from "./api";
import { controlText } from "./clocks";
import { Diagram } from "./diagram";
import { Today, daily, type Daily } from "./today";
import { finish, forget, keyTo, mine } from "./store";
import { resultText } from "./status";
import { sides, type View } from "./types";
import { ago, gameTitle, playerName, say, sideName } from "./words";

const every = 4_000; // milliseconds between two looks at the lists
const few = 5; // games that a list shows at first
const most = 30; // games that a list shows when all are asked for
const atOnce = 8; // own games that are asked for at a time
const untouched = 15 * 60_000; // milliseconds without a move, after which a game against an engine is not listed

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
    const [own, open, live, over] = await Promise.all([ownGames(known.current, finished.current), ...["open", "live", "over"].map(named)]);
    await today.current;
    const ids = new Set([...own, ...mine.peek().filter((g) => g.over)].map((g) => g.id));
    const others = (list: Listed[]): Listed[] => list.filter((g) => !ids.has(g.id));
    setFound({ own, open: others(open), live: peopleFirst(others(live)), over: others(over).filter((g) => g.reason !== "aborted") });
  };
  const again = (): void => void look().catch(() => {}); // what was found before stays
  useEffect(() => {
    const timer = setInterval(again, every);
    again();
    return () => clearInterval(timer);
  }, []);
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
  return <div class="going" style={games ? undefined : { minHeight: `${4 + 5.5 * Math.min(first, expected)}rem` }}>{games && <List title={say("lists.own")} games={games} empty="" verb={say("lists.back")} first={first} />}</div>;
}

/** Lists has the puzzles of the day, and all other games. */
export function Lists({ found, puzzles, more }: Lists): JSX.Element {
  if (!found) return <div class="lists" />;
  const own = found.own.filter((v) => v.state === "over");
  return (
    <div class="lists">
      {puzzles && <Today {...puzzles} />}
      {own.length > 0 && <List title={say("lists.ended")} games={own} empty="" verb={say("lists.look")} first={64} more={more} />}
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

const engines = (g: Listed): number => sides.filter((s) => g.seats[s]?.engine).length;

/** peopleFirst sorts games by how many people play them, and drops untouched games against engines. */
function peopleFirst(games: Listed[]): Listed[] {
  const alive = games.filter((g) => engines(g) === 0 || Date.now() - Date.parse(g.updated) < untouched);
  return alive.sort((a, b) => engines(a) - engines(b));
}

const finishedCount = (): number => mine.peek().filter((g) => g.over).length;

/**
 * ownGames returns the games in which this browser has a seat: those in which it is
 * one's turn, the others that go on, and those that are over, the latest first.
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
  return [...goes.filter(isTurn), ...goes.filter((v) => !isTurn(v)), ...own.filter((v) => v.state === "over").sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated))];
}

/** isTurn reports whether a game waits for who looks; who plays both sides is not waited for. */
const isTurn = (g: Listed | View): boolean => "you" in g && g.state === "live" && g.you.length === 1 && g.you[0] === g.turn;

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

function List({ title, games, empty, verb, first = few, more }: { title: string; games: (Listed | View)[]; empty: string; verb: string; first?: number; more?: () => void }): JSX.Element {
  const [all, setAll] = useState(false);
  const rest = !all && games.length > first;
  return (
    <section class="card list-card">
      <h2>{title}</h2>
      {games.length === 0 && <p class="note">{empty}</p>}
      <ul>{(rest ? games.slice(0, first) : games).map((g) => <Row key={g.id} g={g} verb={verb} />)}</ul>
      {(rest || more) && <button type="button" class="quiet all" onClick={() => { setAll(true); more?.(); }}>{say("lists.more")}</button>}
    </section>
  );
}

/** Row is a game in a list, with a link to it. */
export function Row({ g, verb }: { g: Listed | View; verb: string }): JSX.Element {
  const names = sides.map((s) => (g.seats[s] ? playerName(g.seats[s]) : say("seat.free", { side: sideName(g.game, s) })));
  const size = g.options?.size ? ` ${g.options.size}×${g.options.size}` : "";
  const how = isTurn(g) ? say("status.you") : verb;
  const facts = [g.state === "over" ? outcome(g) : "", g.watching > 0 ? say("watching", { n: g.watching }) : "", ago(g.updated)].filter(Boolean).join(" · ");
  const key = keyTo(g.id), query = new URLSearchParams({ ply: String(g.ply), ...(key ? { key } : {}) });
  return (
    <li>
      <a href={pathOf(g.id, key)}>
        {"board" in g ? <span class="thumb"><Diagram game={g.game} board={g.board} label="" /></span> : <img class="thumb" src={`/api/games/${g.id}/board.svg?${query}`} alt="" width="58" height="58" loading="lazy" />}
        <span class="line"><b>{gameTitle(g.game)}{size}</b> <span class="note">{g.clock ? controlText(g.clock) : ""}</span></span>{pause}
        <span class="line"><span>{names[0]}</span> – <span>{names[1]}</span></span>{pause}
        <span class="line"><span>{facts}</span></span>{facts && pause}
        <span class={isTurn(g) ? "go now" : "go"}>{how}</span>
      </a>
    </li>
  );
}

/** pause keeps what screen readers read of a row apart. */
const pause = <span class="hidden">, </span>;

/** outcome says how a game has ended, to its players as theirs. */
function outcome(g: Listed | View): string {
  const me = "you" in g && g.you.length === 1 ? g.you[0] : null;
  if (!me || !/wins$/.test(g.result)) return resultText(g);
  return say(g.result === `${me} wins` ? "over.you.won" : "over.you.lost");
}
