// The materials of boards and stones: gradients and patterns that all drawings of a
// page share.

import type { JSX } from "preact";

interface Stops {
  id: string;
  stops: [number, string][];
}

/** shaded are fills lit from the upper left; their colours are those of look.css. */
const shaded: Stops[] = [
  { id: "stone-one", stops: [[0, "--one-light"], [0.55, "--one"], [0.86, "--one"], [1, "--one-rim"]] },
  { id: "stone-two", stops: [[0, "--two-light"], [0.6, "--two"], [1, "--two-rim"]] },
];

/** Defs is drawn once on a page, and shows nothing itself. */
export function Defs(): JSX.Element {
  return (
    <svg class="defs" width="0" height="0" aria-hidden="true">
      <defs>
        {shaded.map(({ id, stops }) => (
          <radialGradient key={id} id={id} cx=".36" cy=".3" r=".78">
            {stops.map(([at, colour]) => <stop key={at} offset={at} style={`stop-color:var(${colour})`} />)}
          </radialGradient>
        ))}
        <linearGradient id="man-one" x2=".3" y2="1"><stop stop-color="#fffefa" /><stop offset="1" stop-color="#e9dcc0" /></linearGradient>
        <linearGradient id="man-two" x2=".3" y2="1"><stop stop-color="#4a4440" /><stop offset="1" stop-color="#1d1a18" /></linearGradient>
        <pattern id="wood" width="160" height="40" patternUnits="userSpaceOnUse">
          <path class="grain" d="M0 4q40-5 80 1t80-1M0 11q30 5 70 0t90 0M0 17q50-3 90 2t70-2M0 24q40 4 80-1t80 1M0 31q60-5 100 1t60-1M0 36q30 3 80 0t80 0" />
        </pattern>
        <pattern id="felt" width="6" height="6" patternUnits="userSpaceOnUse">
          <path class="grain" d="M0 1l1-1M2 3l1-1M4 5l1-1M5 2l1-1M1 5l1-1M3 0l1 1" />
        </pattern>
        <pattern id="slate" width="120" height="90" patternUnits="userSpaceOnUse">
          <path class="grain" d="M0 12l50-9 70 6M0 40l30 4 90-12M0 64l60-5 60 9M10 90l40-22M80 0l-16 30 20 60" />
        </pattern>
        <linearGradient id="rim" x2=".6" y2="1"><stop style="stop-color:var(--rim-light)" /><stop offset="1" style="stop-color:var(--rim)" /></linearGradient>
      </defs>
    </svg>
  );
}
