// Learning platforms from which the students of a class come (LTI 1.3), for its teacher.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call, type Trouble } from "./api";
import type { Parts } from "./class";
import { Alert, useSending, values } from "./sending";
import { say } from "./words";

const fields = ["issuer", "client", "deployment", "auth", "token", "keys"] as const;

interface Platforms {
  login: string;
  launch: string;
  keys: string;
  platforms: ({ id: string } & Record<(typeof fields)[number], string>)[];
  waiting: number;
  trouble: string;
}

/** reasons are why a launch fails, as the server names them in the address of the page of classes. */
const reasons = ["again", "cookie", "platform", "refused", "full"];

/** refusal says why a student did not get in from a platform; "" if the page has another address. */
export function refusal(): string {
  const reason = new URLSearchParams(location.search).get("lti") ?? "";
  return reasons.includes(reason) ? say(`class.lti.${reason}`) : "";
}

interface Entry {
  class: string;
  student: string;
  you: string; // whom that signs out
}

/** Enter signs in the student of a launch. Whoever is signed in as somebody else is asked first. */
export function Enter({ id }: { id: string }): JSX.Element | null {
  const [entry, setEntry] = useState<Entry | null>(null);
  const [trouble, setTrouble] = useState("");
  const path = `/lti/${encodeURIComponent(id)}/enter`;
  const enter = async ({ student, you }: Entry): Promise<void> => location.replace((await call<{ url: string }>("POST", path, { student, you })).url);
  const ask = (): void => void call<Entry>("GET", path).then((e) => (e.you ? setEntry(e) : enter(e))).catch(failed);
  const failed = (e: Trouble): void => {
    if (e.status === 409) ask(); // another launch, or another account
    else setTrouble(e.status === 404 ? say("class.lti.again") : e.message);
  };
  useEffect(ask, []);
  if (!entry) return <Alert text={trouble} />;
  return (
    <section class="card part">
      <h2 tabIndex={-1} ref={(e) => e?.focus()}>{say("class.enter.title")}</h2>
      <p>{say("class.enter.text", { student: entry.student, class: entry.class, you: entry.you })}</p>
      <Alert text={trouble} />
      <div class="bar">
        <button type="button" class="main" onClick={() => void enter(entry).catch(failed)}>{say("class.enter.do", { student: entry.student })}</button>
        <button type="button" onClick={() => void call("DELETE", path).then(() => setEntry(null)).catch(failed)}>{say("class.enter.stay", { you: entry.you })}</button>
      </div>
    </section>
  );
}

export function Platforms({ c, path }: Parts): JSX.Element {
  const [all, setAll] = useState<Platforms | null>(null);
  const { trouble, send } = useSending();
  const load = async (): Promise<void> => setAll(await call<Platforms>("GET", `${path}/platforms`));
  const save = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    const body = values(e), form = e.currentTarget;
    send(async () => { await call("POST", `${path}/platforms`, body); form.reset(); await load(); });
  };
  const remove = (id: string, issuer: string): void => {
    if (confirm(say("class.lti.remove.sure", { issuer }))) send(async () => { await call("DELETE", `${path}/platforms/${id}`); await load(); });
  };
  const input = (name: (typeof fields)[number]): JSX.Element => {
    const given = { name, required: true, maxLength: 500, autocomplete: "off" as const, spellcheck: false };
    return name === "auth" || name === "token" || name === "keys" ? <input type="url" {...given} /> : <input type="text" {...given} />;
  };
  return (
    <details class="card part" onToggle={(e) => { if (e.target === e.currentTarget && e.currentTarget.open) send(load); }}>
      <summary>{say("class.lti")}</summary>
      <p class="note">{say("class.lti.text")}</p>
      {all && (
        <dl class="addresses">
          <dt>{say("class.lti.launch")}</dt><dd><code>{all.launch}</code></dd>
          <dt>{say("class.lti.login")}</dt><dd><code>{all.login}</code></dd>
          <dt>{say("class.lti.keyset")}</dt><dd><code>{all.keys}</code></dd>
          {c.assignments.map((a) => <><dt>{say("class.lti.link", { title: a.title })}</dt><dd><code>assignment={a.id}</code></dd></>)}
        </dl>
      )}
      {all && all.waiting > 0 && <p role="status">{say("class.lti.waiting", { n: all.waiting })}</p>}
      {all?.trouble && <p role="status">{say("class.lti.trouble", { text: all.trouble })}</p>}
      <ul class="roster">
        {all?.platforms.map((p) => (
          <li key={p.id}><span>{p.issuer} <span class="note">{p.client}</span></span><button type="button" class="quiet" aria-label={say("class.lti.remove.one", { issuer: p.issuer })} onClick={() => remove(p.id, p.issuer)}>{say("class.lti.remove")}</button></li>
        ))}
      </ul>
      <form class="part" onSubmit={save}>
        <h3>{say("class.lti.add")}</h3>
        {fields.map((name) => <label key={name} class="field">{say(`class.lti.${name}`)}{input(name)}</label>)}
        <button class="main">{say("class.lti.do")}</button>
      </form>
      <Alert text={trouble} />
    </details>
  );
}
