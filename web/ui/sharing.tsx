// Saving an analysis as a study, its links and downloads, and opening records.

import { useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Analysing } from "./analysing";
import { call, newKey, type Trouble } from "./api";
import { Share } from "./share";
import { kept } from "./store";
import type { Study, Syncing } from "./syncing";
import { fitting, plain, rootId, type Edit, type Tree } from "./tree";
import { gameTitle, say } from "./words";
import { marked, Seen, Wrong } from "./wrong";

/** keys are the edit keys that this browser has, by study id. */
export const keys = kept<Record<string, string>>("studies", {});

interface Created {
  id: string;
  key: string;
  study: Study;
}

const most = 100; // studies whose keys are kept

/** remember keeps the key of a study. */
export function remember(id: string, key: string): void {
  const rest = Object.entries(keys.peek()).filter(([other]) => other !== id).slice(1 - most);
  keys.value = Object.fromEntries([...rest, [id, key]]);
}

/** editsOf returns the edits that build a tree from an empty one. */
function editsOf(tree: Tree): Edit[] {
  return tree.below(rootId).flatMap((id): Edit[] => {
    const n = tree.nodes.get(id)!;
    return [
      ...(n.parent ? [{ do: "add", id, parent: n.parent, move: n.move } as Edit] : []),
      ...(n.comment ? [{ do: "comment", id, text: n.comment } as Edit] : []),
      ...(n.glyph ? [{ do: "glyph", id, glyph: n.glyph } as Edit] : []),
      ...(n.shapes.length > 0 ? [{ do: "shapes", id, shapes: n.shapes } as Edit] : []),
    ];
  });
}

/** save turns an analysis into a study and opens it. */
async function save(a: Analysing): Promise<void> {
  const made = await call<Created>("POST", "/api/studies", { ...a.start, title: a.tree.title || say("study.untitled", { game: gameTitle(a.game) }) }, newKey());
  const edits = editsOf(a.tree);
  for (let after = made.study.n; edits.length > 0; after++) {
    await call("POST", `/api/studies/${made.id}/edits?key=${made.key}`, { after, edits: edits.splice(0, fitting(edits)) });
  }
  remember(made.id, made.key);
  location.href = `/study/${made.id}`;
}

/** Sharing saves the analysis, or shows the links and downloads of the study. */
export function Sharing({ a, sync }: { a: Analysing; sync: Syncing | null }): JSX.Element {
  return (
    <>
      {sync && <Links a={a} sync={sync} />}
      {(!sync || !a.editable) && <Save a={a} copy={sync !== null} />}
      <OpenRecord game={a.game} />
    </>
  );
}

function Save({ a, copy }: { a: Analysing; copy: boolean }): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const go = (): void => {
    setBusy(true);
    save(a).catch((e: Error) => { setTrouble(e.message); setBusy(false); });
  };
  return (
    <>
      <button class="save" disabled={busy} onClick={go}>{say(busy ? "study.saving.new" : copy ? "study.copy" : "study.save")}</button>
      {trouble && <Seen text={trouble} />}
    </>
  );
}

/** Links are the links of a study: to read it, to edit it, and to download records. */
function Links({ a, sync }: { a: Analysing; sync: Syncing }): JSX.Element {
  const [forms, setForms] = useState<string[]>([]);
  const path = `/study/${sync.study.id}`, query = sync.key ? `key=${encodeURIComponent(sync.key)}` : "";
  const open = (e: Event): void => {
    if (!(e.currentTarget as HTMLDetailsElement).open) return;
    void call<{ forms: string[] }>("GET", `/api/studies/${sync.study.id}/forms?${query}`).then((r) => setForms(r.forms), () => {});
  };
  return (
    <details class="sharing" onToggle={open}>
      <summary>{say("study.share")}</summary>
      {sync.visibility.value === "link" && <Share path={path} label={say("study.link.read")} />}
      {sync.key && <Share path={`${path}?${query}`} label={say("study.link.edit")} />}
      {a.editable && (
        <label class="check">
          <input type="checkbox" checked={sync.visibility.value === "private"} onChange={(e) => a.edit({ do: "visibility", visibility: e.currentTarget.checked ? "private" : "link" })} />
          <span>{say("study.private")}</span>
        </label>
      )}
      <p class="note">{say("study.download")}</p>
      <ul class="forms">{forms.map((f) => <li key={f}><a href={`/api/studies/${sync.study.id}/download?form=${f}${query && `&${query}`}`} download>{say(`form.${f}`)}</a></li>)}</ul>
    </details>
  );
}

/** Connection announces that the connection is lost, and that all is saved when it is back. That each edit is saved would be too much. */
function Connection({ state }: { state: Syncing["state"]["value"] }): JSX.Element {
  const lost = useRef(false);
  if (state === "offline") lost.current = true;
  return <span class="hidden" role="status">{state === "offline" ? say("study.offline") : state === "saved" && lost.current ? say("study.saved") : ""}</span>;
}

/** Title is the name of a study, and whether its edits are saved. */
export function Title({ a, sync }: { a: Analysing; sync: Syncing }): JSX.Element {
  const state = sync.state.value;
  const change = (e: { currentTarget: HTMLInputElement }): void => {
    const text = plain(e.currentTarget.value).trim();
    if (text && text !== sync.title.peek()) a.edit({ do: "title", text });
  };
  return (
    <div class="study-title">
      {a.editable ? <input aria-label={say("study.name")} maxLength={100} key={sync.title.value} defaultValue={sync.title.value} onChange={change} /> : <h2>{sync.title.value}</h2>}
      <span class="note" data-sync={state}>{state === "offline" ? say("study.offline") : a.editable ? say(`study.${state}`) : say("study.reading")}</span>
      <Connection state={state} />
      {sync.notice.value && <p class="trouble" role="alert">{sync.notice.value}</p>}
    </div>
  );
}

const longest = 250_000; // characters of a record that the server takes, about

/** OpenRecord makes a study of a record with its variations. */
function OpenRecord({ game }: { game: string }): JSX.Element {
  const [record, setRecord] = useState("");
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const long = record.length > longest;
  const take = async (file: File | undefined): Promise<void> => {
    if (file) setRecord(file.size > longest ? "x".repeat(longest + 1) : await file.text()); // what is too long is not read
  };
  const open = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    setTrouble(null);
    try {
      const made = await call<Created>("POST", "/api/studies", { record, game }, newKey());
      remember(made.id, made.key);
      location.href = `/study/${made.id}`;
    } catch (e) {
      setTrouble(e as Trouble);
      setBusy(false);
    }
  };
  return (
    <details class="sharing">
      <summary>{say("study.record")}</summary>
      <form onSubmit={(e) => void open(e)} noValidate>
        <p class="note">{say("study.record.text")}</p>
        <label class="field">{say("review.record")}
          <textarea {...marked("record", trouble)} rows={5} spellcheck={false} value={long ? "" : record} onInput={(e) => setRecord(e.currentTarget.value)} />
        </label>
        <Wrong field="record" trouble={trouble} />
        <label class="field">{say("review.file")}<input type="file" onChange={(e) => void take(e.currentTarget.files?.[0])} /></label>
        {long && <p class="trouble" role="alert">{say("review.long")}</p>}
        {trouble && trouble.field !== "record" && <Seen text={trouble.message} />}
        <button disabled={busy || long || record.trim() === ""}>{say("study.record.open")}</button>
      </form>
    </details>
  );
}
