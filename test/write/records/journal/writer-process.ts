/** A process that keeps a journal, for tests that run several and kill some: `node writer.mjs <folder> <name> <writes>`. */

import { randomUUID } from 'node:crypto';
import { createJournal } from '../../../../src/write/records/journal/journal.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';

const [folder = '', name = '', writes = '0'] = process.argv.slice(2);
const journal = createJournal({
  store: openStateStore(folder),
  now: Date.now,
  randomId: randomUUID,
  digest: () => 'hash',
  keepDays: 30,
  sealer: () => Promise.reject(new Error('nothing is sealed here')),
  redact: (value) => value,
  redactText: (text) => text,
});

/** Synchronous on pipes, so that what the parent reads before a kill had happened before it. */
const say = (text: string) => process.stdout.write(`${text}\n`);

for (let number = 0; number < Number(writes); number++) {
  // Some records fill several pages of the file.
  const body = { list: Array.from({ length: number % 7 === 4 ? 80 : 2 }, () => 'x'.repeat(120)) };
  try {
    const id = await journal.begin({ account: name, operation: 'Group/write', parameters: { number }, body });
    say(`begun ${id}`);
    const problem = await journal.end(id, { outcome: 'done', status: 204 });
    say(problem === undefined ? `ended ${id}` : `problem ${problem.message}`);
  } catch (error) {
    say(`refused ${error instanceof Error ? `${error.name}: ${error.message}` : ''}`);
  }
}
say('finished');
