/** Two sessions in one process: whatever one has, the other tries to reach, through the same server face that hosts use. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram, type ProgramParts } from '../../../src/program/runtime/program.ts';
import { createServer } from '../../../src/protocol/create-server.ts';
import { TOOL_LIST } from '../../../src/protocol/generated/tool-list.ts';
import type { Principal } from '../../../src/render/reading-session.ts';
import type { Session } from '../../../src/write/session.ts';
import { loadTool } from '../../../tools/index.ts';
import { type HttpService, startHttpService } from '../../helpers/http-service.ts';
import { isPageGone } from '../../helpers/is-gone.ts';
import { createTestOutside } from '../../helpers/outside.ts';

/** Returns a secret that does not look like one, so that only its owner can redact it. */
const secretOf = (name: string) => `whisper-${name}-0451-whisper`;

let service: HttpService;
let folder: string;
let program: ProgramParts;
let ana: Opened;
let ben: Opened;

beforeEach(async () => {
  service = await startHttpService(({ path, json }) => {
    if (path === '/auth/o2/token') {
      const { client_id } = Object(json);
      return { body: { access_token: `access-of-${client_id}`, token_type: 'bearer', expires_in: 3600 } };
    }
    if (path.startsWith('/supplySources'))
      return { body: { supplySources: [{ supplySourceId: 'store-1' }] } };
    return { body: { notes: Array.from({ length: 400 }, (_, at) => `note ${at} of the account`) } };
  });
  folder = await mkdtemp(join(tmpdir(), 'seller-sessions-'));
  const addresses = { baseUrl: service.url, authUrl: service.url, sellerId: 'A1SELLER' };
  const account = (name: string) => ({
    clientId: `client-${name}`,
    clientSecret: secretOf(name),
    refreshToken: `Atzr|refresh-${name}`,
    marketplaceId: 'ATVPDKIKX0DER',
    ...addresses,
  });
  const store = createMemoryStore({ ana: account('ana'), ben: account('ben') });
  const env = {
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_FILES_DIR: join(folder, 'files'),
    SELLER_ANSWER_TOKENS: '500',
  };
  program = { ...createProgram(createTestOutside({ env })), store: async () => store };
  [ana, ben] = await Promise.all([
    open({ name: 'Ana', accounts: ['ana'], settings: { writes: 'code' } }),
    open({ name: 'Ben', accounts: ['ben'], settings: { writes: 'code' } }),
  ]);
});
afterEach(async () => {
  await Promise.all([ana.close(), ben.close()]);
  await program.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

interface Opened {
  session: Session;
  client: Client;
  call(name: string, args: Record<string, unknown>): Promise<{ isError: boolean; text: string }>;
  close(): Promise<void>;
}

/** Opens a session and a server for each connection, as a server for many would. */
async function open(principal: Principal): Promise<Opened> {
  const session = openSession(program, principal);
  const parts = { version: '1', tools: TOOL_LIST, loadTool, session };
  const server = createServer(parts);
  const client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return {
    session,
    client,
    async call(name, args) {
      const { isError = false, content } = await client.callTool({ name, arguments: args });
      return { isError, text: content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') };
    },
    async close() {
      await client.close();
      await server.close();
      await session.close();
    },
  };
}

const READ = { operation: 'getListingsItem', parameters: { sku: 'LAMP', includedData: ['summaries'] } };

it('uses its own account where none is named', async () => {
  await Promise.all([ana.call('read_operation', READ), ben.call('read_operation', READ)]);
  const tokens = service.requests.flatMap(({ headers }) => headers['x-amz-access-token'] ?? []);
  expect(tokens.sort()).toEqual(['access-of-client-ana', 'access-of-client-ben']);
});

it("another's account is told like one that does not exist", async () => {
  for (const name of ['ben', 'nobody']) {
    const { isError, text } = await ana.call('read_operation', { ...READ, account: name });
    expect({ isError, text: text.replaceAll(name, 'X') }).toEqual({
      isError: true,
      text: expect.stringContaining('There is no account "X". Accounts that exist: ana.'),
    });
  }
  const token = { refresh_token: 'Atzr|stolen', client_id: 'x', client_secret: 'y', account: 'ben' };
  expect((await ana.call('exchange_token', token)).text).toContain('There is no account "ben"');
  expect(service.requests).toEqual([]);
});

it('every way to an account knows the list', async () => {
  const accounts = await ana.session.accounts();
  const ways = [
    accounts.get('ben'),
    accounts.profile('ben'),
    accounts.rotated('ben', 'a', 'b'),
    accounts.reread('ben', 'a'),
    accounts.readToken('ben'),
    accounts.writeToken('ben', { accessToken: 'a', expiresAt: 1, boughtWith: 'b' }),
    accounts.prepareGiven({ clientId: 'i', clientSecret: 's', refreshToken: 'r' }, 'ben'),
    accounts.describe('ben'),
  ];
  for (const way of ways) await expect(way).rejects.toMatchObject({ reason: 'missing' });
  expect(await accounts.names()).toEqual(['ana']);
});

it('a kept answer is neither listed for, nor read by the other', async () => {
  await ana.call('read_operation', READ);
  const [kept] = (await ana.session.answers()).list();
  if (kept === undefined) throw new Error('nothing was kept');
  expect((await ana.client.readResource({ uri: kept.uri })).contents).toHaveLength(1);
  await expect(ben.client.readResource({ uri: kept.uri })).rejects.toThrow('no longer kept');
  expect((await ben.client.listResources()).resources.map(({ uri }) => uri)).not.toContain(kept.uri);
});

it('a file that one saved is neither listed for, nor read by the other', async () => {
  const content = async function* () {
    yield Buffer.from('of the account');
  };
  const saved = await (await ana.session.files()).save('stock.csv', content(), { personal: false });
  expect(JSON.stringify(await ana.client.readResource({ uri: saved.uri }))).toContain('of the account');
  await expect(ben.client.readResource({ uri: saved.uri })).rejects.toThrow('There is no file');
  expect((await ben.client.listResources()).resources.map(({ uri }) => uri)).not.toContain(saved.uri);
});

it('a confirmation code is unknown to the other, and stays good for its owner', async () => {
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: { status: 'Inactive' },
  };
  const { text } = await ana.call('write_operation', write);
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(text)?.[1];
  expect(confirmationCode).toMatch(/^[\w-]{29}$/);
  const stolen = await ben.call('write_operation', { ...write, confirmationCode });
  expect(stolen).toMatchObject({ isError: true, text: expect.stringContaining('was not issued by this') });
  expect(service.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  expect(await ana.call('write_operation', { ...write, confirmationCode })).toMatchObject({ isError: false });
});

it("a page is not waited for, and not closed, by another's answer", async () => {
  await (await program.store()).delete('ana');
  const mine = await ana.session.credentialsPages();
  const page = await mine.offer('ana');
  if (page === undefined) throw new Error('no page was offered');
  const others = await ben.session.credentialsPages();
  const { signal } = new AbortController();
  await others.awaitPage({ action: 'accept', state: page.id }, signal);
  await expect(others.awaitPage({ action: 'decline', state: page.id }, signal)).rejects.toThrow(
    'did not open',
  );
  expect((await fetch(page.url)).status).toBe(200);
  await ben.session.close();
  expect((await fetch(page.url)).status).toBe(200);
  await ana.session.close();
  expect(await isPageGone(page.url)).toBe(true);
});

it("an account of its own that is missing is told without the names of others, and a page for another's is not offered", async () => {
  await (await program.store()).delete('ana');
  const { text } = await ana.call('read_operation', { operation: 'getSupplySources' });
  expect(text).toContain('There are no credentials for account "ana"');
  expect(text).not.toContain('ben');
  expect(await (await ana.session.credentialsPages()).offer('ben')).toBeUndefined();
});

it('secrets are known to the session whose they are', async () => {
  await Promise.all([ana.call('exchange_token', {}), ben.call('exchange_token', {})]);
  const text = `${secretOf('ana')} ${secretOf('ben')}`;
  expect(ana.session.redactor.redact(text)).toBe(`[redacted] ${secretOf('ben')}`);
  expect(ben.session.redactor.redact(text)).toBe(`${secretOf('ana')} [redacted]`);
});

it('what completes arguments comes from its own answers', async () => {
  await ana.call('read_operation', { operation: 'getSupplySources' });
  const complete = async ({ client }: Opened) => {
    const ref = { type: 'ref/prompt' as const, name: 'edit_supply_source' };
    const { completion } = await client.complete({ ref, argument: { name: 'supplySourceId', value: '' } });
    return completion.values;
  };
  expect(await complete(ana)).toEqual(['store-1']);
  expect(await complete(ben)).toEqual([]);
});

it('one that ends takes nothing from the other', async () => {
  await Promise.all([ana.call('read_operation', READ), ben.call('read_operation', READ)]);
  await ana.close();
  expect(await ben.call('read_operation', READ)).toMatchObject({ isError: false });
});

it('has its own slice of the settings', async () => {
  const reader = await open({ name: 'Cleo', accounts: ['ben'], settings: { writes: 'deny' } });
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: {},
  };
  const body = { status: 'Inactive' };
  expect((await reader.call('write_operation', { ...write, body })).text).toContain(
    'Writes are switched off',
  );
  await reader.close();
});
