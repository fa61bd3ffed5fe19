// The lobby of tournaments, and the form to make one.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call, type Trouble, who } from "./api";
import { controlText, presets } from "./clocks";
import { Options } from "./options";
import { values } from "./sending";
import { called, factsOf, moment, type Listed } from "./tour";
import { facts, gameFact, gameTitle, say } from "./words";
import { marked, Seen, Wrong } from "./wrong";

const phases = ["running", "waiting", "over"] as const;
const every = 5_000; // milliseconds between two looks at the lists

export function Lobby(): JSX.Element {
  const [all, setAll] = useState<Record<(typeof phases)[number], Listed[]> | null>(null);
  useEffect(() => {
    const look = (): void => { if (!document.hidden) void call<typeof all>("GET", "/api/tournaments").then(setAll, () => {}); };
    const timer = setInterval(look, every);
    look();
    return () => clearInterval(timer);
  }, []);
  return (
    <main id="main" class="person tour">
      <h1>{say("tour.title")}</h1>
      <p class="note">{say("tour.about")}</p>
      {all && phases.filter((p) => p === "waiting" || all[p].length > 0).map((p) => (
        <section key={p} class="card list-card">
          <h2>{say(`tour.${p}`)}</h2>
          {all[p].length === 0 && <p class="note">{say("tour.none")}</p>}
          <ul>{all[p].map((t) => <li key={t.id}><Entry t={t} /></li>)}</ul>
        </section>
      ))}
      {all && who.value?.guest && <p class="note">{say("tour.make.guest")}</p>}
      {all && who.value?.guest === false && <Make />}
    </main>
  );
}

/** Entry is a tournament in the lobby. */
function Entry({ t }: { t: Listed }): JSX.Element {
  const news = t.phase === "over" ? t.winner && say("tour.won", { name: called(t.winner) }) : t.joined ? say("tour.joined") : "";
  return (
    <a href={`/tournament/${t.id}`}>
      <b>{t.title}</b>{news && <span class="tag">{news}</span>}
      <span class="note">{factsOf(t)}{t.phase === "waiting" && t.starts && ` · ${moment(t.starts)}`}</span>
    </a>
  );
}

const forms = ["arena", "swiss", "robin", "knockout"];
const clocks = Object.entries(presets).filter(([, c]) => c?.main);
const own = ["title", "rounds", "minutes", "most", "low", "high", "pause", "starts", "code", "series"]; // fields that show their errors

/** Make is the form for a new tournament. */
function Make(): JSX.Element {
  const [form, setForm] = useState("swiss"), [chosen, setChosen] = useState<string[]>(["othello"]), [options, setOptions] = useState<Record<string, Record<string, string>>>({});
  const [trouble, setTrouble] = useState<Trouble | null>(null), [classes, setClasses] = useState<{ id: string; title: string }[]>([]);
  useEffect(() => void call<{ teaching: typeof classes }>("GET", "/api/classes").then((c) => setClasses(c.teaching), () => {}), []);
  const make = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    const v = values(e), number = (name: string): number => Number(v[name] ?? 0);
    const body = {
      title: v.title, form, clock: presets[v.clock], games: chosen.map((game) => ({ game, options: options[game] ?? {} })), rated: v.rated === "on", berserk: v.berserk === "on", code: v.code, series: v.series, class: v.class ?? "",
      rounds: number("rounds"), minutes: number("minutes"), pause: number("pause"), most: number("most"), low: number("low"), high: number("high"), starts: v.starts ? new Date(v.starts).toISOString() : "",
    };
    void call<{ id: string }>("POST", "/api/tournaments", body).then(({ id }) => location.assign(`/tournament/${id}`), setTrouble);
  };
  const toggle = (game: string, on: boolean): void => setChosen(on ? [...chosen, game] : chosen.filter((g) => g !== game));
  const field = (name: string, type: string, rest: Record<string, unknown> = {}, label = name): JSX.Element => (
    <div>
      <label class="field">{say(`tour.field.${label}`)}<input {...marked(name, trouble)} {...({ name, type, ...rest } as object)} /></label>
      <Wrong field={name} trouble={trouble} />
    </div>
  );
  return (
    <details class="card part">
      <summary>{say("tour.make")}</summary>
      <form class="part" onSubmit={make}>
        {field("title", "text", { required: true, maxLength: 60 })}
        <fieldset class="choice">
          <legend>{say("tour.form")}</legend>
          {forms.map((f) => <label key={f}><input type="radio" name="form" checked={form === f} onChange={() => setForm(f)} /><span>{say(`tour.form.${f}`)}</span></label>)}
        </fieldset>
        <p class="note">{say(`tour.form.text.${form}`)}</p>
        <fieldset>
          <legend>{say("tour.games")}</legend>
          <div class="checks">{facts.games.map(({ name }) => <label key={name} class="check"><input type="checkbox" checked={chosen.includes(name)} onChange={(e) => toggle(name, e.currentTarget.checked)} /><span>{gameTitle(name)}</span></label>)}</div>
        </fieldset>
        <div class="filters">
          <label class="field">{say("tour.field.clock")}<select name="clock">{clocks.map(([name, c]) => <option key={name} value={name} selected={name === "3+2"}>{controlText(c)}</option>)}</select></label>
          {form === "arena" && field("minutes", "number", { min: 1, max: 360, required: true, defaultValue: "45" })}
          {form === "swiss" && field("rounds", "number", { min: 1, max: 30, required: true, defaultValue: "5" })}
          {form === "robin" && field("rounds", "number", { min: 1, max: 4, required: true, defaultValue: "1" }, "cycles")}
        </div>
        <details>
          <summary>{say("tour.more")}</summary>
          <div class="filters">
            {field("starts", "datetime-local")}
            {form !== "arena" && field("pause", "number", { min: 0, max: 600, defaultValue: "10" })}
            {field("most", "number", { min: 2 })}{field("low", "number", { min: 0 })}{field("high", "number", { min: 0 })}{field("code", "text", { maxLength: 40, autocomplete: "off" })}{field("series", "text", { maxLength: 60 })}
            {classes.length > 0 && <label class="field">{say("tour.field.class")}<select name="class"><option value="">{say("tour.class.none")}</option>{classes.map((c) => <option key={c.id} value={c.id}>{c.title}</option>)}</select></label>}
          </div>
          {form === "arena" && <label class="check"><input type="checkbox" name="berserk" /><span>{say("tour.field.berserk")}</span></label>}
          <label class="check"><input type="checkbox" name="rated" /><span>{say("now.rated")}</span></label>
          {chosen.filter((g) => gameFact(g).options.length > 0).map((g) => <fieldset key={g} class="part"><legend>{gameTitle(g)}</legend><Options game={gameFact(g)} value={options[g] ?? {}} onChange={(o) => setOptions({ ...options, [g]: o })} /></fieldset>)}
        </details>
        {trouble && !own.includes(trouble.field) && <Seen text={trouble.message} />}
        <button class="main">{say("tour.make.do")}</button>
      </form>
    </details>
  );
}
