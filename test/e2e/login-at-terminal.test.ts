/** `login` as a seller types it, at a real terminal with a real keychain: nothing that went well is thrown away. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startHttpService } from '../helpers/http-service.ts';
import { runsWithKeychain } from '../helpers/keychain.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { connect } from '../helpers/sessions.ts';
import { CTRL_C, hasTerminals, runAtTerminal, type Typed } from '../helpers/terminal.ts';

let outside: Outside;
let env: Record<string, string>;
let name: string;
let count = 0;
beforeEach(async () => {
  outside = await startOutside();
  // The home is the test's own, the keychain that of all these tests.
  const { HOME = '', XDG_STATE_HOME = '' } = outside.env;
  const bus = process.env.DBUS_SESSION_BUS_ADDRESS ?? '';
  env = { HOME, XDG_STATE_HOME, DBUS_SESSION_BUS_ADDRESS: bus };
  count += 1;
  name = `terminal-${process.pid}-${count}`;
});
afterEach(async () => {
  await runProgram(['logout', name], { env });
  await outside.close();
});

const addresses = ({ base = outside.sandbox.baseUrl, auth = outside.sandbox.authUrl } = {}) => [
  '--base-url',
  base,
  '--auth-url',
  auth,
];

function secrets(): Typed {
  const { clientId, clientSecret, refreshToken } = outside.sandbox.credentials;
  return [
    ['Client ID:', `${clientId}\r`],
    ['Client secret (hidden):', `${clientSecret}\r`],
    ['Refresh token (hidden):', `${refreshToken}\r`],
  ];
}

const logIn = (answers: Typed, flags = addresses()) =>
  runAtTerminal(['login', name, ...flags], answers, { env });

const accountsSchema = z.object({ accounts: z.array(z.looseObject({ name: z.string() })) });

async function stored() {
  const { stdout } = await runProgram(['accounts', '--json'], { env });
  return accountsSchema.parse(JSON.parse(stdout)).accounts.find((one) => one.name === name);
}

const statusSchema = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), state: z.string(), todo: z.string().optional() })),
});

async function check(part: string) {
  const { stdout } = await runProgram(['status', '--json', '--account', name], { env });
  return statusSchema.parse(JSON.parse(stdout)).checks.find((one) => one.name === part);
}

const CANADA = 'A2EUQ1WTGCTBG2';

describe.runIf(runsWithKeychain() && hasTerminals())('login at a terminal', () => {
  it('Ctrl-C at the seller ID keeps the marketplace that was picked, and every word on it names the command that adds the rest', async () => {
    const { code, screen } = await logIn([
      ...secrets(),
      ['0 for none):', 'Canada\r'],
      ['Seller ID:', CTRL_C],
    ]);
    expect(code).toBe(1);
    const command = `accounts set ${name} --seller-id ID`;
    expect(screen).toContain(
      `Cancelled. Account "${name}" is stored, with marketplace Canada (${CANADA}); what is missing: the seller ID.`,
    );
    expect(screen).toMatch(new RegExp(`without typing the secrets again, run \`.*${command}\``));
    expect(await stored()).toMatchObject({ marketplaceId: CANADA });
    expect(await check('Seller ID')).toMatchObject({
      state: 'note',
      todo: expect.stringContaining(command),
    });

    const session = await connect({ spawn: true, env, args: [...outside.args, '--account', name] });
    const read = () =>
      session.call('read_operation', {
        operation: 'getListingsItem',
        parameters: { sku: 'LAMP-OAK-E27', marketplaceIds: ['US'] },
      });
    const before = await read();
    expect([before.isError, before.text]).toEqual([true, expect.stringContaining(command)]);
    expect(before.text).toContain(`Account "${name}" has no seller ID.`);
    const added = await runProgram(['accounts', 'set', name, '--seller-id', outside.sandbox.sellerId], {
      env,
    });
    expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('credentials are as they were')]);
    // The same chat continues at once.
    expect((await read()).isError).toBe(false);
    await session.close();
    expect(await check('Seller ID')).toBeUndefined();
    expect(await check('Token')).toMatchObject({ state: 'ok' });
  });

  it.each([0, 1, 2])('Ctrl-C at prompt %i of the credentials stores nothing, and says so', async (at) => {
    const [prompt] = secrets()[at] ?? [''];
    const { screen, typed } = await logIn([...secrets().slice(0, at), [prompt, CTRL_C]]);
    expect(typed).toBe(at + 1);
    expect(screen).toContain('Cancelled. Nothing was stored.');
    expect(await stored()).toBeUndefined();
  });

  it('Ctrl-C at the marketplace keeps the account, and says what is missing', async () => {
    const { screen } = await logIn([...secrets(), ['0 for none):', CTRL_C]]);
    expect(screen).toContain(
      `Account "${name}" is stored; what is missing: the seller ID and the marketplace.`,
    );
    expect(screen).toContain(`accounts set ${name} --seller-id ID --marketplace-id COUNTRY`);
    expect(await stored()).toBeDefined();
  });

  it('a wrong client secret costs that value only, a swapped one is told at its prompt', async () => {
    const [id = ['', ''], secret = ['', ''], token = ['', '']] = secrets();
    const { code, screen } = await logIn([
      ['Client ID:', secret[1]],
      id,
      [secret[0], 'amzn1.oa2-cs.v1.wrong\r'],
      token,
      ['Client ID (Enter keeps what you typed):', '\r'],
      ['Client secret (hidden; Enter keeps what you typed):', secret[1]],
      ['Refresh token (hidden; Enter keeps what you typed):', '\r'],
      ['0 for none):', '\r'],
      ['Seller ID:', `${outside.sandbox.sellerId}\r`],
    ]);
    expect([code, screen]).toEqual([0, expect.stringContaining(`Account "${name}" is in the keychain`)]);
    expect(screen).toContain('This is the client secret, not the client ID.');
    expect(screen).toContain('Nothing is stored yet; what you typed is kept.');
    expect(await check('Token')).toMatchObject({ state: 'ok' });
  });

  it('an identity provider that is away is tried again, or passed over, without typing anything again', async () => {
    const { sellerId } = outside.sandbox;
    const { code, screen } = await logIn(
      [
        ...secrets(),
        ['"store" to store the values untried:', '\r'],
        ['"store" to store the values untried:', 'store\r'],
        ['by country or ID (Enter for none):', '1\r'],
        ['There is no list to choose from', 'US\r'],
        ['Seller ID:', `${sellerId}\r`],
      ],
      addresses({ auth: 'http://127.0.0.1:9' }),
    );
    expect([code, screen]).toEqual([0, expect.stringContaining('The values were not tried.')]);
    expect(screen).toContain('refused the connection');
    expect(await stored()).toMatchObject({ sellerId, marketplaceId: 'ATVPDKIKX0DER' });
  });

  it('a refresh token that is renewed while Ctrl-C is pressed is kept', async () => {
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<string>();
    const provider = await startHttpService(async () => {
      tellAsked(CTRL_C);
      // The key goes through two processes, which other work may keep from running.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ access_token: 'Atza|a', refresh_token: 'Atzr|renewed', expires_in: 3600 }),
      };
    });
    const { screen } = await logIn(
      [...secrets(), ['Trying the values', asked]],
      addresses({ auth: provider.url }),
    );
    await provider.close();
    expect(screen).toContain(`Cancelled. Account "${name}" is stored; what is missing`);
    expect(await stored()).toBeDefined();
  });
});
