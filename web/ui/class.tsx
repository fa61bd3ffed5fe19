// Classes: students sign in with a login code, hand in programs and read verdicts. Teachers see the roster, the marks
// and all boards.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedEvent, TargetedSubmitEvent } from "preact";
import { accountAsked, call, who } from "./api";
import { useNearFocus } from "./focus";
import { Alert, useSending, values } from "./sending";
import { boot, say } from "./words";
import { classOf } from "./store";
import { Sheet, type Code } from "./sheet";
import { Verdict } from "./verdict";
import { Work } from "./handin";
import { Final } from "./final";
import { League } from "./league";
import { Done } from "./done";
import { Enter, Platforms, refusal } from "./platforms";
import { Similar } from "./similar";
import { Assign, Marks, Round } from "./teach";

export interface Mark {
  mark: number;
  submission: string;
  verdict: string;
  rule: string;
}

export interface Short {
  id: string;
  assignment: string;
  student: string;
  time: string;
  state: "waiting" | "judging" | "judged" | "failed";
  place: number;
  verdict: string;
  rule: string;
  points: number;
  of: number;
  mark: number | null;
  reason: string;
  question: string;
  answer: string;
}

export interface Assignment {
  id: string;
  title: string;
  game: string;
  class?: boolean;
  size?: number;
  profile?: string;
  wait?: number;
  due?: number;
  penalty?: number;
  last?: boolean;
  closes?: boolean;
  hidden?: boolean;
  points: number;
  attempts: number;
  due_time: string;
  league?: { level: number; nodes: number; time: number };
  waiting: number;
  mark: Mark | null;
  submissions: Short[];
  missed: string[];
}

export interface Class {
  id: string;
  title: string;
  teacher: boolean;
  you: string;
  archived: boolean;
  judges: boolean;
  students: { id: string; name: string; here: boolean; marks: (Mark | null)[] }[];
  assignments: Assignment[];
  games: { id: string; ply: number; names: [string, string]; you: string }[];
  questions: Short[];
}

interface Classes {
  teaching: { id: string; title: string; students: number; archived: boolean }[];
  attending: string;
  teacher: boolean;
}

export function Main(): JSX.Element {
  const screen = new URLSearchParams(location.search).get("screen"); // an assignment whose final a class watches
  if (boot.id && screen) return <Final path={`/api/classes/${boot.id}/assignments/${encodeURIComponent(screen)}/final`} />;
  return boot.id ? <One id={boot.id} /> : <All />;
}

/** All is the page outside a class: sign in with a code, or make a class. */
function All(): JSX.Element {
  const [all, setAll] = useState<Classes | null>(null);
  const [refused] = useState(refusal); // below, the address changes
  const [entered] = useState(() => new URLSearchParams(location.search).get("enter"));
  const [code] = useState(() => location.hash.slice(1)); // from a QR code
  const { trouble, send } = useSending();
  const go = (id: string): void => location.assign(`/class/${id}`);
  const signIn = (code: string): void => send(async () => go((await call<{ class: string }>("POST", "/api/codes", { code })).class));
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  const known = who.value !== null;
  useEffect(() => {
    if (code && known) send(async () => {
      const { attending } = await call<Classes>("GET", "/api/classes");
      if (who.value?.guest && !attending) signIn(code); // a link must not sign anybody out
    });
  }, [known]);
  const signed = who.value?.guest === false;
  useEffect(() => send(async () => setAll(await call<Classes>("GET", "/api/classes"))), [signed]);
  return (
    <main id="main" class="person class">
      <h1>{say("class.title")}</h1>
      <Alert text={trouble || refused} />
      {entered && <Enter id={entered} />}
      {all?.attending && <p><a class="button main" href={`/class/${all.attending}`}>{say("class.mine")}</a></p>}
      <form class="card part" onSubmit={(e) => signIn(values(e).code)}>
        <h2>{say("class.student")}</h2>
        <label class="field">{say("class.code")}<input name="code" defaultValue={code} required autocomplete="off" spellcheck={false} maxLength={20} /></label>
        <button class="main">{say("class.in")}</button>
      </form>
      <section class="card part">
        <h2>{say("class.teacher")}</h2>
        {!!all?.teaching.length && <ul>{all.teaching.map((c) => <li key={c.id}><a href={`/class/${c.id}`}>{c.title}</a> <span class="note">{say("class.count", { n: c.students })}{c.archived && ` · ${say("class.archived")}`}</span></li>)}</ul>}
        {all && !all.teacher && <p class="note">{say("class.role")}</p>}
        {all && !all.teacher && !signed && <button type="button" class="main" onClick={() => { accountAsked.value++; }}>{say("class.account")}</button>}
        {all?.teacher && (
          <form class="part" onSubmit={(e) => { const v = values(e); send(async () => go((await call<{ id: string }>("POST", "/api/classes", v)).id)); }}>
            <label class="field">{say("class.name")}<input name="title" required maxLength={80} /></label>
            <button class="main">{say("class.make")}</button>
          </form>
        )}
      </section>
    </main>
  );
}

