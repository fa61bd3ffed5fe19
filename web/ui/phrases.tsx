// Phrases that players send each other in a game, and the report of a game.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble, who } from "./api";
import { lazy } from "./lazy";
import type { Match } from "./match";
import { kept } from "./store";
import { other, type Side } from "./types";
import { loadWords, playerName, say } from "./words";

const phrases = ["luck", "fun", "played", "oops", "thanks", "game"];

/** muted lists the names of opponents whose phrases are not shown. */
const muted = kept<string[]>("muted", []);
const mostMuted = 100;

const Reasons = lazy(() => Promise.all([import("./people"), loadWords("account")]).then(([m]) => m.Reasons));

/** Said shows the latest phrase of an opponent beside the name, with a button that mutes them. */
export function Said({ match, side }: { match: Match; side: Side }): JSX.Element | null {
  const said = match.said.value, v = match.view.value!, name = v.seats[side]?.name ?? "", own = v.you.includes(side);
  if (said?.side !== side || (!own && muted.value.includes(name))) return null;
  return (
    <span class="said" role="status">
      <q>{say(`phrase.${said.phrase}`)}</q>
      {!own && <button type="button" class="quiet" onClick={() => { muted.value = [...muted.value, name].slice(-mostMuted); }}>{say("phrase.mute")}</button>}
    </span>
  );
}

/** Talk has the phrases to send, and the report. Against an engine there is neither. */
export function Talk({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!, me = v.you.length === 1 ? v.you[0] : null, opponent = me && v.seats[other(me)];
  const people = [v.seats.first, v.seats.second].some((s, i) => s && !s.engine && !v.you.includes(i === 0 ? "first" : "second"));
  return (
    <>
      {opponent && !opponent.engine && (
        <details class="talk">
          <summary>{say("phrase.title")}</summary>
          <p class="bar">{phrases.map((p) => <button key={p} type="button" onClick={() => void match.ask({ do: "say", what: p, side: me })}>{say(`phrase.${p}`)}</button>)}</p>
          {muted.value.includes(opponent.name) && <p class="note">{say("phrase.muted", { name: playerName(opponent) })} <button type="button" class="quiet" onClick={() => { muted.value = muted.value.filter((n) => n !== opponent.name); }}>{say("phrase.unmute")}</button></p>}
        </details>
      )}
      {people && who.value?.guest === false && <Report id={v.id} />}
    </>
  );
}

/** Report reports the game to the moderators. */
function Report({ id }: { id: string }): JSX.Element {
  const [open, setOpen] = useState(false), [note, setNote] = useState("");
  const send = (why: string): void => void call("POST", "/api/reports", { game: id, why }).then(() => setNote(say("people.reported")), (e: Trouble) => setNote(e.message));
  return (
    <details class="talk" onToggle={(e) => { if (e.currentTarget.open) setOpen(true); }}>
      <summary>{say("phrase.report")}</summary>
      {open && <Reasons send={send} />}
      <p class="note" role="status">{note}</p>
    </details>
  );
}
