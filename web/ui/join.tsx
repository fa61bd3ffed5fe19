// A game that waits for players: a seat to take, or a link to send.

import { useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { pathOf, withKey, type Trouble } from "./api";
import { Icon } from "./icon";
import type { Match } from "./match";
import { userName } from "./store";
import { sides, type Side, type View } from "./types";
import { say, sideName } from "./words";
import { marked, Wrong } from "./wrong";

export function Join({ match }: { match: Match }): JSX.Element | null {
  const v = match.view.value!;
  if (v.state !== "open") return null;
  const open = sides.filter((s) => !v.seats[s]);
  if (v.you.length > 0) return <Invite v={v} />;
  return <Seats match={match} v={v} open={open} />;
}

function Seats({ match, v, open }: { match: Match; v: View; open: Side[] }): JSX.Element {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const take = async (side: Side): Promise<void> => {
    setTrouble(null);
    match.trouble.value = "";
    try {
      await match.join(side, userName.value.trim() || say("name.guest"));
    } catch (e) {
      const t = e as Trouble;
      if (t.field === "name") setTrouble(t);
      else match.trouble.value = t.message; // that somebody else has the seat is to be read when this is gone
    }
  };
  return (
    <div class="card invite">
      <label class="field">{say("join.name")}
        <input {...marked("name", trouble)} value={userName.value} maxLength={40} autocomplete="nickname" placeholder={say("name.guest")} onInput={(e) => { userName.value = e.currentTarget.value; }} />
      </label>
      <Wrong field="name" trouble={trouble} />
      <div class="bar">
        {open.map((s) => <button key={s} class="main" onClick={() => void take(s)}>{say("join.take", { side: sideName(v.game, s) })}</button>)}
      </div>
    </div>
  );
}

function Invite({ v }: { v: View }): JSX.Element {
  return (
    <div class="card invite">
      <p>{say("invite.text")}</p>
      <Share path={withKey(pathOf(v.id))} label={say("invite.link")} />
      <Notify />
    </div>
  );
}

/** Notify asks whether the browser may say that somebody has come, where that can be asked. */
function Notify(): JSX.Element | null {
  const [asked, setAsked] = useState(!("Notification" in window) || Notification.permission !== "default");
  if (asked) return null;
  return <button onClick={() => void Notification.requestPermission().finally(() => setAsked(true))}>{say("invite.notify")}</button>;
}

/** Share shows an address and copies it, or hands it to the device to send. */
export function Share({ path, label }: { path: string; label: string }): JSX.Element {
  const [said, setSaid] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const url = location.origin + path;
  const copy = async (): Promise<void> => {
    const copied = await toClipboard(url, input.current!);
    setSaid(say(copied ? "share.copied" : "share.copy"));
  };
  return (
    <div class="share">
      <label class="field">{label}<input ref={input} readOnly value={url} onFocus={(e) => e.currentTarget.select()} /></label>
      <button onClick={() => void copy()}><Icon name="share" />{say("share.do")}</button>
      {"share" in navigator && <button onClick={() => void navigator.share({ url }).catch(() => {})}>{say("share.send")}</button>}
      <span role="status">{said}</span>
    </div>
  );
}

/** toClipboard copies what stands in an input: where the page is not on a safe address (http in a local network) by way of selecting it, the only one there is. */
async function toClipboard(text: string, input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // or there is no clipboard
    input.focus();
    input.setSelectionRange(0, text.length);
    return document.execCommand("copy");
  }
}
