// Challenges: those that wait for the visitor, and the form to challenge a person.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble, who } from "./api";
import { controlText, presets } from "./clocks";
import { choices } from "./store";
import type { Control, Side } from "./types";
import { facts, gameTitle, say } from "./words";

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
  url?: string;
}

const every = 4_000; // milliseconds between two looks

/** Challenges lists the challenges of and to the visitor. It opens the game of one that was accepted. */
export function Challenges(): JSX.Element | null {
  const [list, setList] = useState<Challenge[]>([]), [trouble, setTrouble] = useState("");
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
  if (list.length === 0 && !trouble) return null;
  return (
    <section class="card list-card challenges">
      <h2>{say("challenge.title")}</h2>
      <ul>
        {list.map((c) => (
          <li key={c.id}>
            <p>{whose(c)} <span class="note">{[gameTitle(c.game), controlText(c.clock), c.rated ? say("now.rated") : ""].filter(Boolean).join(" · ")}</span></p>
            <p class="bar">
              {!c.mine && <button type="button" class="main" onClick={() => answer("POST", `/api/challenges/${c.id}/accept`, (a) => { location.href = new URL(a.url).pathname; })}>{say("challenge.accept")}</button>}
              {(c.mine || c.to) && <button type="button" onClick={() => answer("DELETE", `/api/challenges/${c.id}`, look)}>{say(c.mine ? "challenge.withdraw" : "challenge.decline")}</button>}
            </p>
          </li>
        ))}
      </ul>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
    </section>
  );
}

/** Challenge is the form to challenge a person. */
export function ChallengeForm({ name }: { name: string }): JSX.Element {
  const get = (key: string, fallback: string): string => choices.value[key] ?? fallback;
  const set = (key: string, value: string): void => { choices.value = { ...choices.value, [key]: value }; };
  const [note, setNote] = useState(""), [sent, setSent] = useState(0);
  const send = (e: Event): void => {
    e.preventDefault();
    const clock = presets[get("challenge.clock", "10+5")] ?? null, colour = get("colour", "random");
    const body = { to: name, game: get("game", "othello"), clock, rated: clock !== null && get("rated", "") === "yes", ...(colour === "random" ? {} : { as: colour }) };
    void call("POST", "/api/challenges", body).then(() => { setNote(""); setSent((n) => n + 1); }, (t: Trouble) => setNote(t.message));
  };
  return (
    <>
      <details>
        <summary>{say("challenge.do")}</summary>
        <form class="filters" onSubmit={send}>
          <label class="field">{say("person.game")}<select value={get("game", "othello")} onChange={(e) => set("game", e.currentTarget.value)}>{facts.games.map((g) => <option key={g.name} value={g.name}>{gameTitle(g.name)}</option>)}</select></label>
          <label class="field">{say("challenge.clock")}<select value={get("challenge.clock", "10+5")} onChange={(e) => set("challenge.clock", e.currentTarget.value)}>{Object.entries(presets).map(([k, c]) => <option key={k} value={k}>{controlText(c)}</option>)}</select></label>
          <label class="field">{say("challenge.side")}<select value={get("colour", "random")} onChange={(e) => set("colour", e.currentTarget.value)}>{["random", "first", "second"].map((c) => <option key={c} value={c}>{say(`challenge.side.${c}`)}</option>)}</select></label>
          <label class="check"><input type="checkbox" checked={get("rated", "") === "yes"} onChange={(e) => set("rated", e.currentTarget.checked ? "yes" : "")} /><span>{say("now.rated")}</span></label>
          <button class="main">{say("challenge.send")}</button>
        </form>
        {note && <p class="trouble" role="alert">{note}</p>}
      </details>
      <Challenges key={sent} />
    </>
  );
}

/** whose says who challenges whom. */
function whose(c: Challenge): string {
  if (!c.mine) return say("challenge.theirs", { name: `${c.from} (${c.rating})` });
  return c.to ? say("challenge.mine", { name: c.to }) : say("challenge.open");
}
