/** Files read back by Python's own readers: a program that knows nothing of ours. */

import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';

function findPython(): string | undefined {
  return ['python3', 'python'].find((name) => {
    try {
      return execFileSync(name, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).startsWith('Python 3');
    } catch {
      return false;
    }
  });
}

const PYTHON = findPython();

/** A newcomer may have no Python, and is told; in CI it is installed, and its absence is a failure. */
export function mayReadWithPython(): boolean {
  const mayRun = PYTHON !== undefined || process.env.CI === 'true';
  if (!mayRun) process.stderr.write('Skipped: saved tables read back by Python (no Python 3 installed)\n');
  return mayRun;
}

const SCRIPTS = {
  csv: 'import csv, json, sys\nwith open(sys.argv[1], encoding="utf-8-sig", newline="") as f:\n    print(json.dumps(list(csv.reader(f, delimiter=sys.argv[2], strict=True))))',
  jsonl:
    'import json, sys\nwith open(sys.argv[1], encoding="utf-8") as f:\n    print(json.dumps([json.loads(line) for line in f]))',
} as const;

async function run(script: string, ...args: string[]): Promise<unknown> {
  const options = { maxBuffer: 100_000_000, encoding: 'utf8' } as const;
  const { stdout } = await promisify(execFile)(PYTHON ?? 'python3', ['-c', script, ...args], options);
  return JSON.parse(stdout);
}

/** Header and rows, as the strict reader of the csv module has them. */
export async function readTable(path: string, separator: ',' | '\t'): Promise<string[][]> {
  return z.array(z.array(z.string())).parse(await run(SCRIPTS.csv, path, separator));
}

export async function readJsonLines(path: string): Promise<Record<string, unknown>[]> {
  return z.array(z.record(z.string(), z.unknown())).parse(await run(SCRIPTS.jsonl, path));
}
