/**
 * Writes the demo's output to docs/demo.md, at a fixed time and with ids that are counted, so that its differences are
 * those of the program: `tsx scripts/demo-output.ts`. With --check it compares instead.
 */

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { update } from './generate/generated-file.ts';
import { replacePart } from './generate/replace-part.ts';
import { runQuietly } from './process/run.ts';

const DOCUMENT = 'docs/demo.md';
const FIXED_MS = Date.parse('2026-11-24T09:00:00Z');
const CLOCK = new URL('./demo/fixed-clock.mjs', import.meta.url).href;

/** These differ from run to run: ids of writes, requests and lists, marks of buyers, ports, how long it took. */
const IDS = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const LISTS = /\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{8}\b|(?<=Batch |\d {2}|"id":")\d{8}(?![-\d])/g;
const MARKS = /(?<=\.\. )[0-9a-z]{8}(?=»)/g;
const PORTS = /(?<=127\.0\.0\.1:)\d{4,5}/g;
const MINUTES = /(?<=[T ]09:)\d\d(?::\d\d)?/g;

// Builds first: what was just added is to be in it.
await runQuietly('npm', ['run', '--silent', 'build']);
const { stdout } = await runQuietly('npx', ['tsx', 'scripts/demo.ts'], {
  env: {
    ...process.env,
    TZ: 'UTC',
    DEMO_SHIFT_MS: String(Date.now() - FIXED_MS),
    NODE_OPTIONS: `--import=${CLOCK}`,
  },
});
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const text = replacePart(
  await readFile(DOCUMENT, 'utf8'),
  'demo',
  `\`\`\`text\n${fix(stdout).trimEnd()}\n\`\`\``,
);
if ((await update({ path: DOCUMENT, text }, values.check)) && values.check) {
  console.error(
    `${DOCUMENT} is not what the demo prints: run "npx tsx scripts/demo-output.ts", and look at what differs.`,
  );
  process.exitCode = 1;
} else console.log(stdout.trimEnd().split('\n').at(-1));

function fix(output: string): string {
  const known = new Map<string, string>();
  const counted = (make: (number: string) => string) => (id: string) => {
    const same = known.get(id) ?? make(String(known.size + 1));
    known.set(id, same);
    return same;
  };
  return output
    .replace(
      IDS,
      counted((number) => `00000000-0000-4000-8000-${number.padStart(12, '0')}`),
    )
    .replace(
      LISTS,
      counted((number) => number.padStart(8, '0')),
    )
    .replace(
      MARKS,
      counted((number) => number.padStart(8, '0')),
    )
    .replace(PORTS, '8080')
    .replace(MINUTES, '00');
}
