// An assignment as students see it: files to hand in, and the submissions so far.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX, TargetedDragEvent } from "preact";
import { call, newKey } from "./api";
import type { Assignment, Parts, Short } from "./class";
import { Alert, time, useSending, values } from "./sending";
import { League } from "./league";
import { gameTitle, phrase, say } from "./words";

interface File_ {
  name: string;
  text?: string;
  data?: string;
}

/** sent encodes a file for the server: sources as text, zip archives in Base64. */
async function sent(f: File): Promise<File_> {
  if (!f.name.toLowerCase().endsWith(".zip")) return { name: f.name, text: await f.text() };
  const bytes = new Uint8Array(await f.arrayBuffer());
  let text = "";
  for (const b of bytes) text += String.fromCharCode(b);
  return { name: f.name, data: btoa(text) };
}

export function Work({ a, c, path, load, show }: Parts & { a: Assignment }): JSX.Element {
  const { trouble, send } = useSending();
  const hand = (files: File_[]): void => send(async () => { await call("POST", `${path}/submissions`, { assignment: a.id, files }, newKey()); load(); });
  const take = (list: FileList | null | undefined): void => void Promise.all([...(list ?? [])].map(sent)).then((files) => { if (files.length) hand(files); });
  const used = a.submissions.filter((s) => s.state !== "failed").length;
  const section = useRef<HTMLElement>(null);
  useEffect(() => { if (location.hash === `#${a.id}`) section.current!.scrollIntoView(); }, []); // a platform links to one assignment
  const drop = (e: TargetedDragEvent<HTMLElement>): void => { e.preventDefault(); take(e.dataTransfer?.files); };
  return (
    <section ref={section} class="card part" onDragOver={(e) => e.preventDefault()} onDrop={drop}>
      <h2>{a.title}</h2>
      <p class="note">{say("class.facts", { game: gameTitle(a.game), points: a.points, used, attempts: a.attempts })}{a.due_time && ` · ${say("class.due.at", { time: time(a.due_time) })}`}</p>
      {a.mark && <p><strong>{say("class.mark.own", { mark: a.mark.mark, of: a.points })}</strong></p>}
      <ul>{a.submissions.map((s) => <Line key={s.id} s={s} show={show} counts={a.submissions.length > 1 && a.mark?.submission === s.id} />)}</ul>
      {!c.archived && used < a.attempts && (
        <>
          <label class="field">{say("class.files")}<input type="file" multiple accept=".cpp,.cc,.cxx,.c,.h,.hpp,.py,.zip" onChange={(e) => { take(e.currentTarget.files); e.currentTarget.value = ""; }} /></label>
          <Paste hand={hand} />
        </>
      )}
      <Alert text={trouble} />
      {a.league && <League a={a} path={path} />}
    </section>
  );
}

/** Paste hands in pasted text as one file. */
function Paste({ hand }: { hand: (files: File_[]) => void }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{say("class.paste")}</summary>
      <form class="part" onSubmit={(e) => { const v = values(e); setOpen(false); hand([{ name: v.name, text: v.text }]); }}>
        <label class="field">{say("class.file")}<input name="name" required defaultValue="main.cpp" maxLength={100} /></label>
        <label class="field">{say("class.source")}<textarea name="text" required rows={10} spellcheck={false} /></label>
        <button class="main">{say("class.hand")}</button>
      </form>
    </details>
  );
}

/** state describes the state of a submission. */
export function state(s: Short): string {
  if (s.state === "waiting" || s.state === "judging") return say(`class.${s.state}`);
  if (s.state === "failed") return say("class.failed");
  return [say("class.mark", { mark: s.mark ?? s.points, of: s.of }), phrase(s.rule || s.verdict)].filter(Boolean).join(" · ");
}

/** Line is a submission in a list. Screen readers announce its verdict, not each step in the queue. */
function Line({ s, show, counts }: { s: Short; show: (id: string) => void; counts: boolean }): JSX.Element {
  return (
    <li>
      <span role="status">{say("list.named", { name: time(s.time), text: state(s) })}</span>{s.place > 0 && <span class="note"> {say("class.place", { n: s.place })}</span>}{counts && <strong> {say("class.counts")}</strong>}
      {s.state === "judged" && <> <button type="button" class="quiet" aria-label={say("class.look.at", { time: time(s.time) })} onClick={() => show(s.id)}>{say("class.look")}</button></>}
    </li>
  );
}
