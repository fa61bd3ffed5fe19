// Sounds, synthesized from sine waves: wood on wood for a move, lighter ticks for flipped
// discs, and a marimba when a game begins or ends and when time runs low.

import { effect } from "@preact/signals";
import { sound, speed, volume } from "./store";

let context: AudioContext | undefined;

/**
 * wake unlocks audio. Browsers allow that during a tap, click or key press; Safari locks it
 * again when a call comes in, so every such event wakes it.
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

/** Bar describes a struck bar: its overtone, as a multiple of the pitch, and its decay in seconds. */
interface Bar {
  overtone: number;
  rings: number;
}

const wood: Bar = { overtone: 2.76, rings: 0.11 };
const marimba: Bar = { overtone: 3.93, rings: 0.9 };

/** strike strikes a bar: the pitch (Hz) rings, the overtone dies away five times as fast. */
function strike(bar: Bar, at: number, pitch: number, loudness = 1): void {
  partial(at, pitch, bar.rings, 0.5 * loudness);
  partial(at, pitch * bar.overtone, bar.rings / 5, 0.16 * loudness);
}

const silent = 0.0001; // gain: exponential ramps cannot reach 0

function partial(at: number, pitch: number, rings: number, loudness: number): void {
  const c = context!;
  const tone = c.createOscillator(), gain = c.createGain();
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(silent, at);
  gain.gain.exponentialRampToValueAtTime(Math.max(silent, loudness * (volume.value / 100) ** 2), at + 0.004); // without a click
  gain.gain.exponentialRampToValueAtTime(silent, at + rings);
  tone.connect(gain).connect(c.destination);
  tone.start(at);
  tone.stop(at + rings);
}

const chords = { begin: [392, 587.33], end: [392, 493.88, 587.33, 783.99], low: [659.26, 659.26] }; // Hz
const apart = { begin: 0.16, end: 0.11, low: 0.22 }; // seconds between the notes
const ticks = 6; // the most that are heard of discs that turn

/** beep plays a sound if sound is on and unlocked. taken is the number of pieces that a move flipped or captured. */
export function beep(what: "move" | "begin" | "end" | "low", changed = 0): void {
  if (!sound.value || context?.state !== "running") return;
  const now = context.currentTime;
  if (what !== "move") return chords[what].forEach((pitch, i) => strike(marimba, now + i * apart[what], pitch, 0.8));
  strike(wood, now, 196);
  for (let i = 0; i < Math.min(changed, ticks); i++) strike(wood, now + 0.09 + i * 0.06 * speed.value, 330 + 22 * i, 0.45);
}
