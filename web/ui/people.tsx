// Buttons to follow, block and report another person, and the list of people the visitor follows.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble, who } from "./api";
import { ChallengeForm } from "./challenges";
import { say } from "./words";

export interface Circle {
  follows: { name: string; here: boolean }[];
  blocks: string[];
}

export const reasons = ["name", "cheating", "leaving", "harassment", "other"];

/** useCircle returns the people the visitor follows and blocks; null for guests and until the server answers. */
export function useCircle(): [Circle | null, () => void] {
  const [circle, setCircle] = useState<Circle | null>(null);
  const load = (): void => {
    if (who.value?.guest === false) void call<Circle>("GET", "/api/account/people").then(setCircle, () => {});
  };
  useEffect(load, [who.value?.name]);
  return [circle, load];
}

/** About has the buttons on another person's page. */
export function About({ name }: { name: string }): JSX.Element | null {
  const [circle, load] = useCircle();
  const [note, setNote] = useState("");
  if (!circle || who.value!.name === name) return null;
  const path = `/api/people/${encodeURIComponent(name)}`;
  const send = (method: string, to: string, body?: unknown): void => void call(method, to, body).then(() => {
    load();
    setNote(body ? say("people.reported") : "");
  }, (e: Trouble) => setNote(e.message));
  const tie = (kind: "follow" | "block", on: boolean): JSX.Element => (
    <button type="button" onClick={() => send(on ? "DELETE" : "POST", `${path}/${kind}`)}>{say(`people.${on ? "un" : ""}${kind}`)}</button>
  );
  return (
    <section class="people" aria-label={say("people.about", { name })}>
      <p class="bar">
        {tie("follow", circle.follows.some((f) => f.name === name))}
        {tie("block", circle.blocks.includes(name))}
      </p>
      <ChallengeForm name={name} />
      <details>
        <summary>{say("people.report")}</summary>
        <Reasons send={(why) => send("POST", "/api/reports", { person: name, why })} />
      </details>
      <p class="note" role="status">{note}</p>
    </section>
  );
}

/** Reasons has a button for each reason of a report. */
export function Reasons({ send }: { send: (why: string) => void }): JSX.Element {
  return (
    <>
      <p class="note">{say("people.report.text")}</p>
      <p class="bar">{reasons.map((why) => <button key={why} type="button" onClick={() => send(why)}>{say(`people.why.${why}`)}</button>)}</p>
    </>
  );
}

/** Followed lists the people the visitor follows and blocks, on the visitor's own page. */
export function Followed({ name }: { name: string }): JSX.Element | null {
  const [circle] = useCircle();
  if (!circle || who.value!.name !== name || circle.follows.length + circle.blocks.length === 0) return null;
  const link = (n: string): JSX.Element => <a href={`/@${encodeURIComponent(n)}`}>{n}</a>;
  return (
    <section class="card list-card">
      <h2>{say("people.follows")}</h2>
      <ul>
        {circle.follows.map((f) => <li key={f.name}>{link(f.name)}{f.here && <span class="tag present">{say("people.here")}</span>}</li>)}
        {circle.blocks.map((n) => <li key={n}>{link(n)}<span class="note">{say("people.blocked")}</span></li>)}
      </ul>
    </section>
  );
}
