/** The log of a server tells at its start what is wrong with accounts; nothing else names them. */

import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { startHttpProgram } from '../../helpers/http-program.ts';
import { freePort } from '../../helpers/http-service.ts';

const RIGHT = {
  clientId: 'amzn1.application-oa2-client.1',
  clientSecret: 'amzn1.oa2-cs.v1.1',
  refreshToken: 'Atzr|one',
  region: 'eu',
};
const KEY = Buffer.alloc(32, 7).toString('base64');

const lineSchema = z.object({ level: z.number(), time: z.iso.datetime(), msg: z.string() });

/** Starts a server with these files of secrets. @param access lines of the access file */
async function start(secrets: Readonly<Record<string, string>>, access: string) {
  const folder = await mkdtemp(join(inject('scratch'), 'at-start-'));
  const secretsDir = join(folder, 'secrets');
  await mkdir(secretsDir);
  const write = async (name: string, text: string, mode = 0o400) => {
    const path = join(secretsDir, `${name}.json`);
    await chmod(path, 0o600).catch(() => undefined);
    await writeFile(path, text, { mode: 0o600 });
    await chmod(path, mode);
  };
  for (const [name, text] of Object.entries(secrets)) await write(name, text);
  const file = join(folder, 'access.yaml');
  await writeFile(file, access);
  const port = await freePort();
  const serve = async () => {
    const program = await startHttpProgram({
      SELLER_STATE_DIR: join(folder, 'state'),
      SELLER_STATE_KEY: KEY,
      SELLER_SECRETS_DIR: secretsDir,
      SELLER_ACCESS: file,
      SELLER_ISSUER: 'http://127.0.0.1:9/',
      SELLER_MONITOR: `127.0.0.1:${port}`,
    });
    onTestFinished(async () => void (await program.stop()));
    const lines = () =>
      program.io
        .err()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => lineSchema.parse(JSON.parse(line)).msg);
    return { lines, ready: async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).text() };
  };
  return { write, serve };
}

const json = (more: object) => JSON.stringify({ ...RIGHT, ...more });
const ACCESS = 'access:\n  - group: team\n    accounts: [lamps, chairs]\n';

it('tells each mistake by its account, what was read, and a provider that does not answer', async () => {
  const secrets = {
    lamps: json({}),
    cut: '{"clientId": ',
    swapped: json({ clientId: RIGHT.clientSecret, clientSecret: RIGHT.clientId }),
    access: json({ refreshToken: 'Atza|one' }),
    nowhere: json({ region: undefined }),
  };
  const { write, serve } = await start(secrets, ACCESS);
  await write('open', json({}), 0o644);
  const { lines, ready } = await serve();
  const hasLine = (...words: string[]) => lines().some((line) => words.every((word) => line.includes(word)));
  await expect.poll(() => hasLine('http://127.0.0.1:9/', 'Nobody can sign in')).toBe(true);
  await expect
    .poll(() => hasLine('6 accounts (access, cut, lamps, nowhere, open, swapped)', '1 access entry'))
    .toBe(true);
  for (const words of [
    ['account open', 'chmod'],
    ['account cut', 'mistake'],
    ['account swapped', 'clientId: This is the client secret'],
    ['account access', 'Atzr|'],
    ['account nowhere', 'region'],
    ['chairs', 'no secret of'],
  ])
    expect([words, hasLine(...words)]).toEqual([words, true]);
  const blamed = lines().flatMap((line) => /^The secret of account (\w+)/.exec(line)?.[1] ?? []);
  expect(blamed.sort()).toEqual(['access', 'cut', 'nowhere', 'open', 'swapped']);
  expect(lines().join()).not.toMatch(/amzn1\.oa2-cs\.v1|Atz[ar]\|one/);
  expect(await ready()).toMatch(/^not ready: /);
});

it('is not ready where no account can be used, and is again', async () => {
  const { write, serve } = await start({ lamps: '{}' }, ACCESS);
  const { lines } = await serve();
  await expect.poll(() => lines().some((line) => line.includes('account lamps has a mistake'))).toBe(true);
  await write('lamps', json({}));
  await expect.poll(() => lines().some((line) => line.includes('lamps can be used again'))).toBe(true);
});
