// Playing a game through by itself.

import { signal } from "@preact/signals";

const frame = 900; // milliseconds for which each position is shown

export class Film {
  readonly running = signal(false);
  private timer = 0;

  /** atEnd reports whether the newest position is shown; show goes to the next one, or to the start. */
  constructor(private atEnd: () => boolean, private show: (next: boolean) => void) {}

  /** toggle starts playback from the shown position (from the start if it is the newest), or stops it. */
  toggle(): void {
    if (this.running.value) return this.stop();
    if (this.atEnd()) this.show(false);
    this.running.value = true;
    this.timer = window.setInterval(() => (this.atEnd() ? this.stop() : this.show(true)), frame);
  }

  stop(): void {
    clearInterval(this.timer);
    this.running.value = false;
  }
}
