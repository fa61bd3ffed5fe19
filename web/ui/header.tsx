// The head of every page: the name of the site, and how things are to look.

import { useRef } from "preact/hooks";
import type { JSX } from "preact";
import { Icon } from "./icon";
import type { Signal } from "@preact/signals";
import { hints, material, motion, pace, set, shapes, sound, theme, userName } from "./store";
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
          <Choice name="theme" value={theme} choices={["auto", "light", "dark", "contrast"]} text={(c) => say(`theme.${c}`)} />
          <Choice name="material" value={material} choices={["own", "wood", "slate"]} text={(c) => say(`material.${c}`)} />
          <Choice name="set" value={set} choices={["turned", "plain"]} text={(c) => say(`set.${c}`)} />
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

function Choice<T extends string>({ name, value, choices, text }: { name: string; value: Signal<T>; choices: T[]; text: (choice: T) => string }): JSX.Element {
  return (
    <fieldset class="choice">
      <legend>{say(`settings.${name}`)}</legend>
      {choices.map((c) => (
        <label key={c}>
          <input type="radio" name={name} checked={value.value === c} onChange={() => { value.value = c; }} />
          <span>{text(c)}</span>
        </label>
      ))}
    </fieldset>
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
