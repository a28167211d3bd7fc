/** Draws assets/icon.png, 512 x 512, from assets/icon.svg in the system's Chromium: `tsx scripts/make-icon.ts [file] [size]`. */

import { readFile, stat } from 'node:fs/promises';
import { launchChromium } from './launch-chromium.ts';

const file = process.argv[2] ?? 'assets/icon.png';
const size = Number(process.argv[3] ?? 512);
const largestBytes = 40_000;

const svg = await readFile('assets/icon.svg', 'utf8');
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: size, height: size } });
await page.setContent(
  `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
);
await page.screenshot({ path: file, omitBackground: true });
await browser.close();

const { size: bytes } = await stat(file);
if (bytes > largestBytes) throw new Error(`${file} is ${bytes} bytes, more than ${largestBytes}.`);
console.log(`${file}: ${size} x ${size}, ${bytes} bytes`);
