/** The rooms of src/ that can be mutated, and the tests that judge each: the room's own tests that stay in one process. */

import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

/** The variable that tells vitest's config, which Stryker's processes read, which room to use. */
export const ROOM_VARIABLE = 'MUTATION_ROOM';

interface Room {
  /** Patterns for the room's own files, narrowed to the given pattern. */
  mutate: (files?: string) => readonly string[];
  tests: readonly string[];
}

const folder = (name: string): Room => ({
  mutate: (files = '*.ts') => [`src/${name}/**/${files}`],
  tests: [`test/${name}/**/*.test.ts`],
});

const ROOMS: Readonly<Record<string, Room>> = {
  answers: folder('answers'),
  batches: folder('batches'),
  changes: folder('changes'),
  client: folder('client'),
  credentials: folder('credentials'),
  journal: folder('journal'),
  redact: {
    mutate: (files = '') => [`src/${files || 'redact*.ts'}`, `src/redact/**/${files || '*.ts'}`],
    tests: ['test/redact*.test.ts', 'test/redact/**/*.test.ts'],
  },
  writes: folder('writes'),
};

/** A mutant is active only in the test's own process: another process can kill none, and is slow. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'keychain-store.test.ts': 'asks a child process, and the keychain where there is one',
  'processes.test.ts': 'starts processes that write into one file',
  'rotation-kill.test.ts': 'starts processes and kills them',
  'shared-token.test.ts': 'starts processes that share a token',
};

export function findRoom(name: string): Room {
  const room = ROOMS[name];
  if (room === undefined) throw new Error(`There is no room "${name}": ${Object.keys(ROOMS).join(', ')}`);
  return room;
}

/** @returns patterns of the tests that are left out; one that no longer matches a file would let a renamed file slip in. */
export function listLeftOut(): string[] {
  const present = new Set(readdirSync('test', { recursive: true }).map((file) => basename(String(file))));
  const gone = Object.keys(LEFT_OUT).filter((name) => !present.has(name));
  if (gone.length > 0) throw new Error(`scripts/mutation/rooms.ts leaves out ${gone.join(', ')}: not there`);
  return Object.keys(LEFT_OUT).map((name) => `**/${name}`);
}
