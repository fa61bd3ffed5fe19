// Links and texts to copy.

import { useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Icon } from "./icon";
import { say } from "./words";

/** Share shows a link, copies it, or opens the device's share dialog. */
export function Share({ path, label }: { path: string; label: string }): JSX.Element {
  const [said, setSaid] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const url = location.origin + path;
  const copy = async (): Promise<void> => {
    setSaid(""); // it is announced again
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

/** toClipboard copies the text of an input. Pages on plain http have no clipboard, so there it selects the text and copies the selection. */
export async function toClipboard(text: string, input: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    input.focus();
    input.setSelectionRange(0, text.length);
    return document.execCommand("copy");
  }
}
