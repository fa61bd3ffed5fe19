// A button that steps through moves.

import type { JSX } from "preact";
import { Icon } from "./icon";

/** Step is one, or turns the board, which is pressed then. It keeps the focus when there is no further step. */
export function Step({ icon, name, off = false, pressed, go }: { icon: string; name: string; off?: boolean; pressed?: boolean; go: () => void }): JSX.Element {
  return <button class="icon" aria-label={name} title={name} aria-disabled={off} aria-pressed={pressed} onClick={() => { if (!off) go(); }}><Icon name={icon} /></button>;
}
