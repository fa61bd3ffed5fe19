// The parts of a tournament that everybody sees: the standings, the boards, the countdown, the podium, and the
// screen of a projector, which shows these alone.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, pathOf } from "./api";
import { called, factsOf, moment, number, pointsOf, useTour, type Followed, type Game, type Row, type Tour } from "./tour";
import { sides } from "./types";
import { gameTitle, say } from "./words";

/** State says where the tournament stands, and counts down to what is next. */
export function State({ t, ahead }: { t: Tour; ahead: number }): JSX.Element {
  const rounds = t.form === "swiss" ? t.rounds : 0;
  const text = t.phase === "over" ? say(`tour.over.${t.why || "done"}`) : t.phase === "waiting" || (t.round === 0 && t.form !== "arena") ? say("tour.waits") : t.form === "arena" ? say("tour.runs") : rounds ? say("tour.round.of", { n: t.round, of: rounds }) : say("tour.round", { n: t.round });
  return (
    <p class="state">
      <span role="status">{text}</span>
      {t.phase === "waiting" && (t.starts ? <span class="note">{moment(t.starts)}</span> : <span class="note">{say("tour.waits.host", { name: t.host })}</span>)}
      {t.next && <Countdown to={Date.parse(t.next) - ahead} what={t.phase === "waiting" ? "start" : t.form === "arena" ? "end" : "round"} />}
    </p>
  );
}

/** Countdown counts down to a time of this device's clock. */
function Countdown({ to, what }: { to: number; what: string }): JSX.Element {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const s = Math.max(0, Math.ceil((to - now) / 1000)), two = (n: number): string => String(n).padStart(2, "0");
  const hours = Math.floor(s / 3600);
  return <span class="countdown"><span class="note">{say(`tour.in.${what}`)}</span> <b role="timer">{hours > 0 ? `${hours}:` : ""}{hours > 0 ? two(Math.floor(s / 60) % 60) : Math.floor(s / 60)}:{two(s % 60)}</b></span>;
}

const page = 100; // rows that the server sends at once

