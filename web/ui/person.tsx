// A person's page: name, results and ratings, and a search of their games.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedEvent } from "preact";
import { call, type Listed, type Trouble, who } from "./api";
import { Curve } from "./chart";
import { turns } from "./nextgame";
import { List, Row } from "./rows";
import { About, Followed } from "./people";
import { dateText } from "./vacation";
import { boot, count, facts, gameTitle, has, language, listed, say } from "./words";

interface Person {
  name: string;
  role: string;
  created: string;
  games: { games: number; won: number; lost: number; drawn: number };
  ratings: Standing[];
  vacation?: string;
}

interface Standing {
  board: string;
  speed: string;
  rating: number;
  deviation: number;
  games: number;
  provisional: boolean;
}

interface Point {
  games: number;
  time: string;
  rating: number;
  deviation: number;
}

interface Found {
  games: Listed[];
  next?: string;
}

export function Main(): JSX.Element {
  const path = `/api/people/${encodeURIComponent(boot.id!)}`;
  const [person, setPerson] = useState<Person | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => void call<Person>("GET", path).then(setPerson, (e: Trouble) => setTrouble(e.message)), []);
  if (!person) return <main id="main" class="person">{trouble ? <><h1>{boot.id}</h1><p role="alert">{trouble}</p></> : <h1>{boot.id}</h1>}</main>;
  const { games, won, lost, drawn } = person.games;
  return (
    <main id="main" class="person">
      <h1>{person.name}</h1>
      <p class="note">{say("person.since", { date: new Date(person.created).toLocaleDateString(language, { dateStyle: "long" }) })}</p>
      <p>{games ? say("person.tally", { games, won, lost, drawn }) : say("person.tally.none")}</p>
      {person.vacation && <p>{say("vacation.until", { date: dateText(person.vacation) })}</p>}
      <About name={person.name} />
      <Followed name={person.name} />
      <Turns name={person.name} />
      {person.ratings.length > 0 && <Ratings list={person.ratings} path={`${path}/ratings`} />}
      <Games path={`${path}/games`} />
    </main>
  );
}

/** Turns lists the games that wait for the visitor, on the visitor's own page. */
function Turns({ name }: { name: string }): JSX.Element | null {
  const [games, setGames] = useState<Listed[]>([]), own = who.value?.guest === false && who.value.name === name;
  useEffect(() => { if (own) void turns().then(setGames, () => {}); }, [own]);
  return games.length > 0 ? <List title={say("person.turns")} games={games} empty="" verb={say("status.you")} /> : null;
}

/** Ratings shows the rating for each board and speed, and how it came about. */
function Ratings({ list, path }: { list: Standing[]; path: string }): JSX.Element {
  const [curves, setCurves] = useState<(Standing & { points: Point[] })[]>([]);
  const [failed, setFailed] = useState(false); // the ratings are there without their curves
  useEffect(() => void call<{ ratings: typeof curves }>("GET", path).then((a) => setCurves(a.ratings), () => setFailed(true)), []);
  return (
    <section class="card list-card">
      <h2>{say("person.ratings")}</h2>
      <ul class="curves">{list.map((r) => <Rating key={`${r.board} ${r.speed}`} r={r} failed={failed} points={curves.find((c) => c.board === r.board && c.speed === r.speed)?.points} />)}</ul>
    </section>
  );
}

/** Rating shows a rating, and the curve of its points when they are known. */
function Rating({ r, failed, points }: { r: Standing; failed: boolean; points?: Point[] }): JSX.Element {
  const [step, look] = useState<number | null>(null);
  const board = has(`person.board.${r.board}`) ? say(`person.board.${r.board}`) : gameTitle(r.board), speed = say(`person.speed.${r.speed}`);
  const rating = say("person.rating", { board, speed, rating: r.rating, deviation: r.deviation });
  const values = points?.map((p) => p.rating) ?? [];
  const all = points && say("person.curve", { from: values[0], to: values.at(-1)!, games: count("person.curve.games", points.at(-1)!.games), high: Math.max(...values) });
  const at = step ?? values.length - 1, p = points?.[at];
  const text = p ? say("person.curve.at", { games: count("person.curve.games", p.games), rating: p.rating, deviation: p.deviation, date: new Date(p.time).toLocaleDateString(language, { dateStyle: "medium" }) }) : "";
  return (
    <li>
      <span>{r.provisional ? say("person.provisional", { rating }) : rating}</span>
      {points ? <Curve values={values} at={at} label={say("list.named", { name: listed([board, speed]), text: all! })} text={text} onLook={look} /> : !failed && <div class="chart" />}
      <span class="note">{(step === null ? all : text) ?? " "}</span>
    </li>
  );
}

/** Games lists a person's games, with filters. */
function Games({ path }: { path: string }): JSX.Element {
  const [query, setQuery] = useState<Record<string, string>>({});
  const [found, setFound] = useState<Found | null>(null);
  const [trouble, setTrouble] = useState("");
  const ask = (q: Record<string, string>, before: Listed[] = []): void => {
    const filled = Object.entries(q).filter(([, v]) => v);
    void call<Found>("GET", `${path}?${new URLSearchParams(filled)}`).then((f) => { setTrouble(""); setFound({ ...f, games: [...before, ...f.games] }); }, (e: Trouble) => setTrouble(e.message));
  };
  useEffect(() => ask({ limit: "20", ...query }), [query]);
  const set = (name: string) => (e: TargetedEvent<HTMLSelectElement | HTMLInputElement>): void => {
    const text = e.currentTarget.value;
    setQuery({ ...query, [name]: name === "before" && text ? String(Date.parse(text) + 86_400_000) : text });
  };
  return (
    <section class="card list-card">
      <h2>{say("person.games")}</h2>
      <div class="filters">
        <label class="field">{say("person.game")}<select onChange={set("game")}><option value="">{say("person.any")}</option>{facts.games.map((g) => <option key={g.name} value={g.name}>{gameTitle(g.name)}</option>)}</select></label>
        <label class="field">{say("person.result")}<select onChange={set("result")}>{["", "won", "lost", "drawn"].map((r) => <option key={r} value={r}>{say(`person.${r || "any"}`)}</option>)}</select></label>
        <label class="field">{say("person.opponent")}<input maxLength={20} onChange={set("opponent")} /></label>
        <label class="field">{say("person.before")}<input type="date" onChange={set("before")} /></label>
      </div>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
      {found?.games.length === 0 && <p class="note" role="status">{say("person.none")}</p>}
      <ul>{found?.games.map((g) => <Row key={g.id} g={g} verb={say("lists.look")} />)}</ul>
      {found?.next && <button type="button" class="quiet all" onClick={() => ask({ limit: "20", ...query, before: found.next! }, found.games)}>{say("lists.more")}</button>}
    </section>
  );
}
