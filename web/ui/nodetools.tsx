// What can be said of a move: a glyph, a comment, arrows; and its place in the tree.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Analysing } from "./analysing";
import { maxComment, type Color, type Glyph } from "./tree";
import { say } from "./words";

const glyphs: Glyph[] = ["!!", "!", "!?", "?!", "?", "??"];
const colors: Color[] = ["green", "red", "blue", "yellow"];

/** NodeTools edits the node that is looked at. */
export function NodeTools({ a }: { a: Analysing }): JSX.Element | null {
  const n = a.node.value;
  a.changes.value; // whether there is a variation to promote depends on moves before this one
  if (!a.editable) return null;
  const branch = a.branch();
  return (
    <section class="node-tools" aria-label={say("analysis.node")}>
      <div class="bar glyphs" role="group" aria-label={say("analysis.glyph")}>
        {glyphs.map((g) => <button key={g} aria-label={`${say(`analysis.glyph.${g}`)} (${g})`} title={say(`analysis.glyph.${g}`)} aria-pressed={n.glyph === g} disabled={!n.parent} onClick={() => a.setGlyph(g)}>{g}</button>)}
      </div>
      <Comment key={n.id} a={a} id={n.id} />
      <div class="bar">
        <button aria-disabled={!branch} onClick={() => a.promote()}>{say("analysis.promote")}</button>
        <button aria-disabled={!n.parent} onClick={() => a.remove()}>{say("analysis.delete")}</button>
      </div>
      <Drawing a={a} />
    </section>
  );
}

const typingPause = 1_000; // milliseconds without a key before a comment is kept

/** Comment is the field for a comment. What is typed is kept when the field is left, and after a pause. */
function Comment({ a, id }: { a: Analysing; id: string }): JSX.Element {
  const now = a.tree.nodes.get(id)?.comment ?? "";
  const [text, setText] = useState<string | null>(null); // while it is typed
  const typed = useRef<{ text: string; was: string } | null>(null), timer = useRef(0);
  const keep = (): void => {
    clearTimeout(timer.current);
    const t = typed.current;
    typed.current = null;
    if (!t) return;
    const kept = a.setComment(id, t.text, t.was);
    setText((shown) => (shown === null ? null : kept));
  };
  useEffect(() => keep, []); // another node is looked at
  const input = (t: string): void => {
    setText(t);
    typed.current = { text: t, was: typed.current?.was ?? text ?? now };
    clearTimeout(timer.current);
    timer.current = window.setTimeout(keep, typingPause);
  };
  return (
    <label class="field">{say("analysis.comment")}
      <textarea rows={2} maxLength={maxComment} value={text ?? now} onInput={(e) => input(e.currentTarget.value)} onBlur={() => { keep(); setText(null); }} />
    </label>
  );
}

/** Drawing lets taps and keys draw: from a cell to a cell an arrow, twice on one cell a circle. */
function Drawing({ a }: { a: Analysing }): JSX.Element {
  const now = a.drawing.value;
  const choose = (color: Color | ""): void => { a.drawing.value = color; a.drawnFrom.value = -1; };
  return (
    <fieldset class="choice drawing">
      <legend>{say("analysis.draw")}</legend>
      <label><input type="radio" name="drawing" checked={now === ""} onChange={() => choose("")} /><span>{say("analysis.draw.off")}</span></label>
      {colors.map((c) => <label key={c}><input type="radio" name="drawing" checked={now === c} aria-label={say(`analysis.color.${c}`)} onChange={() => choose(c)} /><span class={`swatch ${c}`}><i /></span></label>)}
      {now !== "" && <p class="note" role="status">{say(a.drawnFrom.value < 0 ? "analysis.draw.from" : "analysis.draw.to")}</p>}
    </fieldset>
  );
}
