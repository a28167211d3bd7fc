/** Tests that the paths of a server are reported to its operator, and never to its remote users. */

import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createRedactor } from '../../../src/privacy/secrets/redact.ts';
import { startHttpService } from '../../helpers/http-service.ts';
import { openPeopleForTest } from '../../helpers/people.ts';

async function startWorld(env: Readonly<Record<string, string>> = {}) {
  const service = await startHttpService(({ path }) =>
    path.startsWith('/auth')
      ? { body: { access_token: 'access-1', token_type: 'bearer', expires_in: 3600 } }
      : { body: { supplySources: [{ supplySourceId: 'store-1' }] } },
  );
  onTestFinished(() => service.close());
  const seller = { baseUrl: service.url, authUrl: service.url, sellerId: 'A1' };
  return openPeopleForTest({ lamps: seller, chairs: seller }, env);
}

const READ = { operation: 'getSupplySources' };

it('a file is told by its name, read, missing, saved or refused', async () => {
  const world = await startWorld();
  const anna = await world.connect('anna');
  const answers: string[] = [];
  const read = (name: string) =>
    anna.client.readResource({ uri: `seller://files/${name}` }).then(
      (answer) => JSON.stringify(answer),
      (error: Error) => error.message,
    );
  const saved = await anna.call('query_data', { sql: 'SELECT 1 AS one', save_as: 'one.csv' });
  expect(saved.isError).toBe(false);
  answers.push(saved.whole, await read('nothing.csv'), await read('one.csv'));
  const again = { sql: 'SELECT 1 AS one', save_as: '../../two.csv' };
  answers.push((await anna.call('query_data', again)).whole);
  expect(answers[1]).toContain('There is no file');
  expect(answers[2]).toContain('one.csv');
  for (const text of answers) expect(text).not.toContain(world.folder);
});

it('a secret that cannot be used is told without the reason, and with it to whoever runs the server', async () => {
  const world = await startWorld();
  const anna = await world.connect('anna');
  await chmod(join(world.folder, 'secrets', 'lamps.json'), 0o444);
  const { isError, text } = await anna.call('read_operation', READ);
  expect(isError).toBe(true);
  expect(text).toContain('lamps');
  expect(text).not.toContain(world.folder);
  const reasonOf = () => /account lamps cannot be used: (.+?)"/.exec(world.outside.err())?.[1];
  await expect.poll(reasonOf).toBeDefined();
  // Whatever the log says, the person is told no piece of it.
  const words = reasonOf()?.split(/[.:] /) ?? [];
  expect(words.filter((one) => text.includes(one))).toEqual([]);
});

it('a folder of secrets that cannot be read is told once, and once more when it can', async () => {
  const world = await startWorld();
  const secrets = join(world.folder, 'secrets');
  await world.connect('anna');
  await rename(secrets, `${secrets}-away`);
  const before = world.outside.err().length;
  await sleep(1_100);
  for (let at = 0; at < 3; at++)
    await expect(world.people.sessionOf(world.caller('anna'))).rejects.toThrow('folder of secrets');
  await sleep(2_500);
  expect(world.outside.err().match(/The folder of secrets cannot be read/g)).toHaveLength(1);
  expect(world.outside.err()).toContain(secrets);
  expect(world.outside.err().slice(before).trim().split('\n')).toHaveLength(1);
  await rename(`${secrets}-away`, secrets);
  await sleep(1_100);
  expect(await world.people.sessionOf(world.caller('anna'))).toBeDefined();
  expect(world.outside.err()).toContain('The accounts can be read again');
}, 15_000);

it('hides a folder wherever a path begins with it, and nothing that only looks like one', () => {
  const { redact, redactJson } = createRedactor(['/data', '/data/secrets']);
  expect(redact("open '/data/secrets/lamps.json', /data, (/data/x)")).toBe(
    "open '[server]/lamps.json', [server], ([server]/x)",
  );
  for (const text of ['https://shop.example/data/1', '/database', '/my/data', 'C:/data'])
    expect(redact(text)).toBe(text);
  expect(redactJson({ path: '/data/x', other: ['/dat'] })).toEqual({ path: '[server]/x', other: ['/dat'] });
});
