// The vacation of an account: while it lasts, its correspondence clocks are paused.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, look, type Trouble, who } from "./api";
import { count, language, say } from "./words";

/** dateText writes a day and the time of day. */
export const dateText = (time: string): string => new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/** Vacation begins, prolongs and ends the visitor's vacation. */
export function Vacation(): JSX.Element | null {
  const [days, setDays] = useState("7"), [note, setNote] = useState("");
  const v = who.value?.vacation;
  if (!v) return null;
  const send = (method: string, body?: unknown): void => void call(method, "/api/account/vacation", body).then(() => { setNote(""); void look(); }, (t: Trouble) => setNote(t.message));
  return (
    <>
      <p>{say("vacation.text")}</p>
      <p role="status">{v.until ? `${say("vacation.until", { date: dateText(v.until) })} ` : ""}{count("vacation.left", v.days)}</p>
      <form class="bar" onSubmit={(e) => { e.preventDefault(); send("POST", { days: Number(days) }); }}>
        <label class="field">{say("vacation.days")}<input type="number" min={1} max={v.days} required value={days} onInput={(e) => setDays(e.currentTarget.value)} /></label>
        <button disabled={v.days === 0}>{say(v.until ? "vacation.more" : "vacation.do")}</button>
        {v.until && <button type="button" onClick={() => send("DELETE")}>{say("vacation.end")}</button>}
      </form>
      {note && <p class="trouble" role="alert">{note}</p>}
    </>
  );
}
