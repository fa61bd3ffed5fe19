// The options of a game as fields, made from what the game says of them.

import type { JSX } from "preact";
import { lazy } from "./lazy";
import type { GameFact, OptionFact } from "./types";
import { has, loadWords, say } from "./words";

const Pits = lazy(() => Promise.all([import("./pits"), loadWords("game")]).then(([m]) => m.Pits));

interface Props {
  game: GameFact;
  value: Record<string, string>;
  onChange: (value: Record<string, string>) => void;
}

/** Options shows a field for each option of the game. */
export function Options({ game, value, onChange }: Props): JSX.Element {
  const set = (name: string, text: string): void => {
    const next = { ...value, [name]: text };
    if (name === "size") delete next.pits; // they were chosen on another board
    onChange(next);
  };
  return (
    <>
      {game.options.map((o) => (o.name === "pits"
        ? <Pits key={o.name} game={game} options={value} onPits={(text) => set("pits", text)} />
        : <Field key={o.name} option={o} value={value[o.name] ?? o.default} onChange={(text) => set(o.name, text)} />))}
    </>
  );
}

function Field({ option: o, value, onChange }: { option: OptionFact; value: string; onChange: (text: string) => void }): JSX.Element {
  const label = has(`option.${o.name}`) ? say(`option.${o.name}`) : o.help;
  const named = (choice: string): string => (has(`option.${o.name}.${choice}`) ? say(`option.${o.name}.${choice}`) : choice);
  if (o.choices) {
    return (
      <label class="field">{label}
        <select value={value} onChange={(e) => onChange(e.currentTarget.value)}>
          {o.choices.map((c) => <option key={c} value={c}>{named(c)}</option>)}
        </select>
      </label>
    );
  }
  if (o.max) {
    return (
      <label class="field level">{label}
        <span class="slide">
          <input type="range" min={o.min} max={o.max} step={o.step || 1} value={value} onInput={(e) => onChange(e.currentTarget.value)} />
          <output>{value}</output>
        </span>
      </label>
    );
  }
  return <label class="field">{label}<input value={value} onInput={(e) => onChange(e.currentTarget.value)} /></label>;
}
