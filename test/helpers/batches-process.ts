/** A process that sends a list of so many items to a service, going on with what is there: `node batches-process.ts <folder> <url> <items>`, with the address of a store for lists that lie there, what is asked, and by how many milliseconds its clock is wrong. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { readStoreAddress } from '../../src/base/store-address.ts';
import type { Sealer } from '../../src/privacy/sealed/sealer.ts';
import type { BatchItem, Sender } from '../../src/write/run/batches/batch.ts';
import { openBatchTable, sharedBatches } from '../../src/write/run/batches/batch-table.ts';
import { type Batches, createBatches, openBatches } from '../../src/write/run/batches/batches.ts';
import { openStateStore, SHARED_TABLES as tables } from '../../src/write/state-store.ts';

const [folder = '', url = '', count = '0', storeAt, asked = 'asked', ahead = '0'] = process.argv.slice(2);
const clock = { ...systemClock, wallClock: () => Date.now() + Number(ahead) };
/** So that whoever takes it up need not wait long. */
const LEASE_MS = 1_000;
const noKey: Sealer = {
  canSeal: async () => false,
  seal: () => Promise.reject(new Error('no key')),
  open: async () => undefined,
};
/** The key that all processes can open. */
const oneKey: Sealer = {
  canSeal: async () => true,
  seal: async (text) => Buffer.from(text).toString('base64url'),
  open: async (text) => Buffer.from(text, 'base64url').toString(),
};
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const addressOf = ({ key }: BatchItem) => `${url}/items/${key}`;

const sender: Sender = {
  atOnce: 3,
  async send(item, { signal }) {
    const { status } = await fetch(addressOf(item), {
      method: 'PUT',
      body: JSON.stringify(item.value),
      signal,
    });
    if (status === 429) return { kind: 'later', why: '429', afterMs: 5 };
    return { kind: status === 200 ? 'accepted' : 'not_accepted' };
  },
  check: async (items) => new Map(items.map(({ key }) => [key, 'as_shown'])),
  async look(item) {
    const { isApplied } = z
      .object({ isApplied: z.boolean() })
      .parse(await (await fetch(addressOf(item))).json());
    return isApplied ? { kind: 'accepted' } : 'not_applied';
  },
};

async function openInStore(text: string): Promise<Batches> {
  const address = readStoreAddress(text);
  if (address === undefined) throw new Error(text);
  const { openSharedStore } = await import('../../src/replicas/shared-store.ts');
  const store = await openSharedStore({ address, password: undefined, tables, tell: () => {} });
  return createBatches({
    folder,
    table: openBatchTable(sharedBatches(store, LEASE_MS)),
    sealer: oneKey,
    clock,
    randomId: () => randomBytes(4).toString('hex'),
  });
}

const batches =
  storeAt === undefined || storeAt === ''
    ? await openBatches({ store: openStateStore(folder, process.getuid?.()), sealer: noKey })
    : await openInStore(storeAt);
try {
  const items = Array.from({ length: Number(count) }, (_, i) => ({ key: `item-${i}`, value: { price: i } }));
  const list = { account: 'shop', owner: 'mark', tool: 'change_listings', asked, digest: 'digest' };
  const found = await batches.find('shop', 'mark', asked);
  const { id } = found ?? (await batches.begin({ ...list, items, words: `${count} items`, personal: false }));
  say({ begun: id, state: found?.state });
  const run = await batches.run(id, sender);
  const { signal } = new AbortController();
  const info = await run.wait({ until: performance.now() + 120_000, signal, onProgress: () => {} });
  say({ ended: info?.state, counts: info?.counts });
} catch (error) {
  say({ error: error instanceof Error ? error.message : '' });
}
await batches.close();
process.exit(0);
