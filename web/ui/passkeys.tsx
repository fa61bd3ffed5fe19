// Passkeys: sign in with one, and manage those of an account.

import { useEffect, useState } from "preact/hooks";
import type { JSX, TargetedSubmitEvent } from "preact";
import { call, Trouble } from "./api";
import { ago, say } from "./words";

interface Passkey {
  id: string;
  label: string;
  created: string;
  seen?: string;
}

/** available reports whether the browser supports passkeys on this page. They need https or localhost. */
export const available = (): boolean => isSecureContext && "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** troubleOf returns the message of an error; all errors of the browser count as cancelled. */
const troubleOf = (e: unknown): string => (e instanceof Trouble ? e.message : say("account.passkey.cancelled"));

/** signIn asks for a passkey and signs in with it. */
export async function signIn<T>(keep: boolean): Promise<T> {
  const { publicKey } = await call<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>("POST", "/api/sessions/passkey/challenge");
  const got = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  return call<T>("POST", "/api/sessions/passkey", { credential: (got as PublicKeyCredential).toJSON(), keep });
}

/** add creates a passkey on the device and adds it to the account. */
async function add(password: string): Promise<void> {
  const { publicKey } = await call<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>("POST", "/api/account/passkeys/challenge", { password });
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  await call("POST", "/api/account/passkeys", { credential: (made as PublicKeyCredential).toJSON() });
}

/** SignIn is the button to sign in with a passkey, where passkeys are available. */
export function SignIn<T>({ done }: { done: (answer: T) => void }): JSX.Element | null {
  const [trouble, setTrouble] = useState("");
  if (!available()) return null;
  const go = (): void => void signIn<T>(true).then(done, (e: unknown) => setTrouble(troubleOf(e)));
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
  const remove = (p: Passkey): void => void call("DELETE", `/api/account/passkeys/${p.id}`).finally(load);
  const send = (e: TargetedSubmitEvent<HTMLFormElement>): void => {
    e.preventDefault();
    const form = e.currentTarget;
    setTrouble("");
    add(String(new FormData(form).get("password"))).then(() => { form.reset(); load(); }, (e: unknown) => setTrouble(troubleOf(e)));
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
        <label class="field">{say("account.password")}<input name="password" type="password" required autocomplete="current-password" id="passkey-password" /></label>
        {trouble && <p class="trouble" role="alert">{trouble}</p>}
        <button>{say("account.passkey.add")}</button>
      </form>
    </>
  );
}
