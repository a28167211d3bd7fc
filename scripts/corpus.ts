/**
 * `npm run corpus -- record <folder> [file of tests ...]`: the end-to-end tests, with all that was observed kept in it.
 * `npm run corpus -- compare <before> <after> [<before again>]`: what differs, but for what differs between two runs of
 * the same code.
 */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { run } from './process/run.ts';

const lineSchema = z.object({ test: z.string(), kind: z.string(), observed: z.unknown() });

/** Without what another run writes in another way: times, folders, ports, what is random. */
const plain = (text: string) =>
  CHANGING.reduce((clean, [pattern, word]) => clean.replace(pattern, word), text);

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/(?:[A-Za-z]:)?[\w./\\-]*seller-(?:e2e|tool)-\w{6,}/g, '<folder>'],
  [/\b(?:127\.0\.0\.1|localhost|\[::1\]):\d+/g, '<host>'],
  [/(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d\d:\d\d(?::\d\d(?:\.\d+)?)?\b/g, '<time>'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '<id>'],
  [/ (?=[a-z]*\d)[\da-z]{8}»/g, '»'],
  [/\b[\da-z]{4}(?:-[\da-z]{4}){5}\b/g, '<code>'],
  [/\b(?:\d+(?:\.\d+)? ?(?:ms|s|seconds?|minutes?))\b/g, '<duration>'],
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{12,}\b/g, '<word>'],
  [/\b[\da-f]{8,}\b/g, '<hex>'],
];

const [action, ...rest] = parseArgs({ allowPositionals: true }).positionals;
if (action === 'record') await recordInto(rest);
else if (action === 'compare' && rest.length >= 2) compare(rest);
else throw new Error('record <folder> [file of tests ...], or compare <before> <after> [<after again>]');

async function recordInto([folder = 'build/corpus', ...files]: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  const tests = files.length === 0 ? ['test/e2e', 'test/tools'] : files;
  const { code } = await run('npx', ['vitest', 'run', ...tests], {
    env: { ...process.env, CORPUS: resolve(folder) },
    timeoutMs: 0,
    onOutput: (text) => void process.stdout.write(text),
  });
  process.exitCode = code;
}

function compare(folders: readonly string[]): void {
  const [before, after, again = before] = folders.map(read);
  let differing = 0;
  const files = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  for (const file of files) {
    const none: Lines = new Map();
    const [was = none, now = none, twice = none] = [before, after, again].map((seen) => seen?.get(file));
    // What two runs of one code do not agree on tells nothing.
    const gone = [...was].filter(([parts]) => twice.has(parts) && !now.has(parts));
    const come = [...now].filter(([parts]) => !twice.has(parts) && !was.has(parts));
    if (gone.length + come.length === 0) continue;
    differing += 1;
    console.log(`\n${file}`);
    for (const [, line] of gone) console.log(`- ${line}`);
    for (const [, line] of come) console.log(`+ ${line}`);
  }
  console.log(`\n${differing} of ${files.size} files observe something else`);
  process.exitCode = differing === 0 ? 0 : 1;
}

/** Each without its order: what goes on at once ends in any. With it the test of the moment, and what is shown of it. */
type Lines = ReadonlyMap<string, string>;

/** By file, since tests that run at once, and what comes before them, have no name that is sure to be theirs. */
function read(folder: string): Map<string, Lines> {
  return new Map(readdirSync(folder).map((file) => [file, readLines(join(folder, file))]));
}

function readLines(file: string): Lines {
  const lines = new Map<string, string>();
  for (const text of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const { test, kind, observed } = lineSchema.parse(JSON.parse(text));
    const line = `${kind} ${plain(JSON.stringify(observed))}`;
    const parts = line
      .split(/\\n|[,"[\]]/)
      .sort()
      .join();
    let n = 0;
    while (lines.has(`${parts} ${n}`)) n += 1;
    lines.set(`${parts} ${n}`, `${test}: ${line}`);
  }
  return lines;
}
