// Challenges: the page of those that the visitor may accept or has made, and the form to challenge somebody.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble, who } from "./api";
import { controlText, presets } from "./clocks";
import { useNearFocus } from "./focus";
import { choices } from "./store";
import { other, type Control, type Side } from "./types";
import { dateText } from "./vacation";
import { facts, gameTitle, say, sideName } from "./words";

interface Challenge {
  id: string;
  from: string;
  to?: string;
  mine: boolean;
  game: string;
  clock: Control | null;
  rated: boolean;
  side?: Side;
  rating: number;
  low?: number;
  high?: number;
  expires: string;
  url?: string;
}

const every = 4_000; // milliseconds between two looks

/** Main is the page of challenges. */
export function Main(): JSX.Element {
  const guest = who.value?.guest;
  useNearFocus("main");
  return (
    <main id="main" class="person">
      <h1>{say("challenge.title")}</h1>
      <p class="note">{say(guest ? "challenge.guest" : "challenge.about")}</p>
      {guest === false && <Make />}
    </main>
  );
}

/** Challenges lists the challenges of and to the visitor, and the open ones. It opens the game of one that was accepted. */
export function Challenges({ empty }: { empty?: string }): JSX.Element | null {
  const [list, setList] = useState<Challenge[] | null>(null), [trouble, setTrouble] = useState("");
  const look = (): void => {
    if (who.value?.guest !== false || document.hidden) return;
    void call<{ challenges: Challenge[] }>("GET", "/api/challenges").then(({ challenges }) => {
      setList(challenges);
      const begun = challenges.find((c) => c.mine && c.url);
      if (begun) void call("DELETE", `/api/challenges/${begun.id}`).finally(() => { location.href = new URL(begun.url!).pathname; });
    }, () => {});
  };
  useEffect(() => {
    look();
    const timer = setInterval(look, every);
    return () => clearInterval(timer);
  }, [who.value?.guest]);
  const answer = (method: string, path: string, then: (a: { url: string }) => void): void => void call<{ url: string }>(method, path).then((a) => { setTrouble(""); then(a); }, (e: Trouble) => { setTrouble(e.message); look(); });
  if (!list?.length && !trouble && !empty) return null;
  return (
    <section class="card list-card challenges">
      <h2>{say("challenge.waiting")}</h2>
      {list?.length === 0 && <p class="note" role="status">{empty}</p>}
      <ul>
        {list?.map((c) => (
          <li key={c.id}>
            <p>{whose(c)} <span class="note">{terms(c)}</span></p>
            <p class="bar">
              {!c.mine && <button type="button" class="main" aria-label={say("challenge.accept.one", { name: c.from, game: gameTitle(c.game) })} onClick={() => answer("POST", `/api/challenges/${c.id}/accept`, (a) => { location.href = new URL(a.url).pathname; })}>{say("challenge.accept")}</button>}
              {(c.mine || c.to) && <button type="button" aria-label={say(c.mine ? "challenge.withdraw.one" : "challenge.decline.one", { name: c.from, game: gameTitle(c.game) })} onClick={() => answer("DELETE", `/api/challenges/${c.id}`, look)}>{say(c.mine ? "challenge.withdraw" : "challenge.decline")}</button>}
            </p>
          </li>
        ))}
      </ul>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
    </section>
  );
}

/** ChallengeForm is the form to challenge a person, on that person's page. */
export function ChallengeForm({ name }: { name: string }): JSX.Element {
  const [sent, setSent] = useState(0);
  return (
    <>
      <details>
        <summary>{say("challenge.do")}</summary>
        <Form to={name} done={() => setSent((n) => n + 1)} />
      </details>
      <Challenges key={sent} />
    </>
  );
}

/** Make is the form to challenge everybody with a rating in a range, and the list. */
function Make(): JSX.Element {
  const [sent, setSent] = useState(0);
  return (
    <>
      <Challenges key={sent} empty={say("challenge.none")} />
      <section class="card list-card">
        <h2>{say("challenge.new")}</h2>
        <Form done={() => setSent((n) => n + 1)} />
      </section>
    </>
  );
}

/** Form challenges a person, or without one everybody with a rating in a range. */
function Form({ to, done }: { to?: string; done: () => void }): JSX.Element {
  const get = (key: string, fallback: string): string => choices.value[key] ?? fallback;
  const set = (key: string, value: string): void => { choices.value = { ...choices.value, [key]: value }; };
  const [note, setNote] = useState("");
  const send = (e: Event): void => {
    e.preventDefault();
    const clock = presets[get("challenge.clock", "10+5")] ?? null, colour = get("colour", "random");
    const range = Object.fromEntries(to ? [["to", to]] : ["low", "high"].map((k) => [k, Number(get(`challenge.${k}`, ""))]));
    const body = { ...range, game: get("game", "othello"), clock, rated: clock !== null && get("rated", "") === "yes", ...(colour === "random" ? {} : { as: colour }) };
    void call("POST", "/api/challenges", body).then(() => { setNote(""); done(); }, (t: Trouble) => setNote(t.message));
  };
  const rating = (key: string, ends: string): JSX.Element => <label class="field">{say(`challenge.${key}`)}<input type="number" min={0} max={maxRating} step={50} placeholder={ends} value={get(`challenge.${key}`, "")} onChange={(e) => set(`challenge.${key}`, e.currentTarget.value)} /></label>;
  return (
    <>
      <form class="filters" onSubmit={send}>
        <label class="field">{say("person.game")}<select value={get("game", "othello")} onChange={(e) => set("game", e.currentTarget.value)}>{facts.games.map((g) => <option key={g.name} value={g.name}>{gameTitle(g.name)}</option>)}</select></label>
        <label class="field">{say("challenge.clock")}<select value={get("challenge.clock", "10+5")} onChange={(e) => set("challenge.clock", e.currentTarget.value)}>{Object.entries(presets).map(([k, c]) => <option key={k} value={k}>{controlText(c)}</option>)}</select></label>
        <label class="field">{say("challenge.side")}<select value={get("colour", "random")} onChange={(e) => set("colour", e.currentTarget.value)}>{["random", "first", "second"].map((c) => <option key={c} value={c}>{say(`challenge.side.${c}`)}</option>)}</select></label>
        {!to && <>{rating("low", "0")}{rating("high", String(maxRating))}</>}
        <label class="check"><input type="checkbox" checked={get("rated", "") === "yes"} onChange={(e) => set("rated", e.currentTarget.checked ? "yes" : "")} /><span>{say("now.rated")}</span></label>
        <button class="main">{say(to ? "challenge.send" : "challenge.offer")}</button>
      </form>
      {note && <p class="trouble" role="alert">{note}</p>}
    </>
  );
}

const maxRating = 4_000; // that the server accepts

/** terms says what is played, on which conditions. */
function terms(c: Challenge): string {
  const side = c.side && (c.mine ? other(c.side) : c.side), free = !c.low && (c.high ?? maxRating) >= maxRating;
  return [
    gameTitle(c.game), controlText(c.clock), c.rated ? say("now.rated") : "", side ? say("challenge.plays", { side: sideName(c.game, side) }) : "",
    c.to || free ? "" : say("challenge.range", { low: c.low ?? 0, high: c.high ?? maxRating }), say("challenge.expires", { when: dateText(c.expires) }),
  ].filter(Boolean).join(" · ");
}

/** whose says who challenges whom. */
function whose(c: Challenge): string {
  if (!c.mine) return say(c.to ? "challenge.theirs" : "challenge.anyone", { name: `${c.from} (${c.rating})` });
  return c.to ? say("challenge.mine", { name: c.to }) : say("challenge.open");
}
