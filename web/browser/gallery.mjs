// The gallery: every scene at every size and in every theme, as contact sheets to be
// looked at one by one. It is no test and compares nothing:
//
//     make gallery                                         # all of it, some minutes
//     make gallery SCENES=home,settings THEMES=dark,forced SIZES=390x844 # a part
//
// There is a sheet for each scene with all sizes, and where one size is asked for, sheets
// of that size with many scenes.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browser } from "./common.mjs";
import { scenes, themes } from "./scenes.mjs";

export const sizes = ["320x640", "390x844", "667x375", "768x1024", "844x390", "1280x800", "1920x1080"];
const shots = process.env.SHOTS;
const screens = 2.5; // most of a scrolling page that is photographed, in window heights
const pixels = 1_200_000; // of a sheet, about

const chosen = (all, names) => (names ? names.split(",") : all);

/** pictureSize reads the width and height of a PNG. */
function pictureSize(file) {
  const data = readFileSync(file);
  return [data.readUInt32BE(16), data.readUInt32BE(20)];
}

/** sheet puts pictures side by side, in rows, no larger than pixels. */
async function sheet(name, pictures) {
  const area = pictures.reduce((sum, { file }) => sum + pictureSize(file).reduce((a, b) => a * b), 0);
  const scale = Math.min(0.75, Math.sqrt((0.8 * pixels) / area));
  const page = await browser.newPage({ viewport: { width: 1320, height: 300 } });
  const box = ({ file, text }) => `<figure><img src="data:image/png;base64,${readFileSync(file).toString("base64")}" width="${Math.round(pictureSize(file)[0] * scale)}"><figcaption>${text}</figcaption></figure>`;
  await page.setContent(`<style>body{margin:4px;background:#555;color:#fff;font:11px sans-serif;display:flex;flex-wrap:wrap;gap:4px;align-items:start}figure{margin:0}img{display:block}</style>${pictures.map(box).join("")}`);
  await page.screenshot({ path: join(shots, name + ".png"), fullPage: true });
  await page.close();
}

/** photograph takes pictures of a scene at sizes. */
async function photograph(name, theme, at) {
  const p = await scenes[name]({ hasTouch: true, ...themes[theme], drawn: true });
  const pictures = [];
  for (const size of at) {
    const [width, height] = size.split("x").map(Number), file = join(shots, `${name}-${theme}-${size}.png`);
    await p.resize(width, height);
    await p.page.waitForTimeout(150);
    const whole = await p.page.evaluate(() => document.documentElement.scrollHeight);
    await p.page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(whole, Math.round(screens * height)) } });
    pictures.push({ file, text: size });
  }
  await p.close();
  return pictures;
}

test("gallery", { timeout: 120 * 60_000 }, async () => {
  const at = chosen(sizes, process.env.SIZES), failed = [];
  for (const theme of chosen(["light"], process.env.THEMES)) {
    const all = [];
    for (const name of chosen(Object.keys(scenes), process.env.SCENES)) {
      try {
        const pictures = await photograph(name, theme, at);
        if (at.length > 1) await sheet(`sheet-${name}-${theme}`, pictures);
        all.push({ ...pictures[0], text: name });
      } catch (e) {
        failed.push(`${name}, ${theme}: ${e.message}`);
      }
    }
    const most = at[0].startsWith("1") ? 9 : 12;
    for (let i = 0; at.length === 1 && i < all.length; i += most) await sheet(`sheet-${at[0]}-${theme}-${1 + i / most}`, all.slice(i, i + most));
  }
  assert.deepEqual(failed, []);
});
