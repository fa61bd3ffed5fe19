// Sounds, made on the spot: a knock for a move, two notes for the end, three high
// ones when the time runs low.

let context: AudioContext | undefined;

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

/** beep makes a sound, if the browser lets it. */
export function beep(what: "move" | "end" | "low"): void {
  context ??= new AudioContext();
  const now = context.currentTime;
  if (what === "move") return note(now, 220, 0.09);
  if (what === "low") return [0, 0.14, 0.28].forEach((at) => note(now + at, 880, 0.1));
  note(now, 392, 0.25);
  note(now + 0.18, 523, 0.5);
}
