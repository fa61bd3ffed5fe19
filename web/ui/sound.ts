// Sounds, made on the spot: a knock for a move, two notes upwards for the end, two
// downwards when the game begins, three high ones when the time runs low.

import { effect } from "@preact/signals";
import { sound } from "./store";

let context: AudioContext | undefined;

/**
 * wake lets the page be heard. Browsers allow that while a finger, a button or a key
 * does something; Safari takes it back when a call comes in, so it is asked each time.
 */
function wake(): void {
  if (!sound.value) return;
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume().catch(() => {}); // then it stays silent
}

for (const what of ["pointerdown", "pointerup", "click", "keydown"]) addEventListener(what, wake, { capture: true });

let before = sound.peek();
effect(() => {
  if (sound.value && !before) wake(); // it has just been switched on
  before = sound.value;
});

function note(at: number, pitch: number, length: number): void {
  const c = context!;
  const tone = c.createOscillator(), loud = c.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(0.18, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(loud).connect(c.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** beep makes a sound, if it is switched on and the browser lets it. */
export function beep(what: "move" | "begin" | "end" | "low"): void {
  if (!sound.value || context?.state !== "running") return;
  const now = context.currentTime;
  if (what === "move") return note(now, 220, 0.09);
  if (what === "low") return [0, 0.14, 0.28].forEach((at) => note(now + at, 880, 0.1));
  const [first, then] = what === "end" ? [392, 523] : [659, 494];
  note(now, first, 0.25);
  note(now + 0.18, then, 0.5);
}
