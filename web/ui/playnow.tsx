// Play now: tapping a game's clock searches for an opponent. Each further tap adds a game to the search.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { create, pathOf, type Trouble, who } from "./api";
import { controlText, presets } from "./clocks";
import { columns, crop, Diagram } from "./diagram";
import { seek, type Line, type Want } from "./seeking";
import { choices, remember, userName } from "./store";
import { facts, gameFact, gameTitle, count, listed, say } from "./words";
import type { Control, Side } from "./types";

const speeds = ["3+2", "10+5"]; // clocks that suit most people
const most = 8; // games in one search

/** Crowd counts the people who are here and who are waiting: see docs/api.md. */
export interface Crowd {
  here: Record<string, number>;
  waiting: { game: string; options: Record<string, string>; clock: Control; rated: boolean; people: number }[];
}

const wantOf = (key: string): Want => {
  const [game, clock] = key.split(" ");
  return { game, clock: presets[clock]! };
};

/** isRated reports whether the visitor wants rated games. They need an account. */
const isRated = (): boolean => who.value?.guest === false && choices.value.rated === "yes";

/** waitingFor returns how many people are waiting for a game with its default options. */
function waitingFor(crowd: Crowd | null, key: string): number {
  const { game, clock } = wantOf(key);
  const usual = (options: Record<string, string>): boolean => gameFact(game).options.every((o) => (options[o.name] ?? o.default) === o.default);
  const list = crowd?.waiting.filter((w) => w.game === game && w.rated === isRated() && controlText(w.clock) === controlText(clock) && usual(w.options));
  return (list ?? []).reduce((n, w) => n + w.people, 0);
}

/** Search is the state of a search, as the server reports it. */
interface Search {
  others: number;
  offer: { want: Want; level: string } | null;
}

/** useSearch searches for an opponent while any game is wanted. */
function useSearch(): { wants: string[]; setWants: (w: string[]) => void; found: Search; trouble: string; setTrouble: (t: string) => void } {
  const [wants, setWants] = useState<string[]>([]);
  const [found, setFound] = useState<Search>({ others: 0, offer: null });
  const [trouble, setTrouble] = useState("");
  const rated = isRated();
  useEffect(() => {
    if (wants.length === 0) return;
    const end = new AbortController(), list = wants.map(wantOf);
    setTrouble("");
    setFound({ others: 0, offer: null });
    const hear = (line: Line): void => {
      if (line.kind === "waiting") setFound((f) => ({ ...f, others: line.others }));
      if (line.kind === "level") setFound((f) => ({ ...f, offer: { want: list[line.want], level: line.level } }));
    };
    seek(list, rated, end.signal, hear).then((path) => { location.href = path; }, (e) => {
      if (end.signal.aborted) return;
      setTrouble((e as Trouble).message);
      setWants([]);
    });
    return () => end.abort();
  }, [wants, rated]);
  useEffect(() => { // the browser may restore the page from its cache
    const back = (e: PageTransitionEvent): void => { if (e.persisted) setWants([]); };
    addEventListener("pageshow", back);
    return () => removeEventListener("pageshow", back);
  }, []);
  return { wants, setWants, found, trouble, setTrouble };
}

