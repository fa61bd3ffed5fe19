// The settings of looks, sounds and animation. A choice is stored and takes effect at once
// behind the dialog.

import { useEffect, useRef } from "preact/hooks";
import type { JSX } from "preact";
import type { Signal } from "@preact/signals";
import { Man, Stone } from "./pieces";
import { beep } from "./sound";
import { highContrast, hints, material, motion, pace, set, shapes, sound, speed, theme, userName, volume, type Material, type Set } from "./store";
import { language, say } from "./words";

const speeds: Record<string, number> = { fast: 0.5, normal: 1, slow: 2 };

/** Settings is a dialog that opens when asked increases. */
export function Settings({ asked }: { asked: number }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), [asked]);
  return (
    <dialog ref={dialog} class="sheet settings" aria-labelledby="settings-title" onClick={(e) => { if (e.target === dialog.current) dialog.current!.close(); }}>
      <form method="dialog">
        <h2 id="settings-title">{say("settings.title")}</h2>
        <div class="part">
          <label class="field">{say("settings.name")}
            <input value={userName.value} maxLength={40} autocomplete="nickname" onInput={(e) => { userName.value = e.currentTarget.value; }} />
          </label>
          <Languages />
          <Choice name="theme" value={theme} choices={["auto", "light", "dark", "contrast"]} text={(c) => say(`theme.${c}`)} />
          <Choice name="material" value={material} choices={["own", "wood", "slate"]} text={(c) => say(`material.${c}`)} sample={(m) => <BoardSample material={m} />} whyNot={highContrast.value ? say("material.contrast") : ""} />
        </div>
        <div class="part">
          <Choice name="set" value={set} choices={["turned", "plain"]} text={(c) => say(`set.${c}`)} sample={(s) => <PieceSample set={s} />} />
          <Speed />
          <div class="checks">
            <Check label={say("settings.hints")} value={hints} />
            <Check label={say("settings.pace")} value={pace} />
            <Check label={say("settings.shapes")} value={shapes} />
            <Check label={say("settings.sound")} value={sound} />
          </div>
          <label class="field">{say("settings.volume")}
            <span class="slide">
              <input type="range" min={0} max={100} step={5} value={volume.value} disabled={!sound.value} onInput={(e) => { volume.value = Number(e.currentTarget.value); }} onChange={() => beep("move")} />
              <output>{volume.value} %</output>
            </span>
          </label>
        </div>
        <button class="main" autofocus>{say("settings.close")}</button>
      </form>
    </dialog>
  );
}

/** languages are those of package lang, as their readers call them. */
const languages: Record<string, string> = { "en": "English", "zh-HK": "繁體中文（香港）", "zh-CN": "简体中文", "ja": "日本語" };

/** Languages chooses the language of all pages. The server sends them in it, so it is remembered in a cookie. */
function Languages(): JSX.Element {
  const choose = (tag: string): void => {
    document.cookie = `quintet-lang=${tag}; path=/; max-age=31536000; samesite=lax`;
    const here = new URL(location.href);
    here.searchParams.delete("lang");
    location.replace(here);
  };
  return (
    <label class="field">{say("settings.language")}
      <select value={language} onChange={(e) => choose(e.currentTarget.value)}>
        {Object.entries(languages).map(([tag, name]) => <option key={tag} value={tag} lang={tag}>{name}</option>)}
      </select>
    </label>
  );
}

/** Choice is a group of radio buttons. Where the choice has no effect, whyNot says why, and it is disabled. */
function Choice<T extends string>({ name, value, choices, text, sample, whyNot = "" }: { name: string; value: Signal<T>; choices: T[]; text: (choice: T) => string; sample?: (choice: T) => JSX.Element; whyNot?: string }): JSX.Element {
  return (
    <fieldset class={sample ? "choice samples" : "choice"} disabled={whyNot !== ""}>
      <legend>{whyNot || say(`settings.${name}`)}</legend>
      {choices.map((c) => (
        <label key={c}>
          <input type="radio" name={name} checked={value.value === c} onChange={() => { value.value = c; }} />
          <span>{sample?.(c)}{text(c)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Speed sets the speed of animation, or turns it off. */
function Speed(): JSX.Element {
  const now = motion.value ? Object.keys(speeds).find((s) => speeds[s] === speed.value) ?? "normal" : "off";
  const choose = (name: string): void => {
    motion.value = name !== "off";
    if (name !== "off") speed.value = speeds[name];
  };
  return (
    <fieldset class="choice">
      <legend>{say("settings.motion")}</legend>
      {["off", ...Object.keys(speeds)].map((s) => (
        <label key={s}>
          <input type="radio" name="speed" checked={s === now} onChange={() => choose(s)} />
          <span>{say(`motion.${s}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Check({ label, value }: { label: string; value: Signal<boolean> }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value.value} onChange={(e) => { value.value = e.currentTarget.checked; }} />
      <span>{label}</span>
    </label>
  );
}

/** grounds are the four quarters of a sample: fill and pattern. */
const grounds: Record<Material, [string, string][]> = {
  own: [["#2f8a5b", "felt"], ["#e8c481", "wood"], ["#aebfc4", "slate"], ["#b58a5f", "wood"]],
  wood: [["#e9d3a6", "wood"], ["#dfc592", "wood"], ["#dfc592", "wood"], ["#e9d3a6", "wood"]],
  slate: [["#788990", "slate"], ["#6d7e85", "slate"], ["#6d7e85", "slate"], ["#788990", "slate"]],
};

function BoardSample({ material }: { material: Material }): JSX.Element {
  return (
    <svg class="sample" viewBox="0 0 40 40" aria-hidden="true">
      {grounds[material].map(([fill, pattern], i) => {
        const box = { x: (i % 2) * 20, y: Math.floor(i / 2) * 20, width: 20, height: 20 };
        return <g key={i}><rect {...box} fill={fill} /><rect {...box} fill={`url(#${pattern})`} /></g>;
      })}
      <rect class="light" width="40" height="40" />
      {(["black", "white"] as const).map((color, i) => <g key={color} transform={`translate(${10 + 20 * i} ${10 + 20 * i})`}><Stone color={color} shapes={false} /></g>)}
    </svg>
  );
}

function PieceSample({ set }: { set: Set }): JSX.Element {
  return (
    <svg class="sample" viewBox="0 0 40 40" data-set={set} aria-hidden="true">
      <path fill="#f0e0c2" d="M0 0h20v20H0zM20 20h20v20H20z" /><path fill="#b58a5f" d="M20 0h20v20H20zM0 20h20v20H0z" />
      {([["N", "white"], ["Q", "black"], ["B", "black"]] as const).map(([kind, color], i) => <g key={kind} transform={`translate(${10 + 20 * (i % 2)} ${10 + 20 * Math.floor(i / 2)})`}><Man kind={kind} color={color} set={set} /></g>)}
      <circle cx="30" cy="30" r="8" fill={set === "plain" ? "var(--two)" : "url(#stone-two)"} stroke="var(--two-edge)" stroke-width=".5" />
    </svg>
  );
}
