// Where the result of a game lies on the board.

/** shares are the parts of the free space before the result, by alignment; the middle is tried first. */
const shares = { center: 0.5, start: 0, end: 1 };

/** overlap returns the length that two intervals share. */
const overlap = (a: number, aEnd: number, b: number, bEnd: number): number => Math.max(0, Math.min(aEnd, bEnd) - Math.max(a, b));

/** placeResult aligns the first child of a grid over the board where it covers least of the cells that decided the game. */
export function placeResult(area: HTMLElement): void {
  const { offsetWidth: width, offsetHeight: height } = area.firstElementChild as HTMLElement; // not its rectangle, which is being animated
  const around = area.getBoundingClientRect();
  const won = [...area.closest(".boardbox")!.querySelectorAll(".cell.won .ground")].map((e) => e.getBoundingClientRect());
  let least = Infinity;
  for (const [column, right] of Object.entries(shares)) for (const [row, down] of Object.entries(shares)) {
    const left = around.left + (around.width - width) * right, top = around.top + (around.height - height) * down;
    const covered = won.reduce((sum, c) => sum + overlap(c.left, c.right, left, left + width) * overlap(c.top, c.bottom, top, top + height), 0);
    if (covered >= least) continue;
    least = covered;
    area.style.placeItems = `${row} ${column}`;
  }
}