/** every is the polling interval in ms. A student counts as here for several intervals. */
const every = 5000;

/** One is the page of a class. */
function One({ id }: { id: string }): JSX.Element {
  const path = `/api/classes/${id}`;
  const [c, setClass] = useState<Class | null>(null);
  const [open, setOpen] = useState("");
  const { trouble, send } = useSending();
  const load = (): void => send(async () => {
    const got = await call<Class>("GET", path);
    if (got.you) classOf.value = id;
    setClass(got);
  });
  useNearFocus("main");
  useEffect(() => {
    load();
    const timer = setInterval(load, every);
    return () => clearInterval(timer);
  }, []);
  if (!c) return <main id="main" class="person class"><h1>{say("class.title")}</h1><Alert text={trouble} />{trouble && <p><a href="/class">{say("class.in")}</a></p>}</main>;
  const parts = { c, path, load, show: setOpen };
  return (
    <main id="main" class="person class">
      <h1>{c.title}</h1>
      <Alert text={trouble} />
      {c.you && <p class="note">{say("class.you", { name: c.you, guest: who.value?.name ?? "…" })}</p>}
      {c.archived && <p class="note" role="status">{say("class.archived")}</p>}
      {!c.teacher && c.games.map((g) => <p key={g.id}><a class="button main" href={`/g/${g.id}`}>{say("class.play")}</a></p>)}
      {c.teacher ? <Teaching {...parts} /> : c.assignments.map((a) => <Work key={a.id} a={a} {...parts} />)}
      {!c.teacher && c.assignments.length === 0 && <p class="note">{say("class.none")}</p>}
      {!c.teacher && <p class="note">{say("class.done.you")} <a href="/learn">{say("class.done.lessons")}</a> · <a href="/puzzles">{say("class.done.puzzles")}</a></p>}
      {open && <Verdict path={`${path}/submissions/${open}`} teacher={c.teacher} close={() => setOpen("")} load={load} />}
    </main>
  );
}

export interface Parts {
  c: Class;
  path: string;
  load: () => void;
  show: (submission: string) => void;
}

/** Teaching is what a teacher sees. */
function Teaching(p: Parts): JSX.Element {
  return (
    <>
      <Roster {...p} />
      {p.c.questions.length > 0 && (
        <section class="card part">
          <h2>{say("class.questions")}</h2>
          <ul>{p.c.questions.map((q) => <li key={q.id}><button type="button" class="quiet" onClick={() => p.show(q.id)}>{q.student}</button> {say("list.named", { name: p.c.assignments.find((a) => a.id === q.assignment)?.title ?? "", text: q.question })}</li>)}</ul>
        </section>
      )}
      {p.c.assignments.length > 0 && <Marks {...p} />}
      {p.c.assignments.filter((a) => a.league).map((a) => <section key={a.id} class="card part wide"><h2>{a.title}</h2><League a={a} path={p.path} teacher /></section>)}
      {p.c.students.length > 0 && <Done path={p.path} />}
      {p.c.students.length > 1 && p.c.assignments.map((a) => <Similar key={a.id} a={a} path={p.path} />)}
      {p.c.assignments.map((a) => <Assign key={a.id} a={a} {...p} />)}
      <Assign {...p} />
      <Round {...p} />
      <Platforms {...p} />
      <Ending {...p} />
    </>
  );
}

