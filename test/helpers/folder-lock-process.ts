/** Another process that takes the lock of a folder: counts in a file many times, or stays inside until it is killed. */

import { readFile, writeFile } from 'node:fs/promises';
import { withFolderLock } from '../../src/disk/folder-lock.ts';

const [lock = '', task = '', file = ''] = process.argv.slice(2);

if (task === 'stay') {
  await withFolderLock(lock, async () => {
    process.stdout.write('inside\n');
    await new Promise<void>(() => setInterval(() => undefined, 1_000));
  });
}
for (let round = 0; round < Number(task); round++) {
  await withFolderLock(lock, async () => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1)));
}
