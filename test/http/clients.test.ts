/** The whole program over HTTP, as clients of both eras meet it: the same tools, questions or codes, scopes, and nothing that only a person at the machine can use. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { connectHttp, type HttpProgram, startHttpProgram } from '../helpers/http-program.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { homeEnvironment, SHOP } from '../helpers/outside-service.ts';
import { CLIENT_KINDS, connect } from '../helpers/sessions.ts';
import { startTokenIssuer, type TokenIssuer } from '../helpers/token-issuer.ts';

let folder: string;
let issuer: TokenIssuer;
let program: HttpProgram;
/** The server whose operator lets assistants carry codes. */
let withCodes: HttpProgram;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-http-'));
  issuer = await startTokenIssuer(() => program.endpoint.href);
  const start = (name: string, more: Record<string, string> = {}) =>
    startHttpProgram({
      SELLER_SANDBOX: 'true',
      SELLER_ISSUER: issuer.issuer,
      SELLER_STATE_DIR: join(folder, name, 'state'),
      SELLER_DATA_DIR: join(folder, name, 'data'),
      SELLER_FILES_DIR: join(folder, name, 'files'),
      ...more,
    });
  program = await start('usual');
  withCodes = await start('codes', { SELLER_WRITES: 'code' });
});
afterAll(async () => {
  expect(await withCodes.stop()).toBe(0);
  expect(await program.stop()).toBe(0);
  await issuer.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z
    .looseObject({ outcome: z.string().optional(), confirmation_code: z.string().optional() })
    .optional(),
});
type Connected = Awaited<ReturnType<typeof connectHttp>>;

async function call(client: Connected, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = resultSchema.parse(
    await client.callTool({ name, arguments: args }),
  );
  return { text: content.map(({ text = '' }) => text).join('\n'), isError, ...structuredContent };
}

describe.each(CLIENT_KINDS)('%s', (kind) => {
  it('sees the same tools as over stdio, prompts and resources, and calls them', async () => {
    const client = await connectHttp(program.endpoint, { kind, token: await issuer.token() });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_LIST.map(({ name }) => name));
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(2);
    expect((await client.listResources()).resources.length).toBeGreaterThan(2);
    const described = await call(client, 'describe_operation', { operation: 'getListingsItem' });
    expect(described.text).toContain('listings-items/getListingsItem');
    await client.close();
  });

  it('asks about a write where the client can be asked; elsewhere it is the operator who allows codes', async () => {
    const asked: string[] = [];
    const elicit = async ({ message }: { message: string }) => {
      asked.push(message);
      return { action: 'accept' as const };
    };
    const token = await issuer.token({ sub: `writer-${kind}` });
    const client = await connectHttp(program.endpoint, { kind, token, elicit });
    const change = { supplySourceId: SHOP, changes: { alias: `Shop for ${kind}` } };
    const first = await call(client, 'update_supply_source', change);
    if (kind === 'sdk-v2-modern') {
      expect(asked[0]).toContain(`Shop for ${kind}`);
      expect(first.outcome).toBe('done');
    } else {
      expect(asked).toEqual([]);
      expect(first).toMatchObject({ isError: true, text: expect.stringContaining('--writes=code') });
    }
    await client.close();
    const itsToken = await issuer.token({ aud: withCodes.endpoint.href });
    const coded = await connectHttp(withCodes.endpoint, { kind, token: itsToken, elicit });
    const { outcome, confirmation_code: confirmationCode } = await call(
      coded,
      'update_supply_source',
      change,
    );
    expect(outcome).toBe('needs_confirmation');
    expect((await call(coded, 'update_supply_source', { ...change, confirmationCode })).outcome).toBe('done');
    await coded.close();
  });
});