/** alone reports whether no other device can open the address of this page. */
const alone = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Roster adds students and shows their login codes once. */
function Roster({ c, path, load }: Parts): JSX.Element {
  const [codes, setCodes] = useState<Code[]>([]);
  const { trouble, send } = useSending();
  const post = (at: string, body?: unknown): void => send(async () => { setCodes((await call<{ codes: Code[] }>("POST", path + at, body)).codes); load(); });
  const renew = (s: { id: string; name: string }): void => { if (confirm(say("class.renew.sure", { name: s.name }))) post(`/students/${s.id}/code`); };
  const renewAll = (): void => {
    if (confirm(say("class.renew.all.sure"))) send(async () => {
      const all: Code[] = [];
      for (const s of c.students) all.push(...(await call<{ codes: Code[] }>("POST", `${path}/students/${s.id}/code`)).codes);
      setCodes(all);
    });
  };
  const read = (e: TargetedEvent<HTMLInputElement>): void => void e.currentTarget.files?.[0]?.text().then((text) => post("/students", { text }));
  return (
    <section class="card part">
      <h2>{say("class.roster")}</h2>
      <details hidden={c.students.length === 0} open={c.assignments.length === 0}>
        <summary>{say("class.roster.here", { n: c.students.length, here: c.students.filter((s) => s.here).length })}</summary>
        <ul class="roster">
          {c.students.map((s) => (
            <li key={s.id}>
              <span>{s.name} {s.here && <span class="note">{say("class.here")}</span>}</span>
              <button type="button" class="quiet" aria-label={say("class.renew.one", { name: s.name })} onClick={() => renew(s)}>{say("class.renew")}</button>
              <button type="button" class="quiet" aria-label={say("class.remove.one", { name: s.name })} onClick={() => { if (confirm(say("class.remove.sure", { name: s.name }))) send(async () => { await call("DELETE", `${path}/students/${s.id}`); load(); }); }}>{say("class.remove")}</button>
            </li>
          ))}
        </ul>
      </details>
      {alone && <p class="note alone">{say("class.alone", { host: location.hostname })}</p>}
      <details open={c.students.length === 0}>
        <summary>{say("class.add")}</summary>
        <form class="part" onSubmit={(e) => { const v = values(e); e.currentTarget.reset(); post("/students", v); }}>
          <label class="field">{say("class.names")}<textarea name="text" required rows={6} /></label>
          <label class="field">{say("class.csv")}<input type="file" accept=".csv,.tsv,text/csv" onChange={read} /></label>
          <button class="main">{say("class.add.do")}</button>
        </form>
        {c.students.length > 0 && <button type="button" onClick={renewAll}>{say("class.renew.all")}</button>}
      </details>
      <Alert text={trouble} />
      {codes.length > 0 && <Sheet codes={codes} title={c.title} close={() => setCodes([])} />}
    </section>
  );
}

/** Ending downloads, archives or erases a class. */
function Ending({ c, path, load }: Parts): JSX.Element {
  const { trouble, send } = useSending();
  const erase = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    const { title } = values(e);
    send(async () => {
      if (title !== c.title) throw new Error(say("class.erase.wrong", { name: c.title }));
      await call("DELETE", path);
      location.assign("/class");
    });
  };
  return (
    <details class="card part">
      <summary>{say("class.ending")}</summary>
      <div class="bar">
        <a class="button" href={`${path}/export`} download>{say("class.export")}</a>
        <button type="button" onClick={() => send(async () => { await call("POST", `${path}/archive`, { archived: !c.archived }); load(); })}>{say(c.archived ? "class.reopen" : "class.archive")}</button>
      </div>
      <form class="part" onSubmit={erase}>
        <p class="note">{say("class.erase.text")}</p>
        <label class="field">{say("class.erase.title")}<input name="title" required autocomplete="off" /></label>
        <button>{say("class.erase")}</button>
      </form>
      <Alert text={trouble} />
    </details>
  );
}
