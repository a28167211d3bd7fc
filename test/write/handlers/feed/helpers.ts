/** A feed sent to the sandbox over real HTTP, by the parts of the program, with steps kept in memory. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../../sandbox/start-sandbox.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { createDownloads } from '../../../../src/call/download/download.ts';
import { createUploads } from '../../../../src/call/upload/upload.ts';
import { loadRegistry } from '../../../../src/service/registry/registry.ts';
import type { FeedSteps } from '../../../../src/write/handlers/feed/feed.ts';
import type { FeedParts } from '../../../../src/write/handlers/feed/feed-parts.ts';
import { memoryAccounts, testAccount } from '../../../helpers/memory-accounts.ts';
import { aloneClient } from '../../../helpers/test-client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export const US = 'ATVPDKIKX0DER';

export interface FeedSetup {
  sandbox: Sandbox;
  /** The recorded steps, oldest first. */
  noted: FeedSteps[];
  parts(more?: Partial<FeedParts>): FeedParts;
  sent(operation: string): number;
}

export async function setUpFeeds(options: SandboxOptions = {}): Promise<FeedSetup> {
  const sandbox = await startSandbox({ rateLimits: false, record: true, feedSpeed: 1_000, ...options });
  const folder = await mkdtemp(join(tmpdir(), 'feeds-'));
  const { baseUrl, authUrl, credentials } = sandbox;
  const account = testAccount({ baseUrl, authUrl, ...credentials });
  const client = aloneClient({ accounts: memoryAccounts(account) });
  const settings = { connectTimeoutMs: 2_000, version: '9.9.9' };
  const [uploads, downloads] = [createUploads(settings), createDownloads(settings)];
  closing.push(
    () => rm(folder, { recursive: true }),
    () => sandbox.close(),
    () => uploads.close(),
    () => downloads.close(),
    () => client.close(),
  );
  const { find } = await loadRegistry();
  const noted: FeedSteps[] = [];
  let files = 0;
  const parts = (more: Partial<FeedParts> = {}): FeedParts => ({
    client,
    uploads,
    downloads,
    account: account.name,
    owner: undefined,
    givenBy: baseUrl,
    find,
    clock: systemClock,
    signal: new AbortController().signal,
    steps: {},
    note: async (steps) => void noted.push(steps),
    submit: (body, dispatchHooks) =>
      client.call(
        { operation: find('feeds/createFeed'), parameters: {}, body, account: account.name },
        { dispatchHooks },
      ),
    scratch: async () => join(folder, `report-${++files}`),
    tell: () => undefined,
    ...more,
  });
  const sent = (name: string) => sandbox.recorded().filter(({ operation: one }) => one === name).length;
  return { sandbox, noted, parts, sent };
}
