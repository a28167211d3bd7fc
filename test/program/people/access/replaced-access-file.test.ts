/** The access file on the disk: what stands in its place holds nobody up. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openAccess } from '../../../../src/program/people/access/access.ts';

const ANNA = { issuer: 'https://login.example', subject: 'anna', groups: [] };

/** The entries that can replace the file, and how each is reported. */
const IN_ITS_PLACE: Readonly<Record<string, { put(file: string): Promise<unknown>; told: string }>> = {
  'a named pipe that nobody writes to': {
    put: (file) => promisify(execFile)('mkfifo', [file]),
    told: 'it is no file',
  },
  'a folder': { put: (file) => mkdir(file), told: 'it is no file' },
  'a device without an end': { put: (file) => symlink('/dev/zero', file), told: 'it is no file' },
  'a link to itself': { put: (file) => symlink(file, file), told: 'ELOOP' },
  'a file of 1 GB': {
    put: (file) => writeFile(file, '').then(() => truncate(file, 1_000_000_000)),
    told: 'larger than 1 MB',
  },
};

for (const [what, { put, told }] of Object.entries(IN_ITS_PLACE)) {
  it.skipIf(process.platform === 'win32')(
    `${what} holds up nobody: what was said before holds`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'seller-access-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'access.yaml');
      const text = 'access: [{ person: anna, accounts: [lamps] }]\n';
      await writeFile(file, text);
      const messages: string[] = [];
      const access = await openAccess({
        file,
        usual: 'ask',
        names: async () => ['lamps'],
        tell: (message) => messages.push(message),
      });
      await rm(file);
      await put(file);
      await access.refresh();
      expect([...(await access.rightsOf(ANNA)).keys()]).toEqual(['lamps']);
      expect(messages).toEqual([expect.stringContaining(told)]);
      await rm(file, { recursive: true });
      await writeFile(file, text.replace('anna', 'ben'));
      await access.refresh();
      expect((await access.rightsOf(ANNA)).size).toBe(0);
      expect(messages).toHaveLength(2);
    },
    10_000,
  );
}
