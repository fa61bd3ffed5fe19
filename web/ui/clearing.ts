// Where the result of a game lies on the board.

const places = ["center", "start", "end"]; // the middle first: it is taken if it covers nothing

/** clear aligns the only child of a grid over the board where it covers least of the cells that decided the game. */
export function clear(area: HTMLElement): void {
  const box = area.firstElementChild as HTMLElement, around = area.getBoundingClientRect();
  const won = [...area.closest(".boardbox")!.querySelectorAll(".cell.won .ground")].map((e) => e.getBoundingClientRect());
  const from = (place: string, start: number, all: number, size: number): number => start + (all - size) * (place === "start" ? 0 : place === "end" ? 1 : 0.5);
  let least = Infinity;
  for (const column of places) for (const row of places) {
    const { offsetWidth: width, offsetHeight: height } = box; // not its rectangle, which is being animated
    const left = from(column, around.left, around.width, width), top = from(row, around.top, around.height, height);
    const covered = won.reduce((sum, c) => sum + Math.max(0, Math.min(c.right, left + width) - Math.max(c.left, left)) * Math.max(0, Math.min(c.bottom, top + height) - Math.max(c.top, top)), 0);
    if (covered >= least) continue;
    least = covered;
    area.style.placeItems = `${row} ${column}`;
  }
}
