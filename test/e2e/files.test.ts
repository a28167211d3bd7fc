/** The folder of files over the spawned program: where it is, what of it a host is shown, and that nothing makes it but a save. */

import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session | undefined;
beforeEach(async () => {
  outside = await startOutside();
});
afterEach(async () => {
  await session?.close();
  session = undefined;
  await outside.close();
});

/** @param args instead of those that name every folder */
const open = async (args: readonly string[]) => {
  session = await connect({ args, env: outside.env });
  return session.client;
};
const put = async (folder: string, name: string, content: string) => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
};
const listed = async (client: Session['client']) =>
  (await client.listResources()).resources.flatMap(({ uri, name }) =>
    uri.startsWith('seller://files/') ? [name] : [],
  );
const read = async (client: Session['client'], uri: string) =>
  JSON.stringify((await client.readResource({ uri })).contents);

describe('which folder', () => {
  it('by default, ours in the downloads folder as the system names it; listing makes nothing', async () => {
    const downloads = join(outside.folder, 'Téléchargements');
    await put(join(outside.folder, 'config'), 'user-dirs.dirs', 'XDG_DOWNLOAD_DIR="$HOME/Téléchargements"\n');
    await mkdir(downloads);
    const client = await open([]);
    expect(await listed(client)).toEqual([]);
    expect(await readdir(downloads)).toEqual([]);
    await put(join(downloads, 'Seller commerce'), 'feed.json', '{}');
    await put(outside.folder, 'elsewhere.json', '{}');
    expect(await listed(client)).toEqual(['feed.json']);
  });

  it('of the sandbox, one of its own below it', async () => {
    const folder = join(outside.folder, 'files');
    await put(folder, 'invoice.pdf', '%PDF');
    await put(join(folder, 'Sandbox'), 'made-up.pdf', '%PDF');
    expect(await listed(await open([...outside.args, '--sandbox']))).toEqual(['made-up.pdf']);
  });

  it('--help names the setting', async () => {
    const { stdout } = await runProgram(['--help'], { env: outside.env });
    expect(stdout).toMatch(/--files-dir/);
  });
});

describe('what a host is shown', () => {
  it('names and sizes; contents only with --personal-data=show', async () => {
    await put(join(outside.folder, 'files'), 'buyers.csv', 'Anna Schmidt;anna@buyer.example\n');
    const masked = await open(outside.args);
    expect(await listed(masked)).toEqual(['buyers.csv']);
    expect(await read(masked, 'seller://files/buyers.csv')).not.toContain('Anna');
    await session?.close();
    const shown = await open([...outside.args, '--personal-data=show']);
    expect(await read(shown, 'seller://files/buyers.csv')).toContain('«Anna Schmidt;anna@buyer.example');
  });

  it('nothing that is reached through a link or a path', async () => {
    await put(outside.folder, 'secret.txt', 'outside of the folder');
    await mkdir(join(outside.folder, 'files'));
    await symlink(join(outside.folder, 'secret.txt'), join(outside.folder, 'files', 'link.txt'));
    const client = await open([...outside.args, '--personal-data=show']);
    expect(await listed(client)).toEqual([]);
    for (const name of ['link.txt', '..%2Fsecret.txt', '..', '%2e%2e%2fsecret.txt', '..%5Csecret.txt']) {
      await expect(read(client, `seller://files/${name}`)).rejects.toThrow(
        /not a file|without a path|not found/i,
      );
    }
  });
});
