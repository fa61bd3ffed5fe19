// Passkeys: create an account or sign in with one, and manage those of an account.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call, Trouble, who } from "./api";
import { ago, say } from "./words";

interface Passkey {
  id: string;
  label: string;
  created: string;
  seen?: string;
}

/** available reports whether the browser supports passkeys on this page. They need https or localhost. */
export const available = (): boolean => isSecureContext && "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** troubled returns an error with its message; all errors of the browser count as cancelled. */
const troubled = (e: unknown): Trouble => (e instanceof Trouble ? e : new Trouble(say("account.passkey.cancelled"), 0));

/** Purpose is the change of the account that a passkey confirms: an answer is good for this change alone. */
export type Purpose = "erase" | "password" | "passkey";

/** use asks for a passkey, and returns its answer to a challenge for confirming a change, or for signing in. */
async function use(purpose?: Purpose): Promise<unknown> {
  const { publicKey } = await call<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>("POST", "/api/sessions/passkey/challenge", { do: purpose });
  const got = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  return (got as PublicKeyCredential).toJSON();
}

/** create creates a passkey on the device, and returns its answer to the challenge that a path issues. */
async function create(path: string, body: unknown): Promise<unknown> {
  const { publicKey } = await call<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>("POST", path, body);
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  return (made as PublicKeyCredential).toJSON();
}

/** confirmation returns the fields that confirm a change: the password, or without one a passkey's answer. */
export async function confirmation(purpose: Purpose, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  return who.value?.keyed ? { ...fields, credential: await use(purpose).catch((e: unknown) => { throw troubled(e); }) } : fields;
}

/** add creates a passkey and adds it to the account. */
async function add(fields: Record<string, unknown>): Promise<void> {
  await call("POST", "/api/account/passkeys", { credential: await create("/api/account/passkeys/challenge", await confirmation("passkey", fields)) });
}

/** signUp creates an account with a passkey. */
async function signUp<T>(name: string): Promise<T> {
  return call<T>("POST", "/api/accounts", { name, credential: await create("/api/accounts/passkey/challenge", { name }) });
}

/** SignUp is the button of a form with a name that creates an account with a passkey, where passkeys are available. */
export function SignUp<T>({ done }: { done: (answer: T) => void }): JSX.Element | null {
  const [trouble, setTrouble] = useState("");
  if (!available()) return null;
  const go = (e: { currentTarget: HTMLButtonElement }): void => {
    const name = e.currentTarget.form!.elements.namedItem("name") as HTMLInputElement;
    setTrouble("");
    if (name.reportValidity()) signUp<T>(name.value).then(done, (e: unknown) => setTrouble(troubled(e).message));
  };
  return (
    <>
      <button type="button" onClick={go}>{say("account.passkey.up")}</button>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
    </>
  );
}

/** SignIn is the button to sign in with a passkey, where passkeys are available. */
export function SignIn<T>({ done }: { done: (answer: T) => void }): JSX.Element | null {
  const [trouble, setTrouble] = useState("");
  if (!available()) return null;
  const go = (): void => void use().then((credential) => call<T>("POST", "/api/sessions/passkey", { credential, keep: true })).then(done, (e: unknown) => setTrouble(troubled(e).message));
  return (
    <>
      <button type="button" onClick={go}>{say("account.passkey.in")}</button>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
    </>
  );
}

/** Passkeys lists, adds and removes the passkeys of an account. */
export function Passkeys(): JSX.Element {
  const [list, setList] = useState<Passkey[]>([]);
  const [trouble, setTrouble] = useState("");
  const load = (): void => void call<{ passkeys: Passkey[] }>("GET", "/api/account/passkeys").then((a) => setList(a.passkeys), () => {});
  useEffect(load, []);
  const failed = (e: unknown): void => setTrouble(troubled(e).message);
  const remove = (p: Passkey): void => void call("DELETE", `/api/account/passkeys/${p.id}`).then(load, failed);
  const send = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    e.preventDefault();
    const form = e.currentTarget;
    setTrouble("");
    add(Object.fromEntries(new FormData(form))).then(() => { form.reset(); load(); }, failed);
  };
  return (
    <>
      <p class="note">{say("account.passkey.text")}</p>
      <ul class="sessions">
        {list.map((p) => (
          <li key={p.id}>
            <span>{p.label} <span class="note">{ago(p.seen ?? p.created)}</span></span>
            <button type="button" class="quiet" aria-label={say("account.passkey.remove.one", { what: p.label })} onClick={() => remove(p)}>{say("account.passkey.remove")}</button>
          </li>
        ))}
      </ul>
      <form onSubmit={send}>
        {who.value?.keyed ? <p class="note">{say("account.keyed")}</p>
          : <label class="field">{say("account.password")}<input name="password" type="password" required autocomplete="current-password" id="passkey-password" /></label>}
        {trouble && <p class="trouble" role="alert">{trouble}</p>}
        <button>{say("account.passkey.add")}</button>
      </form>
    </>
  );
}
