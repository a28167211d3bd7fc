/**
 * `npm run corpus -- record <folder> [file of tests ...]`: the end-to-end tests, with all that was observed kept in it.
 * `npm run corpus -- compare <before> <after> [<after again>]`: what differs, but for what differs between two runs of
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
  [/«([a-z -]+) [\w-]+»/g, '«$1»'],
  [/\b(?:\d+(?:\.\d+)? ?(?:ms|s|seconds?|minutes?))\b/g, '<duration>'],
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{12,}\b/g, '<word>'],
  [/\b[\da-f]{8,}\b/g, '<hex>'],
  [/\b[\da-z]{4}(?:-[\da-z]{4}){5}\b/g, '<code>'],
  [/\b\d{10,}\b/g, '<number>'],
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

function compare([beforeFolder = '', ...afterFolders]: readonly string[]): void {
  const before = read(beforeFolder);
  const [after, again] = afterFolders.map(read);
  const none: ReadonlyMap<string, string> = new Map();
  const isSame = (a = none, b = none) => without(a, b).length + without(b, a).length === 0;
  const names = [...new Set([...before.keys(), ...(after?.keys() ?? [])])];
  const differing = names.filter((name) => !isSame(before.get(name), after?.get(name)));
  // What two runs of one code do not agree on tells nothing.
  const told = differing.filter((name) => again === undefined || isSame(after?.get(name), again.get(name)));
  for (const name of told) {
    const [seen = none, now = none] = [before.get(name), after?.get(name)];
    console.log(`\n${name}`);
    for (const line of without(seen, now)) console.log(`- ${line}`);
    for (const line of without(now, seen)) console.log(`+ ${line}`);
  }
  const unstable = differing.length - told.length;
  console.log(
    `\n${names.length - differing.length} of ${names.length} tests observe the same, ${told.length} do not, ${unstable} differ between runs`,
  );
  process.exitCode = told.length === 0 ? 0 : 1;
}

/** What each test observed, without its order: what goes on at once ends in any. */
type Observed = Map<string, Map<string, string>>;

function read(folder: string): Observed {
  const tests: Observed = new Map();
  for (const file of readdirSync(folder)) {
    for (const text of readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)) {
      const { test, kind, observed } = lineSchema.parse(JSON.parse(text));
      const name = `${file}: ${test}`;
      const seen = tests.get(name) ?? new Map<string, string>();
      const line = `${kind} ${plain(JSON.stringify(observed))}`;
      const parts = line
        .split(/\\n|[,"[\]]/)
        .sort()
        .join();
      seen.set(`${parts} ${[...seen.keys()].filter((key) => key.startsWith(parts)).length}`, line);
      tests.set(name, seen);
    }
  }
  return tests;
}

function without(seen: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  return [...seen].filter(([parts]) => !others.has(parts)).map(([, line]) => line);
}
