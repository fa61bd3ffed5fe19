// The page of a series: the table of all tournaments of an organiser that share its name.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble } from "./api";
import { Alert } from "./sending";
import { called, moment, number, type Listed, type Row } from "./tour";
import { say } from "./words";

interface Table {
  name: string;
  host: string;
  tournaments: Listed[];
  standings: (Pick<Row, "rank" | "name" | "points"> & { played: number; won: number; best: number })[];
}

const columns = ["points", "played", "won", "best"] as const;

export function Series({ id }: { id: string }): JSX.Element {
  const [t, setT] = useState<Table | null>(null), [trouble, setTrouble] = useState("");
  useEffect(() => void call<Table>("GET", `/api/tournaments/${id}/series`).then((found) => { setT(found); document.title = found.name; }, (e: Trouble) => setTrouble(e.message)), [id]);
  return (
    <main id="main" class="person tour">
      <h1>{t?.name ?? say("tour.title")}</h1>
      <Alert text={trouble} />
      {t && (
        <>
          <p class="note">{say("tour.host", { name: t.host })}</p>
          <section class="card part">
            <h2>{say("tour.standings")}</h2>
            {t.standings.length === 0 ? <p class="note">{say("tour.series.none")}</p> : <Standings rows={t.standings} />}
          </section>
          <section class="card list-card">
            <h2>{say("tour.title")}</h2>
            <ul>{t.tournaments.map((o) => <li key={o.id}><a href={`/tournament/${o.id}`}><b>{o.title}</b>{o.winner && <span class="tag">{say("tour.won", { name: called(o.winner) })}</span>}<span class="note">{o.ended ? moment(o.ended) : say(`tour.${o.phase}`)}</span></a></li>)}</ul>
          </section>
        </>
      )}
      <p><a href={`/tournament/${id}`}>{say("tour.series.back")}</a></p>
    </main>
  );
}

function Standings({ rows }: { rows: Table["standings"] }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={say("tour.standings")}>
      <table>
        <thead><tr><th scope="col"><abbr title={say("tour.rank")}>#</abbr></th><th scope="col" class="name">{say("tour.player")}</th>{columns.map((c) => <th key={c} scope="col">{say(c === "points" ? "tour.points" : `tour.series.${c}`)}</th>)}</tr></thead>
        <tbody>{rows.map((r, i) => <tr key={i}><td>{r.rank}</td><th scope="row" class="name">{called(r.name)}</th>{columns.map((c) => <td key={c}>{number(r[c])}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}
