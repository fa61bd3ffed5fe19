// The gallery: every scene at every size and in every theme, as contact sheets to be
// looked at one by one. It is no test and compares nothing:
//
//     make gallery                                         # all of it, some minutes
//     make gallery SCENES=home,settings THEMES=dark,forced # a part

import { test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browser } from "./common.mjs";
import { scenes, themes } from "./scenes.mjs";

export const sizes = [[320, 640], [390, 844], [667, 375], [768, 1024], [844, 390], [1280, 800], [1920, 1080]];
const shots = process.env.SHOTS;

const chosen = (all, names) => (names ? names.split(",") : all);

/** sheet puts the pictures of a scene side by side. */
async function sheet(name, files) {
  const page = await browser.newPage({ viewport: { width: 2000, height: 1400 } });
  const box = ([w, h], file) => `<figure><img src="data:image/png;base64,${readFileSync(file).toString("base64")}" width="${Math.round(w * 0.5)}" height="${Math.round(h * 0.5)}"><figcaption>${w}x${h}</figcaption></figure>`;
  await page.setContent(`<style>body{margin:8px;background:#555;color:#fff;font:12px sans-serif;display:flex;flex-wrap:wrap;gap:8px}figure{margin:0}</style>${files.map(([size, file]) => box(size, file)).join("")}`);
  await page.screenshot({ path: join(shots, name + ".png"), fullPage: true });
  await page.close();
}

test("gallery", { timeout: 60 * 60_000 }, async () => {
  for (const theme of chosen(["light"], process.env.THEMES)) for (const name of chosen(Object.keys(scenes), process.env.SCENES)) {
    const p = await scenes[name]({ hasTouch: true, ...themes[theme] });
    const files = [];
    for (const size of sizes) {
      await p.page.setViewportSize({ width: size[0], height: size[1] });
      await p.page.waitForTimeout(150);
      const file = join(shots, `${name}-${theme}-${size.join("x")}.png`);
      await p.page.screenshot({ path: file });
      files.push([size, file]);
    }
    await sheet(`sheet-${name}-${theme}`, files);
    await p.close();
  }
});
