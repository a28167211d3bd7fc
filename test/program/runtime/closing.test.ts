/** The end of a session: what must not be lost is waited for, and nothing else holds it up. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CredentialStore } from '../../../src/accounts/account.ts';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram, type ProgramParts } from '../../../src/program/runtime/program.ts';
import { writeOperation } from '../../../tools/write-operation.ts';
import { type Handler, type HttpService, startHttpService } from '../../helpers/http-service.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { toolContext } from '../../helpers/tool-runner.ts';
import { readEntries } from '../../write/records/journal/helpers.ts';

/** The stated limit is two seconds. Both timers run in this process, so a busy machine delays them alike. */
const AT_MOST_MS = 6_000;
const WRITE = {
  operation: 'updateSupplySourceStatus',
  parameters: { supplySourceId: 'store-1' },
  body: { status: 'Inactive' },
};

let answer: Handler;
let service: HttpService;
let folder: string;
let store: CredentialStore;
let program: ProgramParts;

beforeEach(async () => {
  service = await startHttpService((request, response) => answer(request, response));
  folder = await mkdtemp(join(tmpdir(), 'seller-closing-'));
  store = createMemoryStore({
    default: {
      clientId: 'client-1',
      clientSecret: 'client-secret-1',
      refreshToken: 'Atzr|old',
      baseUrl: service.url,
      authUrl: service.url,
    },
  });
  const env = { SELLER_STATE_DIR: folder, SELLER_DATA_DIR: join(folder, 'data'), SELLER_WRITES: 'allow' };
  program = { ...createProgram(createTestOutside({ env })), store: async () => store };
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a write as a host's call would, and ends everything when the request to `path` has arrived. */
async function endIn(path: string): Promise<'in time' | 'late'> {
  const session = openSession(program);
  const cancelled = new AbortController();
  const { call, ...context } = toolContext(session);
  const work = session
    .own(writeOperation.invoke(WRITE, { ...context, call: { ...call, signal: cancelled.signal } }))
    .catch(() => undefined);
  // The reads before a write do not count as its requests.
  const arrived = () =>
    service.requests.some(({ method, path: asked }) => method !== 'GET' && asked.startsWith(path));
  await expect.poll(arrived).toBe(true);
  const late = sleep(AT_MOST_MS, 'late' as const, { ref: false });
  // The host went away: the SDK cancels its calls, and the session ends.
  cancelled.abort();
  const closed = session.close().then(() => program.close());
  const ended = await Promise.race([closed.then(() => 'in time' as const), late]);
  await work;
  return ended;
}

const token = (fields: object = {}) => ({ body: { access_token: 'access-1', expires_in: 3600, ...fields } });

it('a refresh token that is replaced while the host goes away reaches its store', async () => {
  answer = async () => {
    await sleep(400);
    return token({ refresh_token: 'Atzr|new' });
  };
  expect(await endIn('/auth')).toBe('in time');
  expect(await store.read('default')).toMatchObject({ refreshToken: 'Atzr|new' });
});

it('a store that takes its time gets it', async () => {
  answer = async () => token({ refresh_token: 'Atzr|new' });
  const write = store.write;
  store.write = async (...args) => {
    await sleep(400);
    await write(...args);
  };
  expect(await endIn('/auth')).toBe('in time');
  expect(await store.read('default')).toMatchObject({ refreshToken: 'Atzr|new' });
});

it('a write that is cut off has its outcome in the journal', async () => {
  answer = async ({ method, path }) => {
    if (path.startsWith('/auth')) return token();
    if (method === 'GET') return { body: { supplySourceId: 'store-1', status: 'Active' } };
    await sleep(1_000);
    return { status: 204 };
  };
  expect(await endIn('/supplySources')).toBe('in time');
  const entries = await readEntries(folder);
  expect(entries).toMatchObject([{ outcome: 'unknown', endedAt: expect.any(String) }]);
});

it('an identity provider that never answers does not hold it up', async () => {
  answer = () => undefined;
  expect(await endIn('/auth')).toBe('in time');
  expect(await store.read('default')).toMatchObject({ refreshToken: 'Atzr|old' });
});
