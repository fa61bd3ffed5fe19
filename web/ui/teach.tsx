// The teacher's page below the roster: marks, assignments, and rounds of games.

import { useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call } from "./api";
import type { Assignment, Parts } from "./class";
import { Alert, gameOptions, useSending, values } from "./sending";
import { facts, listed, phrase, say } from "./words";

/** Marks is the table of students and assignments. */
export function Marks({ c, path, show }: Parts): JSX.Element {
  return (
    <section class="card part wide">
      <h2>{say("class.marks")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("class.marks")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say("class.name.column")}</th>
              {c.assignments.map((a) => <th key={a.id} scope="col">{a.title} <a href={`${path}/assignments/${a.id}/marks`} download>{say("class.csv.short")}<span class="hidden"> {a.title}</span></a>{a.waiting > 0 && <span class="note"> {say("class.queue", { n: a.waiting })}</span>}</th>)}
            </tr>
          </thead>
          <tbody>
            {c.students.map((s) => (
              <tr key={s.id}>
                <th scope="row">{s.name}</th>
                {s.marks.map((m, i) => <td key={c.assignments[i].id}>{m && <button type="button" class="quiet" aria-label={say("class.mark.of", { name: s.name, title: c.assignments[i].title, mark: m.mark })} title={phrase(m.rule || m.verdict)} onClick={() => show(m.submission)}>{m.mark}</button>}{c.assignments[i].missed.includes(s.id) && <span class="note">{say("class.missed")}</span>}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {c.assignments.filter((a) => a.missed.length > 0).map((a) => (
        <p key={a.id}><strong>{say("class.missed.of", { title: a.title, n: a.missed.length })}</strong> {listed(c.students.filter((s) => a.missed.includes(s.id)).map((s) => s.name))}</p>
      ))}
    </section>
  );
}

/** kindsOf returns what students can hand in for a game. */
const kindsOf = (game: string): string[] => ["console", ...(game === "neighbors" || game === "loa" ? ["class"] : []), "league"];

/** local writes a time for a field of type datetime-local. */
const local = (ms: number): string => new Date(ms - 60_000 * new Date(ms).getTimezoneOffset()).toISOString().slice(0, 16);

/** Assign is the form to add an assignment, or to change one. */
export function Assign({ a, c, path, load }: Parts & { a?: Assignment }): JSX.Element {
  const { trouble, send } = useSending();
  const [open, setOpen] = useState(!a && c.assignments.length === 0);
  const [game, setGame] = useState(a?.game ?? facts.games[0].name);
  const [kind, setKind] = useState(a?.league ? "league" : a?.class ? "class" : "console");
  const [due, setDue] = useState(a?.due ? local(a.due) : "");
  const make = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    const v = values(e), form = e.currentTarget;
    const body = {
      id: a?.id, title: v.title, game, class: kind === "class", attempts: Number(v.attempts), wait: 60 * Number(v.wait), points: Number(v.points), last: v.last === "on",
      ...(kind === "league" ? { league: { ...a?.league, level: Number(v.level) } } : { profile: v.profile }), ...(v.size && { size: Number(v.size) }),
      ...(due && { due: Date.parse(due), penalty: Number(v.penalty), closes: v.closes === "on", hidden: v.hidden === "on" }),
    };
    send(async () => {
      await call("POST", `${path}/assignments`, body);
      if (!a) { form.reset(); setDue(""); }
      setOpen(false);
      load();
    });
  };
  const number = (name: string, value: number, most: number, disabled = false): JSX.Element => <label class="field">{say(`class.${name}`)}<input name={name} type="number" min={0} max={most} disabled={disabled} defaultValue={String(value)} /></label>;
  const box = (name: "last" | "closes" | "hidden", disabled = false): JSX.Element => <label class="check"><input type="checkbox" name={name} disabled={disabled} defaultChecked={a?.[name]} /><span>{say(`class.${name}`)}</span></label>;
  return (
    <details class="card part" open={open} onToggle={(e) => { if (e.target === e.currentTarget) setOpen(e.currentTarget.open); }}>
      <summary>{a ? say("class.change", { title: a.title }) : say("class.assign")}</summary>
      {!c.judges && <p class="note">{say("class.nojudge")}</p>}
      <form class="part" onSubmit={make}>
        <label class="field">{say("class.assign.title")}<input name="title" required maxLength={80} defaultValue={a?.title} /></label>
        <div class="filters">
          <label class="field">{say("class.game")}<select disabled={!!a} value={game} onChange={(e) => { const to = e.currentTarget.value; setGame(to); if (!kindsOf(to).includes(kind)) setKind("console"); }}>{gameOptions()}</select></label>
          <label class="field">{say("class.kind")}<select disabled={!!a} value={kind} onChange={(e) => setKind(e.currentTarget.value)}>{kindsOf(game).map((k) => <option key={k} value={k}>{say(`class.kind.${k}`)}</option>)}</select></label>
          {number("points", a?.points ?? 100, 1000)}{number("attempts", a?.attempts ?? 10, 100)}
          <label class="field">{say("class.due")}<input type="datetime-local" value={due} onInput={(e) => setDue(e.currentTarget.value)} /></label>
          {kind === "league" && <label class="field">{say("class.league.level")}<input name="level" type="number" required min={1} max={9} defaultValue={String(a?.league?.level ?? 5)} /></label>}
        </div>
        <details>
          <summary>{say("class.more")}</summary>
          <div class="part">
            <div class="filters">
              {number("wait", (a?.wait ?? 0) / 60, 10000)}{number("penalty", a?.penalty ?? 0, 100, !due)}
              {(game === "othello" || game === "connect6") && <label class="field">{say("class.size")}<input name="size" type="number" min={4} max={26} defaultValue={a?.size && String(a.size)} /></label>}
            </div>
            {kind !== "league" && <label class="field">{say("class.profile")}<textarea name="profile" rows={3} spellcheck={false} placeholder="cells = any" defaultValue={a?.profile} /></label>}
            {box("last")}{box("closes", !due)}{box("hidden", !due)}
          </div>
        </details>
        <button class="main">{say(a ? "class.change.do" : "class.assign.do")}</button>
      </form>
      <Alert text={trouble} />
    </details>
  );
}

/** Round pairs the students who are here and shows all boards of the last round. */
export function Round({ c, path, load }: Parts): JSX.Element {
  const { trouble, send } = useSending();
  const pair = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    const { game } = values(e);
    send(async () => { await call("POST", `${path}/rounds`, { game }); load(); });
  };
  return (
    <section class="card part wide">
      <h2>{say("class.round")}</h2>
      <form class="bar" onSubmit={pair}>
        <label class="field">{say("class.game")}<select name="game">{gameOptions()}</select></label>
        <button class="main">{say("class.pair")}</button>
      </form>
      <Alert text={trouble} />
      <ul class="boards">
        {c.games.map((g) => (
          <li key={g.id}><a href={`/g/${g.id}`}><img src={`/api/games/${g.id}/board.svg${g.ply ? `?ply=${g.ply}` : ""}`} alt="" width={240} height={240} loading="lazy" />{say("class.versus", { first: g.names[0], second: g.names[1] })}</a></li>
        ))}
      </ul>
    </section>
  );
}
