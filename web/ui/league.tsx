// The league of an assignment: the table of programs and levels, and the lost games of a student's own program.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call } from "./api";
import type { Assignment } from "./class";
import { Alert, useSending, values } from "./sending";
import { say } from "./words";

interface Row {
  name: string;
  you: boolean;
  submission: string;
  level: number;
  elo: number;
  error: number;
  decided: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  illegal: number;
  time: number;
  crashes: number;
}

interface Loss {
  submission: string;
  round: number;
  match: number;
  game: number;
  opponent: string;
  end: string;
}

interface Standings {
  level: number;
  rows: Row[];
  lost: Loss[];
  waiting: number;
  final: boolean;
}

interface Played {
  match: number;
  game: number;
  detail: string;
  path: string;
}

const levelName = (n: number): string => say("engine.level", { n });

/** every is how often the table is asked for, in ms. */
const every = 10_000;

export function League({ a, path, teacher }: { a: Assignment; path: string; teacher?: boolean }): JSX.Element {
  const [t, setTable] = useState<Standings | null>(null);
  const { trouble, send } = useSending();
  const load = (): void => send(async () => setTable(await call<Standings>("GET", `${path}/assignments/${a.id}/league`)));
  useEffect(() => {
    load();
    const timer = setInterval(load, every);
    return () => clearInterval(timer);
  }, [a.id]);
  const title = say("class.league.of", { title: a.title });
  return (
    <>
      <p class="note">{say("class.league.templates")} {["league.py", "league.cpp"].map((name) => <><a key={name} href={`${path}/templates/${name}`} download>{name}</a> </>)}</p>
      <Alert text={trouble} />
      {t && t.rows.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={title}>
          <table>
            <caption>{title}{t.waiting > 0 && <span class="note"> · {say("class.league.playing", { n: t.waiting })}</span>}</caption>
            <thead><tr>{["program", "rating", "beats", "games", "won", "drawn", "lost", "faults"].map((n) => <th key={n} scope="col">{say(`class.league.${n}`)}</th>)}</tr></thead>
            <tbody>{t.rows.map((r) => <Line key={r.submission || r.name} r={r} top={t.level} />)}</tbody>
          </table>
        </div>
      )}
      {t?.final && <p><a class="button" href={`${location.pathname}?screen=${a.id}`}>{say("class.final.watch")}</a></p>}
      {teacher && t && t.rows.filter((r) => r.submission).length > 1 && <Hold send={send} load={load} at={`${path}/assignments/${a.id}/final`} />}
      {t && t.lost.length > 0 && <Lost lost={t.lost} path={path} />}
    </>
  );
}

/** Hold begins a final of the best programs. */
function Hold({ send, load, at }: { send: (work: () => Promise<unknown>) => void; load: () => void; at: string }): JSX.Element {
  const hold = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    const players = Number(values(e).players);
    send(async () => { await call("POST", at, { players }); load(); });
  };
  return (
    <form class="bar" onSubmit={hold}>
      <label class="field">{say("class.final.players")}<input name="players" type="number" required min={2} max={16} defaultValue="8" /></label>
      <button>{say("class.final.hold")}</button>
    </form>
  );
}

/** Line is a program or a level in the table. */
function Line({ r, top }: { r: Row; top: number }): JSX.Element {
  const name = r.submission ? r.name : levelName(r.level);
  return (
    <tr>
      <th scope="row">{r.you ? <strong>{say("class.league.you", { name })}</strong> : name}</th>
      <td>{Math.round(r.elo)}{r.decided && `\u00a0±\u00a0${Math.round(r.error)}`}</td>
      <td>{r.submission && say("class.mark", { mark: r.level, of: top })}</td>
      <td>{r.games}</td><td>{r.wins}</td><td>{r.draws}</td><td>{r.losses}</td>
      <td>{r.submission && r.illegal + r.time + r.crashes > 0 && say("class.league.faults.of", { illegal: r.illegal, time: r.time, crashes: r.crashes })}</td>
    </tr>
  );
}

/** Lost lists lost games. Their details are fetched when somebody asks for them. */
function Lost({ lost, path }: { lost: Loss[]; path: string }): JSX.Element {
  const [open, setOpen] = useState<{ key: string; game: Played } | null>(null);
  const { trouble, send } = useSending();
  const keyOf = (l: Loss): string => `${l.submission} ${l.round} ${l.match} ${l.game}`;
  const look = (l: Loss): void => send(async () => {
    const { games } = await call<{ games: Played[] }>("GET", `${path}/submissions/${l.submission}/rounds/${l.round}`);
    const game = games.find((g) => g.match === l.match && g.game === l.game);
    if (game) setOpen({ key: keyOf(l), game });
  });
  const opponent = (name: string): string => (name.startsWith("level:") ? levelName(Number(name.slice(6))) : name);
  return (
    <details>
      <summary>{say("class.league.losses", { n: lost.length })}</summary>
      <ul>
        {lost.map((l) => (
          <li key={keyOf(l)}>
            {say("class.league.loss", { name: opponent(l.opponent), end: say(`class.league.end.${l.end.split(" ")[0]}`) })}{" "}
            {open?.key === keyOf(l)
              ? <>{open.game.detail && <span class="note">{open.game.detail} </span>}<a href={open.game.path} target="_blank">{say("class.replay")}</a></>
              : <button type="button" class="quiet" onClick={() => look(l)}>{say("class.look")}<span class="hidden"> {opponent(l.opponent)}</span></button>}
          </li>
        ))}
      </ul>
      <Alert text={trouble} />
    </details>
  );
}
