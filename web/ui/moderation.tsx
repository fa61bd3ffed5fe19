// The page for moderators: open reports, with buttons to settle them.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble } from "./api";
import { first, useKeptFocus } from "./focus";
import { ago, say } from "./words";

interface Report {
  id: string;
  from: string;
  person?: string;
  game?: string;
  why: string;
  time: string;
  before: { do: string; by: string; why: string; time: string }[];
}

export function Main(): JSX.Element {
  const [list, setList] = useState<Report[] | null>(null);
  const [trouble, setTrouble] = useState("");
  const load = (): void => void call<{ reports: Report[] }>("GET", "/api/moderation/reports").then((a) => setList(a.reports), (e: Trouble) => setTrouble(e.message));
  useEffect(load, []);
  useKeptFocus(() => first("section button"));
  const settle = (r: Report, what: string, to?: string): void => {
    setTrouble("");
    void call("POST", `/api/moderation/reports/${r.id}`, { do: what, to }).then(load, (e: Trouble) => setTrouble(e.message));
  };
  return (
    <main id="main" class="person">
      <h1>{say("moderation.title")}</h1>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
      {list?.length === 0 && <p role="status">{say("moderation.none")}</p>}
      {list?.map((r) => <One key={r.id} r={r} settle={(what, to) => settle(r, what, to)} />)}
    </main>
  );
}

/** One is a report, with its actions. */
function One({ r, settle }: { r: Report; settle: (what: string, to?: string) => void }): JSX.Element {
  const [to, setTo] = useState("");
  const what = r.person ?? r.game!;
  return (
    <section class="card" aria-label={what}>
      <div class="part">
        <h2><a href={r.person ? `/@${encodeURIComponent(r.person)}` : `/g/${r.game}`}>{what}</a></h2>
        <p>{say(`people.why.${r.why}`)} <span class="note">{say("moderation.from", { name: r.from })} {ago(r.time)}</span></p>
        {r.before.map((d) => <p key={d.time} class="note">{say("moderation.before", { what: say(`moderation.${d.do}`), name: d.by })} {ago(d.time)}</p>)}
        <p class="bar">
          <button type="button" onClick={() => settle("dismiss")}>{say("moderation.dismiss")}</button>
          <button type="button" onClick={() => settle("hide")}>{say("moderation.hide")}</button>
          {r.person && <button type="button" class="danger" onClick={() => { if (confirm(say("moderation.close.sure", { name: what }))) settle("close"); }}>{say("moderation.close")}</button>}
        </p>
        {r.person && (
          <form class="bar" onSubmit={(e) => { e.preventDefault(); settle("rename", to); }}>
            <label class="field">{say("moderation.name")}<input required maxLength={20} value={to} onInput={(e) => setTo(e.currentTarget.value)} /></label>
            <button>{say("moderation.rename")}</button>
          </form>
        )}
      </div>
    </section>
  );
}
