// The head of every page: the name of the site, and how things are to look.

import { useRef } from "preact/hooks";
import type { JSX } from "preact";
import { Icon } from "./icon";
import { hints, motion, pace, shapes, sound, theme, userName, type Theme } from "./store";
import { say } from "./words";

export function Header(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <header class="head">
      <a class="skip" href="#main">{say("head.skip")}</a>
      <a class="brand" href="/"><Icon name="logo" /><span>{say("site.name")}</span></a>
      <button class="quiet icon" aria-label={say("settings.title")} title={say("settings.title")} onClick={() => dialog.current!.showModal()}>
        <Icon name="settings" />
      </button>
      <dialog ref={dialog} class="sheet" aria-labelledby="settings-title" onClick={(e) => { if (e.target === dialog.current) dialog.current!.close(); }}>
        <form method="dialog">
          <h2 id="settings-title">{say("settings.title")}</h2>
          <label class="field">{say("settings.name")}
            <input value={userName.value} maxLength={40} autocomplete="nickname" onInput={(e) => { userName.value = e.currentTarget.value; }} />
          </label>
          <fieldset class="choice">
            <legend>{say("settings.theme")}</legend>
            {(["auto", "light", "dark", "contrast"] as Theme[]).map((t) => (
              <label key={t}>
                <input type="radio" name="theme" checked={theme.value === t} onChange={() => { theme.value = t; }} />
                <span>{say(`theme.${t}`)}</span>
              </label>
            ))}
          </fieldset>
          <Check label={say("settings.shapes")} value={shapes} />
          <Check label={say("settings.hints")} value={hints} />
          <Check label={say("settings.pace")} value={pace} />
          <Check label={say("settings.motion")} value={motion} />
          <Check label={say("settings.sound")} value={sound} />
          <button class="main">{say("settings.close")}</button>
        </form>
      </dialog>
    </header>
  );
}

function Check({ label, value }: { label: string; value: { value: boolean } }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value.value} onChange={(e) => { value.value = e.currentTarget.checked; }} />
      <span>{label}</span>
    </label>
  );
}