/** PlayNow shows a row for each game with a button for each clock. */
export function PlayNow({ crowd }: { crowd: Crowd | null }): JSX.Element {
  const { wants, setWants, found, trouble, setTrouble } = useSearch();
  const toggle = (key: string): void => setWants(wants.includes(key) ? wants.filter((w) => w !== key) : [...wants, key].slice(-most));
  return (
    <section class="card playnow">
      <div class="now-head">
        <h2>{say("now.title")}</h2>
        {who.value?.guest === false && <label class="check"><input type="checkbox" checked={isRated()} onChange={(e) => { choices.value = { ...choices.value, rated: e.currentTarget.checked ? "yes" : "" }; }} /><span>{say("now.rated")}</span></label>}
      </div>
      <ul class="now-games" style={{ "--games": columns(facts.games.length) }}>
        {facts.games.map(({ name, face }) => (
          <li key={name}>
            <span class="face" aria-hidden="true"><Diagram game={name} board={crop(face)} label="" /></span>
            <span class="name">{gameTitle(name)}<span class="note">{crowd?.here[name] ? say("now.here", { n: crowd.here[name] }) : ""}</span></span>
            <span class="speeds">{speeds.map((speed) => <Tile key={speed} of={`${name} ${speed}`} crowd={crowd} wants={wants} toggle={toggle} />)}</span>
          </li>
        ))}
      </ul>
      {wants.length > 0
        ? <Waiting wants={wants} found={found} cancel={() => { document.querySelector<HTMLElement>(".speed.main")?.focus(); setWants([]); }} refuse={setTrouble} />
        : <Others trouble={trouble} />}
    </section>
  );
}

/** Tile is the button for a game with a clock; it is pressed during the search. */
function Tile({ of, crowd, wants, toggle }: { of: string; crowd: Crowd | null; wants: string[]; toggle: (key: string) => void }): JSX.Element {
  const want = wantOf(of), pressed = wants.includes(of), waiting = Math.max(0, waitingFor(crowd, of) - (pressed ? 1 : 0));
  const clock = controlText(want.clock), waits = waiting > 0 ? say("now.waiting", { n: waiting }) : "";
  return (
    <button type="button" class={pressed ? "main speed" : "speed"} aria-pressed={pressed} aria-label={listed([gameTitle(want.game), clock, waits].filter(Boolean))} onClick={() => toggle(of)}>
      <b>{clock}</b>{waits && <> <small>{waits}</small></>}
    </button>
  );
}

/** Others links to the other ways to start a game. */
function Others({ trouble }: { trouble: string }): JSX.Element {
  return (
    <div class="foot">
      <p class={trouble ? "trouble" : "note"} role={trouble ? "alert" : undefined}>{trouble || say("now.text")}</p>
      <nav class="bar" aria-label={say("now.others")}>
        <a class="button" href="/new?opponent=engine">{say("now.engine")}</a>
        <a class="button" href="/new?opponent=friend">{say("now.friend")}</a>
        <a class="button" href="/new">{say("now.custom")}</a>
      </nav>
    </div>
  );
}

/** Waiting shows the search until an opponent is found. After a while it offers an engine. */
function Waiting({ wants, found, cancel, refuse }: { wants: string[]; found: Search; cancel: () => void; refuse: (why: string) => void }): JSX.Element {
  const [since] = useState(() => performance.now()), [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.round((now - since) / 1_000), time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const { offer } = found, level = offer?.level.split(":")[1] ?? "";
  const accept = (): void => {
    cancel();
    engineGame(offer!.want, offer!.level).then((path) => { location.href = path; }, (e) => refuse((e as Trouble).message));
  };
  return (
    <div class="foot waiting">
      <p><span role="status">{say("now.seeking", { games: listed([...new Set(wants.map((w) => gameTitle(wantOf(w).game)))]) })}</span> <span class="note"><span class="time">{time}</span> · {found.others > 0 ? count("now.others.waiting", found.others) : say("now.alone")}</span></p>
      <div class="bar">
        <button type="button" onClick={cancel}>{say("now.cancel")}</button>
        {offer && <button type="button" class="main" onClick={accept}>{say("now.level", { n: level, game: gameTitle(offer.want.game) })}</button>}
      </div>
      <p class="hidden" role="status">{offer ? say("now.offered", { n: level, game: gameTitle(offer.want.game) }) : ""}</p>
    </div>
  );
}

/** engineGame creates a game against an engine and returns its address. */
async function engineGame({ game, clock }: Want, level: string): Promise<string> {
  const me: Side = Math.random() < 0.5 ? "first" : "second";
  const made = await create({ game, clock, seats: { first: me === "first" ? "open" : level, second: me === "second" ? "open" : level }, as: me, name: userName.peek().trim() });
  remember(made.id);
  return pathOf(made.id);
}