/** Standings is the table. Beyond its first rows, one turns pages. */
export function Standings({ t, most = page }: { t: Tour; most?: number }): JSX.Element {
  const [from, setFrom] = useState(0), [rows, setRows] = useState<Row[]>([]);
  useEffect(() => {
    if (from > 0) void call<{ standings: Row[] }>("GET", `/api/tournaments/${t.id}/standings?from=${from}`).then((a) => setRows(a.standings), () => {});
  }, [from, t.events]);
  const list = (from > 0 ? rows : t.standings).slice(0, most), more = most === page && t.players > page;
  const points = t.phase !== "waiting";
  return (
    <section class="card part">
      <h2>{say(points ? "tour.standings" : "tour.entrants")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={say(points ? "tour.standings" : "tour.entrants")}>
        <table>
          <thead>
            <tr>
              {points && <th scope="col"><abbr title={say("tour.rank")}>#</abbr></th>}<th scope="col" class="name">{say("tour.player")}</th>
              {points && <th scope="col">{say("tour.points")}</th>}
              <th scope="col">{say("tour.rating")}</th>
              {points && <th scope="col"><abbr title={say("tour.score.text")}>{say("tour.score")}</abbr></th>}
              {points && t.ties.map((name) => <th key={name} scope="col" class="tie"><abbr title={say(`tour.tie.text.${name}`)}>{say(`tour.tie.${name}`)}</abbr></th>)}
            </tr>
          </thead>
          <tbody>{list.map((r) => <Line key={r.player} r={r} t={t} points={points} />)}</tbody>
        </table>
      </div>
      {more && (
        <p class="bar">
          <button type="button" disabled={from === 0} onClick={() => setFrom(from - page)}>{say("tour.rows.before")}</button>
          <button type="button" disabled={from + page >= t.players} onClick={() => setFrom(from + page)}>{say("tour.rows.after")}</button>
        </p>
      )}
    </section>
  );
}

function Line({ r, t, points }: { r: Row; t: Tour; points: boolean }): JSX.Element {
  const you = t.you?.player === r.player;
  return (
    <tr class={`${you ? "you" : ""} ${r.withdrawn ? "withdrawn" : ""}`}>
      {points && <td>{r.rank}</td>}
      <th scope="row" class="name">{you ? <strong>{called(r.name)}</strong> : called(r.name)}{r.withdrawn && <span class="note"> {say("tour.withdrawn")}</span>}{r.streak > 1 && <span class="note"> {say("tour.streak", { n: r.streak })}</span>}</th>
      {points && <td><b>{number(r.points)}</b></td>}
      <td>{r.rating}</td>
      {points && <td class="score">{r.wins}/{r.draws}/{r.losses}</td>}
      {points && r.ties.map((n, i) => <td key={t.ties[i]} class="tie">{number(n)}</td>)}
    </tr>
  );
}

/** Boards shows the games of the last round, or of an earlier one; in an arena, those that go on. On a projector they are no links. */
export function Boards({ t, fixed }: { t: Tour; fixed?: boolean }): JSX.Element | null {
  const [back, setBack] = useState<{ round: number; boards: Game[] } | null>(null);
  const round = back?.round ?? t.round, arena = t.form === "arena";
  const turn = (to: number): void => void (to >= t.round ? setBack(null) : call<{ boards: Game[] }>("GET", `/api/tournaments/${t.id}/rounds/${to}`).then(({ boards }) => setBack({ round: to, boards }), () => {}));
  if (t.round === 0 || (arena && t.boards.length === 0)) return null;
  return (
    <section class="card part">
      <h2>{arena ? say("tour.boards") : say("tour.round", { n: round })}</h2>
      <ul class="pairings">{(back?.boards ?? t.boards).map((g, i) => <Board key={g.id || i} g={g} medley={t.games.length > 1} fixed={fixed} />)}</ul>
      {!arena && !fixed && t.round > 1 && (
        <p class="bar">
          <button type="button" disabled={round <= 1} onClick={() => turn(round - 1)}>{say("tour.earlier")}</button>
          <button type="button" disabled={round >= t.round} onClick={() => turn(round + 1)}>{say("tour.later")}</button>
        </p>
      )}
    </section>
  );
}

/** Board is a game of a round, or a bye. */
function Board({ g, medley, fixed }: { g: Game; medley: boolean; fixed?: boolean }): JSX.Element {
  const [first, second] = sides.map((s) => called(g.names[s]));
  if (g.players.second === 0) return <li class="note">{say("tour.bye", { name: first })} {g.result}</li>;
  const text = <><span class="names"><span>{first}</span> – <span>{second}</span></span> <b>{g.result.replace("f", "")}</b>{g.result.includes("f") && <span class="note"> {say("tour.forfeit")}</span>}{medley && <span class="note"> {gameTitle(g.game)}</span>}</>;
  const shown = <>{g.id && <img src={`/api/games/${g.id}/board.svg${g.ply ? `?ply=${g.ply}` : ""}`} alt="" width={240} height={240} loading="lazy" />}{text}</>;
  return <li>{g.id && !fixed ? <a href={pathOf(g.id)}>{shown}</a> : shown}</li>;
}

/** Podium shows the first three of a tournament that is over. */
export function Podium({ t }: { t: Tour }): JSX.Element | null {
  if (t.phase !== "over" || t.round === 0) return null;
  return (
    <section class="card podium" aria-label={say("tour.podium")}>
      <ol>{t.standings.slice(0, 3).map((r) => <li key={r.player} data-rank={r.rank}><span class="medal" aria-hidden="true">{r.rank}</span> <b>{called(r.name)}</b> <span class="note">{pointsOf(r.points)}</span></li>)}</ol>
      <span class="confetti" aria-hidden="true">{Array.from({ length: 40 }, (_, i) => <i key={i} style={{ "--i": i }} />)}</span>
    </section>
  );
}

/** Projector is the page without controls, in large letters, or embedded in another site. */
export function Projector({ id, embed }: { id: string; embed: boolean }): JSX.Element {
  const { t, ahead, trouble }: Followed = useTour(id);
  useTitle(t);
  return (
    <main id="main" class={`tour screen ${embed ? "embed" : ""}`}>
      {t ? <h1>{embed ? <a href={`/tournament/${id}`} target="_blank">{t.title}</a> : t.title}</h1> : <h1>{say("tour.title")}</h1>}
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
      {t && (
        <>
          <p class="note">{factsOf(t)}</p>
          <State t={t} ahead={ahead} />
          <Podium t={t} />
          <div class="columns"><Standings t={t} most={embed ? 20 : 16} /><Boards t={t} fixed /></div>
        </>
      )}
    </main>
  );
}

/** useTitle names the window after the tournament. */
export function useTitle(t: Tour | null): void {
  useEffect(() => { if (t) document.title = t.title; }, [t?.title]);
}