it("takes no code of somebody else's", async () => {
  const [anna, ben] = await Promise.all(
    ['anna', 'ben'].map(async (sub) =>
      connectHttp(withCodes.endpoint, {
        kind: 'sdk-v2-legacy',
        token: await issuer.token({ sub, aud: withCodes.endpoint.href }),
      }),
    ),
  );
  const change = { supplySourceId: SHOP, changes: { alias: 'Another name' } };
  if (anna === undefined || ben === undefined) throw new Error('not connected');
  const { confirmation_code: confirmationCode } = await call(anna, 'update_supply_source', change);
  const tried = await call(ben, 'update_supply_source', { ...change, confirmationCode });
  expect(tried.outcome).not.toBe('done');
  expect((await call(anna, 'update_supply_source', { ...change, confirmationCode })).outcome).toMatch(
    /done|accepted/,
  );
  await Promise.all([anna.close(), ben.close()]);
});

it('lists what only the scope lacks, and answers its call with the 403 that asks for more', async () => {
  const token = await issuer.token({ scope: 'seller:read' });
  for (const kind of CLIENT_KINDS) {
    const client = await connectHttp(program.endpoint, { kind, token });
    expect((await client.listTools()).tools).toHaveLength(TOOL_LIST.length);
    const writing = TOOL_LIST.filter(({ annotations }) => !annotations.readOnlyHint);
    for (const { name } of writing) await expect(client.callTool({ name, arguments: {} })).rejects.toThrow();
    await client.close();
  }
  const response = await fetch(program.endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'write_operation', arguments: {} },
    }),
  });
  expect(response.status).toBe(403);
  const challenge = response.headers.get('www-authenticate') ?? '';
  expect(challenge).toContain('insufficient_scope');
  expect(challenge).toContain('seller:write');
  expect(challenge).toContain('resource_metadata=');
});

it('tells where its tokens come from, before anybody logs in', async () => {
  const { origin } = program.endpoint;
  const metadata = await (await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).json();
  expect(metadata).toMatchObject({
    resource: program.endpoint.href,
    authorization_servers: [issuer.issuer],
    scopes_supported: ['seller:read', 'seller:write'],
  });
  const provider = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json();
  expect(provider).toMatchObject({ issuer: issuer.issuer });
  expect((await fetch(`${origin}/.well-known/anything`)).status).toBe(404);
});

it('takes no credentials, opens no page, and names no command and no computer of the reader', async () => {
  const pages: string[] = [];
  const token = await issuer.token();
  const client = await connectHttp(program.endpoint, {
    kind: 'sdk-v2-modern',
    token,
    opensPages: true,
    elicit: async ({ message }) => {
      pages.push(message);
      return { action: 'decline' };
    },
  });
  const { tools } = await client.listTools();
  const shown = `${JSON.stringify(tools)} ${client.getInstructions()}`;
  const answers: string[] = [];
  for (const [name, args] of CALLS) answers.push((await call(client, name, args)).text);
  expect(answers[0]).toContain('takes no credentials');
  expect(pages).toEqual([]);
  await client.close();
  const local = await connect({ args: ['--sandbox'], env: homeEnvironment(folder), spawn: true });
  const advertised = [JSON.stringify(await local.client.listTools()), local.client.getInstructions()];
  for (const [name, args] of CALLS) advertised.push((await local.call(name, args)).text);
  await local.close();
  for (const words of OF_OWN_COMPUTER) {
    for (const text of [shown, ...answers]) expectOnlyIn(words, advertised, text);
  }
});

const CALLS: readonly [string, Record<string, unknown>][] = [
  ['exchange_token', { refresh_token: 'a', client_id: 'b', client_secret: 'c' }],
  ['exchange_token', { account: 'nobody' }],
  ['read_operation', { operation: 'getOrders', account: 'nobody' }],
  ['list_known_operations', { search: 'history' }],
  ['list_known_operations', { search: 'login credentials' }],
  ['query_data', { sql: 'SELECT 1' }],
  ['undo_change', {}],
];
/** Matches advice that holds only for a user who runs the program on a computer of their own. */
const OF_OWN_COMPUTER = [
  /this computer/,
  /keychain/,
  /`[^`]*\blogin\b/,
  /(?:seller-commerce-mcp\S*|npm --prefix \S+ start --) (?:login|history|stop)/,
];
