/** Takes the picture of the demo in a terminal that the README shows, and puts the demo's whole output into the README: `tsx scripts/screenshot-demo.ts`. */

import { readFile, writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { AnsiUp } from 'ansi_up';
import { replacePart } from './generate/documents.ts';
import { launchChromium } from './launch-chromium.ts';
import { runQuietly } from './process/run.ts';

const PICTURE = 'docs/images/demo.png';
/** Scenes of the demo that the picture shows. */
const SHOWN = [/What is wrong with my listing/, /Then for real/];

const { stdout } = await runQuietly(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/demo.ts'], {
  env: { ...process.env, FORCE_COLOR: '1' },
});
await takePicture(pick(stdout));
const readme = await readFile('README.md', 'utf8');
const plain = stripVTControlCharacters(stdout).trimEnd();
await writeFile('README.md', replacePart(readme, 'demo', `\`\`\`text\n${plain}\n\`\`\``));

function pick(output: string): string {
  const scenes = output.split(/\n(?=\S*■)/);
  return scenes
    .filter((scene) => SHOWN.some((wanted) => wanted.test(scene)))
    .join('\n')
    .trimEnd();
}

async function takePicture(output: string): Promise<void> {
  const ansi = new AnsiUp();
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1300, height: 400 }, deviceScaleFactor: 1.25 });
  await page.setContent(terminal(ansi.ansi_to_html(output)));
  await page.locator('main').screenshot({ path: PICTURE, omitBackground: true });
  await browser.close();
}

function terminal(content: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: transparent }
    main { width: 1240px; padding: 14px 20px 20px; border-radius: 10px; background: #14181f; color: #d5dbe5 }
    header { display: flex; gap: 8px; margin-bottom: 12px }
    i { width: 12px; height: 12px; border-radius: 50% }
    pre { margin: 0; font: 13px/1.45 "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre-wrap }
  </style><main><header><i style="background:#ff5f57"></i><i style="background:#febc2e"></i><i style="background:#28c840"></i></header><pre>${content}</pre></main>`;
}
