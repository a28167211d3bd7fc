/** Watches the children of a process while it runs, and keeps their command lines. Linux only: elsewhere it sees nothing. */

import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessWatch {
  /** Distinct command lines of the process and everything below it, seen so far. */
  commandLines(): string[];
  stop(): void;
}

export function watchProcess(pid: number): ProcessWatch {
  const seen = new Set<string>();
  const look = () => {
    const parents = readParents();
    for (const [child] of parents)
      if (isBelow(child, pid, parents)) seen.add(readText(`/proc/${child}/cmdline`));
  };
  look();
  const timer = setInterval(look, 15);
  return { commandLines: () => [...seen].filter((line) => line !== ''), stop: () => clearInterval(timer) };
}

/** pid -> parent's pid, of every process. */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  let names: string[] = [];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc here.
  }
  for (const name of names) {
    const parent = /\) \S (\d+)/.exec(readText(`/proc/${name}/stat`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  return parents;
}

function isBelow(child: number, pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = child; at !== undefined && at > 1; at = parents.get(at))
    if (at === pid) return true;
  return false;
}

/** Arguments stand with a zero between them. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
