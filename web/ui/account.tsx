// The account dialog: sign up, sign in and out, sessions, tokens, the password, and erasing the account.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call, look, Trouble, who } from "./api";
import { useNearFocus } from "./focus";
import { available, confirmation, Passkeys, type Purpose, SignIn, SignUp } from "./passkeys";
import { Push, supported } from "./push";
import { Vacation } from "./vacation";
import { ago, say } from "./words";
import { marked, Wrong } from "./wrong";

interface SignedIn {
  name: string;
  recovery?: string;
}

interface Session {
  id: string;
  label: string;
  scopes: string[];
  seen: string;
  current: boolean;
}

type View = "keep" | "in" | "recover";

/** Account is the account dialog. It opens whenever asked increases. */
export function Account({ asked }: { asked: number }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [view, setView] = useState<View>("keep");
  const [code, setCode] = useState("");
  useNearFocus("dialog.account");
  useEffect(() => {
    dialog.current!.showModal();
    void look().catch(() => {});
  }, [asked]);
  const signedIn = (s: SignedIn): void => {
    setCode(s.recovery ?? "");
    void look().catch(() => {});
  };
  const close = (): void => {
    setCode("");
    dialog.current!.close();
  };
  return (
    <dialog ref={dialog} class="sheet account" aria-labelledby="account-title" onClose={() => setCode("")}>
      <div class="part">
        {code ? <Code code={code} close={close} />
          : who.value?.guest === false ? <Own />
          : <Guest key={view} view={view} show={setView} done={signedIn} />}
        {!code && <button type="button" class="quiet" onClick={close}>{say("account.close")}</button>}
      </div>
    </dialog>
  );
}

/** Field is a labelled input with its error. */
function Field({ name, trouble, type, ...rest }: { name: string; trouble: Trouble | null; type?: "password"; autocomplete?: string; minLength?: number; maxLength?: number; autofocus?: boolean; id?: string }): JSX.Element {
  const given = { name, required: true, ...marked(name, trouble), ...rest };
  return (
    <>
      <label class="field">{say(`account.${name}`)}{type ? <input type={type} {...given} /> : <input {...given} />}</label>
      <Wrong field={name} trouble={trouble} />
    </>
  );
}

/** useSend completes and sends the fields of a form and keeps the error, if any. */
function useSend<T>(method: string, path: string, done: (answer: T) => void, complete = async (fields: Record<string, unknown>): Promise<Record<string, unknown>> => fields): { trouble: Trouble | null; busy: boolean; send: (e: TargetedSubmitEvent<HTMLFormElement>) => void } {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const send = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    e.preventDefault();
    const form = e.currentTarget;
    const body: Record<string, unknown> = {};
    for (const [name, value] of new FormData(form)) body[name] = value === "on" ? true : value;
    setBusy(true);
    setTrouble(null);
    complete(body).then((fields) => call<T>(method, path, fields)).then((answer) => { form.reset(); done(answer); }, setTrouble).finally(() => setBusy(false));
  };
  return { trouble, busy, send };
}

/** General shows an error that belongs to no field of a form. */
function General({ trouble, fields }: { trouble: Trouble | null; fields: string[] }): JSX.Element | null {
  return trouble && !fields.includes(trouble.field) ? <p class="trouble" role="alert">{trouble.message}</p> : null;
}

const forms: Record<View, { path: string; fields: string[] }> = {
  keep: { path: "/api/accounts", fields: ["name", "password"] },
  in: { path: "/api/sessions", fields: ["name", "password"] },
  recover: { path: "/api/account/recover", fields: ["name", "code", "new"] },
};

/** Guest lets a guest create an account, sign in, or recover an account. */
function Guest({ view, show, done }: { view: View; show: (v: View) => void; done: (s: SignedIn) => void }): JSX.Element {
  const { path, fields } = forms[view];
  const { trouble, busy, send } = useSend<SignedIn>("POST", path, done);
  const guest = who.value?.name ?? "";
  const secret = { type: "password" as const, autocomplete: view === "in" ? "current-password" : "new-password", minLength: view === "in" ? undefined : 8 };
  return (
    <>
      <h2 id="account-title">{say(`account.${view}.title`)}</h2>
      <p class="note">{say(`account.${view}.text`, { name: guest })}</p>
      <form onSubmit={send}>
        {fields.map((f) => <Field key={f} name={f} trouble={trouble} {...(f === "name" ? { autocomplete: "username", maxLength: 20, autofocus: true } : f === "code" ? { autocomplete: "one-time-code" } : secret)} />)}
        {view === "in" && <label class="check"><input type="checkbox" name="keep" defaultChecked /><span>{say("account.keep.guest", { name: guest })}</span></label>}
        <General trouble={trouble} fields={fields} />
        <button class="main" disabled={busy}>{say(`account.${view}.do`)}</button>
        {view === "keep" && <SignUp<SignedIn> done={done} />}
      </form>
      {view === "in" && <SignIn<SignedIn> done={done} />}
      <div class="bar">
        {(["keep", "in", "recover"] as const).filter((v) => v !== view).map((v) => <button key={v} type="button" class="quiet" onClick={() => show(v)}>{say(`account.${v}.link`)}</button>)}
        <a href="/class">{say("account.class")}</a>
      </div>
    </>
  );
}

