// The verdict on a submission: points by feature, the broken rule, the lines to type and the board that show it, and
// the second look.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call } from "./api";
import type { Short } from "./class";
import { Alert, useSending, values } from "./sending";
import { phrase, say } from "./words";

interface Full extends Short {
  result: { message: string; conversation: string; input: string; warnings: string[]; features: { name: string; points: number; of: number; why: string }[] } | null;
  files: { name: string; text?: string }[];
  replay: { text: string; path: string } | null;
}

/** titleOf names the student to the teacher, and what is wrong. */
function titleOf(v: Full, teacher: boolean): string {
  const found = phrase(v.rule || v.verdict) || say("class.points");
  return teacher ? say("class.found", { name: v.student!, found }) : found;
}

/** sumOf says how many points there are, and how many features work. */
function sumOf(v: Full): string {
  const list = v.result?.features ?? [], works = list.filter((f) => f.points >= f.of).length;
  return say(list.length > 0 ? "class.sum" : "class.sum.points", { mark: short(v.points), of: short(v.of), works, all: list.length });
}

const short = (points: number): string => String(Math.round(points * 100) / 100);

export function Verdict({ path, teacher, close, load }: { path: string; teacher: boolean; close: () => void; load: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [v, setFull] = useState<Full | null>(null);
  const { trouble, send } = useSending();
  const look = (): void => send(async () => setFull(await call<Full>("GET", path)));
  useEffect(look, [path]);
  useEffect(() => dialog.current!.showModal(), []);
  useEffect(() => {
    const talk = dialog.current!.querySelector(".talk");
    if (talk) talk.scrollTop = talk.scrollHeight; // the mistake is at its end
  }, [v !== null]);
  const post = (at: string, body: unknown): void => send(async () => { await call("POST", path + at, body); look(); load(); });
  return (
    <dialog ref={dialog} class="sheet verdict" aria-labelledby="verdict-title" onClose={close}>
      <div class="part">
        <div class="part" role="status">
          <h2 id="verdict-title" tabIndex={-1} autofocus>{v ? titleOf(v, teacher) : say(trouble ? "class.points" : "class.coming")}</h2>
          {v && <p>{sumOf(v)}</p>}
        </div>
        <Alert text={trouble} />
        {v?.result && <Result v={v} />}
        {v && <Second v={v} teacher={teacher} post={post} />}
        {v && teacher && v.files.map((f) => <details key={f.name}><summary>{f.name}</summary><pre tabIndex={0} role="group" aria-label={f.name}>{f.text}</pre></details>)}
        <button type="button" class="quiet" onClick={() => dialog.current!.close()}>{say("class.close")}</button>
      </div>
    </dialog>
  );
}

/** Result is what the judge found. */
function Result({ v }: { v: Full }): JSX.Element {
  const r = v.result!;
  return (
    <>
      {r.message && <p>{phrase(r.message)}</p>}
      {r.conversation && <><h3 id="verdict-talk">{say("class.talk")}</h3><pre class="talk" tabIndex={0} role="group" aria-labelledby="verdict-talk"><Talk text={r.conversation} /></pre></>}
      {v.replay && <><h3 id="verdict-type">{say("class.type")}</h3><pre tabIndex={0} role="group" aria-labelledby="verdict-type">{v.replay.text}</pre>{v.replay.path && <a class="button" href={v.replay.path} target="_blank">{say("class.replay")}</a>}</>}
      {r.features.length > 0 && (
        <><h3 id="verdict-points">{say("class.points")}</h3><table aria-labelledby="verdict-points">
          <tbody>{r.features.map((f) => <tr key={f.name}><th scope="row">{phrase(f.name)}</th><td>{say("class.mark", { mark: short(f.points), of: short(f.of) })}</td><td>{phrase(f.why)}</td></tr>)}</tbody>
        </table></>
      )}
      {r.warnings.map((w) => <p key={w} class="note">{phrase(w)}</p>)}
    </>
  );
}

// How the judge marks the first difference of a conversation.
const marks = "--- expected: %s\n--- printed:  %s\n              %s^ here", nothing = "(nothing: it waits for input)";
const difference = /--- expected: ([^\n]*)\n--- printed:  ([^\n]*)\n {14}( *)\^ here\n?$/;

/** Talk is a conversation, with its marks in the language of the page. */
function Talk({ text }: { text: string }): JSX.Element {
  const found = difference.exec(text);
  if (!found) return <span lang="en">{text}</span>;
  const said = phrase(marks).split("%s"), parts = found.slice(1).map((part) => part === nothing ? phrase(part) : <span lang="en">{part}</span>);
  return <><span lang="en">{text.slice(0, found.index)}</span>{said.flatMap((words, i) => [words, parts[i]])}</>;
}

/** Second is the second look: the student's question, the teacher's answer, and a mark with a reason. */
function Second({ v, teacher, post }: { v: Full; teacher: boolean; post: (at: string, body: unknown) => void }): JSX.Element {
  const text = (at: string) => (e: TargetedSubmitEvent<HTMLFormElement>): void => post(at, values(e));
  return (
    <>
      {v.mark !== null && <p>{say("class.set", { mark: v.mark, reason: v.reason })}</p>}
      {v.question && <p>{say("class.asked", { text: v.question })}</p>}
      {v.answer && <p>{say("class.answered", { text: v.answer })}</p>}
      {!teacher && !v.question && <form class="part" onSubmit={text("/question")}><label class="field">{say("class.ask")}<input name="text" required maxLength={500} /></label><button>{say("class.ask.do")}</button></form>}
      {teacher && v.question && !v.answer && <form class="part" onSubmit={text("/answer")}><label class="field">{say("class.answer")}<input name="text" required maxLength={500} /></label><button>{say("class.answer.do")}</button></form>}
      {teacher && (
        <form class="part" onSubmit={(e) => { const f = values(e); post("/mark", { mark: Number(f.mark), reason: f.reason }); }}>
          <label class="field">{say("class.set.mark")}<input name="mark" type="number" min={0} max={1000} step="any" required /></label>
          <label class="field">{say("class.set.reason")}<input name="reason" required maxLength={500} /></label>
          <button>{say("class.set.do")}</button>
        </form>
      )}
    </>
  );
}
