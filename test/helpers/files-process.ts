/** Another process that uses the same folder of files: saves a name several times, or is stopped while it saves. Prints JSON lines. */

import { readdir } from 'node:fs/promises';
import { openFilesFolder } from '../../src/store/files/files-folder.ts';

const [folder = '', task = '', value = ''] = process.argv.slice(2);
const say = (toResult: unknown) => process.stdout.write(`${JSON.stringify(toResult)}\n`);
const files = openFilesFolder({ find: async () => folder });

async function* bytes(count: number) {
  for (let left = count; left > 0; left -= 65_536) yield new Uint8Array(Math.min(left, 65_536)).fill(120);
}

async function* endless() {
  yield* bytes(1_000_000);
  say('writing');
  await new Promise<void>((resolve) => setTimeout(resolve, 60_000));
}

const toResult = (error: unknown) => (error instanceof Error ? [error.name, error.message] : error);

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  /** The same name, twenty times; each file holds the number of its process. */
  async saveMany() {
    for (let round = 0; round < 20; round++) {
      const content = (async function* () {
        yield Buffer.from(String(process.pid));
      })();
      say((await files.save(value, content, { personal: true })).name);
    }
  },
  async saveForever() {
    await files.save(value, endless(), { personal: true });
  },
  async saveBytes() {
    const saving = files.save('large.csv', bytes(Number(value)), { personal: true });
    say(await saving.catch(toResult));
    say(await readdir(folder));
  },
  /** Saves with the size announced before; not a byte is requested. */
  async saveKnownBytes() {
    const never = (async function* () {
      say('asked for content');
      yield new Uint8Array(1);
    })();
    say(await files.save('large.csv', never, { personal: true, bytes: Number(value) }).catch(toResult));
    say(await readdir(folder));
  },
};

await tasks[task]?.();