/** Code shows a recovery code. The server sends it only once. */
function Code({ code, close }: { code: string; close: () => void }): JSX.Element {
  return (
    <>
      <h2 id="account-title">{say("account.code.title")}</h2>
      <p>{say("account.code.text")}</p>
      <p class="code"><code>{code}</code></p>
      <div class="bar">
        <button type="button" onClick={() => window.print()}>{say("account.code.print")}</button>
        <button type="button" class="main" autofocus onClick={close}>{say("account.code.done")}</button>
      </div>
    </>
  );
}

/** Own lets somebody who has signed in manage the account. */
function Own(): JSX.Element {
  const { name, keyed } = who.value!;
  const out = (): void => void call("DELETE", "/api/sessions/current").finally(() => void look());
  return (
    <>
      <h2 id="account-title">{name}</h2>
      <div class="bar">
        <a class="button main" href={`/@${encodeURIComponent(name)}`}>{say("account.page")}</a>
        <a class="button" href="/class">{say("account.class")}</a>
        <a class="button" href="/challenges">{say("challenge.title")}</a>
        {["moderator", "owner"].includes(who.value!.role ?? "") && <a class="button" href="/moderation">{say("moderation.title")}</a>}
        <button type="button" onClick={out}>{say("account.out")}</button>
      </div>
      <Part title="sessions"><Sessions /></Part>
      {available() && <Part title="passkey"><Passkeys /></Part>}
      <Part title="vacation"><Vacation /></Part>
      {supported() && <Part title="push"><Push /></Part>}
      <Part title={keyed ? "set" : "change"}><Change purpose="password" method="POST" path="/api/account/password" fields={["password", "new"]} verb={keyed ? "set.do" : "change.do"} /></Part>
      <Part title="data">
        <p><a href="/api/account/export" download>{say("account.export")}</a></p>
        <p class="note">{say("account.erase.text")}</p>
        <Change purpose="erase" method="DELETE" path="/api/account" fields={["password"]} verb="erase.do" />
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: JSX.Element | JSX.Element[] }): JSX.Element {
  return <details><summary>{say(`account.${title}.title`)}</summary><div class="part">{children}</div></details>;
}

/** Change is a form of password fields that changes or erases the account. Without a password, a passkey confirms it. */
function Change({ purpose, method, path, fields, verb }: { purpose: Purpose; method: string; path: string; fields: string[]; verb: string }): JSX.Element {
  const [done, setDone] = useState(false);
  const { trouble, busy, send } = useSend(method, path, () => { setDone(true); void look(); }, (f) => confirmation(purpose, f));
  return (
    <form onSubmit={send}>
      {who.value?.keyed && <p class="note">{say("account.keyed")}</p>}
      {fields.filter((f) => f !== "password" || !who.value?.keyed).map((f) => <Field key={f} name={f} trouble={trouble} type="password" autocomplete={f === "new" ? "new-password" : "current-password"} id={`${verb}-${f}`} />)}
      <General trouble={trouble} fields={fields} />
      {done && <p role="status">{say("account.changed")}</p>}
      <button disabled={busy}>{say(`account.${verb}`)}</button>
    </form>
  );
}

/** Sessions lists sessions and tokens, ends them, and creates tokens. */
/** labelOf names a session in the language of the page; Program is the server's name for one without a browser. */
const labelOf = (s: Session): string => s.label === "Program" ? say("account.program") : s.label;

function Sessions(): JSX.Element {
  const [list, setList] = useState<Session[]>([]);
  const [token, setToken] = useState("");
  const load = (): void => void call<{ sessions: Session[] }>("GET", "/api/sessions").then((a) => setList(a.sessions), () => {});
  useEffect(load, []);
  const end = (s: Session): void => void call("DELETE", `/api/sessions/${s.id}`).finally(load);
  const make = (): void => void call<{ token: string }>("POST", "/api/account/tokens", { label: say("account.token.label"), scopes: ["play"] }).then((t) => { setToken(t.token); load(); }, () => {});
  return (
    <>
      <ul class="sessions">
        {list.map((s) => (
          <li key={s.id}>
            <span>{labelOf(s)} <span class="note">{s.current ? say("account.current") : ago(s.seen)}</span></span>
            {!s.current && <button type="button" class="quiet" aria-label={say("account.end.one", { what: labelOf(s) })} onClick={() => end(s)}>{say("account.end")}</button>}
          </li>
        ))}
      </ul>
      <p class="note">{say("account.token.text")}</p>
      <button type="button" onClick={make}>{say("account.token.do")}</button>
      {token && <p class="code" role="status">{say("account.token.once")} <code>{token}</code></p>}
    </>
  );
}
