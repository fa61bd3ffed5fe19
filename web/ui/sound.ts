// Sounds, made on the spot: a knock for a move, two notes for the end.

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
export function beep(what: "move" | "end"): void {
  context ??= new AudioContext();
  const now = context.currentTime;
  if (what === "move") return note(now, 220, 0.09);
  note(now, 392, 0.25);
  note(now + 0.18, 523, 0.5);
}
