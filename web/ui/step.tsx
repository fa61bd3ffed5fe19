// A button of the bar that steps through moves.

import type { JSX } from "preact";
import { Icon } from "./icon";

/**
 * Step is a button of that bar; one with pressed is a toggle. Off is aria-disabled instead of
 * disabled: a disabled button would lose the focus at the last step.
 */
export function Step({ icon, name, kind = "", off = false, pressed, go }: { icon: string; name: string; kind?: string; off?: boolean; pressed?: boolean; go: () => void }): JSX.Element {
  return <button class={`icon ${kind}`} aria-label={name} title={name} aria-disabled={off} aria-pressed={pressed} onClick={() => { if (!off) go(); }}><Icon name={icon} /></button>;
}
