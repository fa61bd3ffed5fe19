// Similar programs of an assignment, for its teacher: pairs in two orders, and two programs side by side.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call } from "./api";
import type { Assignment } from "./class";
import { Alert, useSending } from "./sending";
import { language, listed, phrase, say } from "./words";

interface Pair {
  programs: { submission: string; name: string }[];
  similarity: number;
  tokens: number;
  rarity: number;
  mistakes: string[];
}

interface Side {
  submission: string;
  name: string;
  sources: { name: string; text: string; shared: number[] }[];
}

type Order = "similarity" | "rarity";

const percent = (part: number): string => new Intl.NumberFormat(language, { style: "percent" }).format(part);
const nameOf = (p: Pair): string => say("class.versus", { first: p.programs[0].name, second: p.programs[1].name });

export function Similar({ a, path }: { a: Assignment; path: string }): JSX.Element {
  const at = `${path}/assignments/${a.id}`;
  const [pairs, setPairs] = useState<Pair[] | null>(null);
  const [order, setOrder] = useState<Order>("similarity");
  const [open, setOpen] = useState<Pair | null>(null);
  const { trouble, send } = useSending();
  const load = (): void => send(async () => setPairs((await call<{ pairs: Pair[] }>("GET", `${at}/similar`)).pairs));
  const sort = (by: Order): JSX.Element => <th scope="col" aria-sort={order === by ? "descending" : undefined}><button type="button" class="quiet" aria-pressed={order === by} onClick={() => setOrder(by)}>{say(`class.similar.${by}`)}</button></th>;
  return (
    <details class="card part wide" onToggle={(e) => { if (e.currentTarget.open) load(); }}>
      <summary>{say("class.similar", { title: a.title })}</summary>
      <p class="note">{say("class.similar.text")} <a href={`${at}/dolos`} download>{say("class.similar.dolos")}</a></p>
      <Alert text={trouble} />
      {pairs?.length === 0 && <p role="status">{say("class.similar.none")}</p>}
      {pairs && pairs.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={say("class.similar", { title: a.title })}>
          <table>
            <thead><tr><th scope="col">{say("class.similar.pair")}</th>{sort("similarity")}<th scope="col">{say("class.similar.tokens")}</th>{sort("rarity")}</tr></thead>
            <tbody>
              {[...pairs].sort((p, q) => q[order] - p[order]).map((p) => (
                <tr key={p.programs[0].submission + p.programs[1].submission}>
                  <th scope="row"><button type="button" class="quiet" onClick={() => setOpen(p)}>{nameOf(p)}</button></th>
                  <td>{percent(p.similarity)}</td><td>{percent(p.tokens)}</td><td>{listed(p.mistakes.map(phrase))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open && <Both pair={open} path={`${at}/similar/${open.programs[0].submission}/${open.programs[1].submission}`} close={() => setOpen(null)} />}
    </details>
  );
}

/** Both shows two programs side by side, with the lines that they share marked. */
function Both({ pair, path, close }: { pair: Pair; path: string; close: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [sides, setSides] = useState<Side[]>([]);
  const { trouble, send } = useSending();
  useEffect(() => {
    dialog.current!.showModal();
    send(async () => setSides((await call<{ sides: Side[] }>("GET", path)).sides));
  }, [path]);
  return (
    <dialog ref={dialog} class="sheet verdict similar" aria-labelledby="similar-title" onClose={close}>
      <div class="part">
        <h2 id="similar-title">{say("list.named", { name: nameOf(pair), text: percent(pair.similarity) })}</h2>
        <Alert text={trouble} />
        <div class="sides">
          {sides.map((s) => (
            <section key={s.submission} aria-label={s.name}>
              <h3>{s.name}</h3>
              {s.sources.map((f) => <Source key={f.name} name={s.name} f={f} />)}
            </section>
          ))}
        </div>
        <button type="button" class="quiet" onClick={() => dialog.current!.close()}>{say("class.close")}</button>
      </div>
    </dialog>
  );
}

/** Source is a file with numbers of lines. */
function Source({ name, f }: { name: string; f: Side["sources"][0] }): JSX.Element {
  const shared = new Set(f.shared), lines = f.text.replace(/\n$/, "").split("\n"), width = String(lines.length).length;
  const line = (text: string, i: number): string => `${String(i + 1).padStart(width)} ${text}\n`;
  return <pre tabIndex={0} role="group" aria-label={listed([name, f.name])}>{lines.map((text, i) => (shared.has(i + 1) ? <mark key={i}>{line(text, i)}</mark> : line(text, i)))}</pre>;
}
