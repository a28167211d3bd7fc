/** Which account a call without credentials is offered a page for: exactly the one that is missing, or none. */

import { afterEach, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import { handleCall } from '../../src/protocol/handle-call.ts';
import type { Principal } from '../../src/render/reading-session.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { createTestOutside } from '../helpers/outside.ts';
import { callThrough } from '../helpers/server-context.ts';

const own = { clientId: 'c', clientSecret: 'secret-of-it', refreshToken: 'Atzr|own', region: 'na' } as const;
let close = async () => {};
afterEach(() => close());

interface Given {
  /** Names in the keychain. */
  stored?: readonly string[];
  env?: Record<string, string>;
  principal?: Principal;
}

/** Returns what the user was shown while declining each time, and what the assistant got then. */
async function read(account: string | undefined, { stored = [], env = {}, principal }: Given) {
  const store = createMemoryStore(Object.fromEntries(stored.map((name) => [name, own])));
  const program = { ...createProgram(createTestOutside({ env })), store: async () => store };
  const session = openSession(program, principal);
  close = async () => {
    await session.close();
    await program.close();
  };
  const asked: string[] = [];
  const args = { operation: 'getSupplySources', account };
  const { content, isError } = await callThrough(
    (ctx, connected) => handleCall(readOperation, args, ctx, session, connected),
    {
      capabilities: { elicitation: { url: {} } },
      elicit: ({ message }) => {
        asked.push(String(message));
        return 'decline';
      },
    },
  );
  expect(isError).toBe(true);
  return { asked, text: content.map((block) => (block.type === 'text' ? block.text : '')).join() };
}

it.each([
  ['the one that is named', 'shop', {}, 'shop'],
  ['the one of the settings', undefined, { SELLER_ACCOUNT: 'shop' }, 'shop'],
  ['the first one', undefined, {}, 'default'],
])('a page for %s, where no account exists', async (_case, account, env, name) => {
  const { asked, text } = await read(account, { env });
  expect(asked).toEqual([expect.stringContaining(`There are no credentials for account "${name}"`)]);
  expect(text).toContain(name === 'default' ? 'login`' : `login --account ${name}`);
});

const WHOLE = { SELLER_CLIENT_ID: 'c', SELLER_CLIENT_SECRET: 'ssssssss', SELLER_REFRESH_TOKEN: 'Atzr|r' };

it.each<[string, string | undefined, Given, string]>([
  ['a name beside those that exist', 'shpo', { stored: ['default', 'shop'] }, 'exist: default, shop.'],
  ['the first account where only another exists', undefined, { stored: ['shop'] }, 'exist: shop.'],
  [
    'an environment that gives a part',
    undefined,
    { env: { SELLER_CLIENT_ID: 'c' } },
    'but not SELLER_CLIENT_SECRET',
  ],
  ['an environment without a region', undefined, { env: WHOLE }, 'Set SELLER_REGION'],
  ['another name beside the environment', 'shop', { env: WHOLE }, 'exist: default.'],
  [
    "another's account",
    'ben',
    { stored: ['ben'], principal: { name: 'Ana', accounts: ['ana'] } },
    'no credentials for account "ben"',
  ],
])('no page for %s: the error says what to do', async (_case, account, given, said) => {
  const { asked, text } = await read(account, given);
  expect(asked).toEqual([]);
  expect(text).toContain(said);
});
