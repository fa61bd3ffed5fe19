// The printable sheet of login codes. The server sends each code only once.

import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import { say } from "./words";

export interface Code {
  student: string;
  name: string;
  code: string;
  url: string;
  qr: string;
  modules: number;
}

export function Sheet({ codes, title, close }: { codes: Code[]; title: string; close: () => void }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current!.focus(), [codes]); // the roster above may be long
  return (
    <section class="codes" aria-labelledby="codes-title">
      <h3 id="codes-title" ref={heading} tabIndex={-1}>{say("class.codes", { title })}</h3>
      <p class="note">{say("class.codes.text", { url: `${location.origin}/class` })}</p>
      <p class="once" role="status">{say("class.codes.once")}</p>
      <ul>
        {codes.map((c) => (
          <li key={c.student}>
            <svg viewBox={`0 0 ${c.modules} ${c.modules}`} role="img" aria-label={say("class.qr", { name: c.name })}><rect width="100%" height="100%" fill="#fff" /><path d={c.qr} fill="#000" /></svg>
            <div><strong>{c.name}</strong><p><code>{c.code}</code></p></div>
          </li>
        ))}
      </ul>
      <div class="bar">
        <button type="button" class="main" onClick={() => window.print()}>{say("class.print")}</button>
        <button type="button" class="quiet" onClick={close}>{say("class.codes.done")}</button>
      </div>
    </section>
  );
}
