// Messages by Web Push: a switch for this browser.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, Trouble } from "./api";
import { language, loadWords, say } from "./words";

interface Pushes {
  key: string;
  endpoints: string[];
}

const path = "/api/account/push";

/** supported reports whether this browser can get messages: it needs https or localhost. */
export const supported = (): boolean => isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** own returns the subscription of this browser, if it has one. It installs nothing. */
const own = async (): Promise<PushSubscription | null | undefined> => (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();

/** subscribe asks the user, installs the service worker, and gives the server the subscription. A subscription with another key is replaced. */
async function subscribe(key: string): Promise<Pushes> {
  if (await Notification.requestPermission() !== "granted") throw new Trouble(say("push.denied"), 0);
  await (await import("./installed")).install({ say, loadWords });
  const { pushManager } = await navigator.serviceWorker.ready, options = { userVisibleOnly: true, applicationServerKey: key };
  const found = await pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint, keys } = found.toJSON();
  return call<Pushes>("POST", path, { endpoint, keys, language });
}

async function unsubscribe(): Promise<Pushes> {
  const found = await own(), endpoint = found?.endpoint ?? "";
  await found?.unsubscribe();
  return call<Pushes>("DELETE", path, { endpoint });
}

/** Push switches the messages to this browser on and off. */
export function Push(): JSX.Element {
  const [all, setAll] = useState<Pushes | null>(null), [on, setOn] = useState(false), [busy, setBusy] = useState(false), [note, setNote] = useState("");
  const show = async (answer: Promise<Pushes>): Promise<void> => {
    setBusy(true);
    try {
      const a = await answer, mine = await own();
      setAll(a);
      setOn(!!mine && a.endpoints.includes(mine.endpoint));
      setNote("");
    } catch (e) {
      setNote(e instanceof Trouble ? e.message : say("push.failed"));
    }
    setBusy(false);
  };
  useEffect(() => void show(call<Pushes>("GET", path)), []);
  return (
    <>
      <p>{all?.key === "" ? say("push.none") : say("push.text")}</p>
      {all?.key && <label class="check"><input type="checkbox" role="switch" checked={on} disabled={busy} onChange={() => void show(on ? unsubscribe() : subscribe(all.key))} /><span>{say("push.switch")}</span></label>}
      {note && <p class="trouble" role="alert">{note}</p>}
    </>
  );
}
