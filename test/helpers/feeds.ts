/** The real program with a service for feeds: a session that says yes, and feeds of listings to send. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { type Outside, startOutside } from './outside-service.ts';
import { type ClientKind, connect, type Session } from './sessions.ts';

export const US = 'ATVPDKIKX0DER';
export interface Setup {
  outside: Outside;
  session: Session;
  questions: string[];
  connect(args?: string[], kind?: ClientKind): Promise<Session>;
  save(name: string, content: string | Buffer): Promise<void>;
}

export async function setUp(
  options: SandboxOptions = {},
  args: string[] = [],
  spawn = false,
): Promise<Setup> {
  const outside = await startOutside({ feedSpeed: 1_000, ...options });
  onTestFinished(() => outside.close());
  const questions: string[] = [];
  const open = async (more: string[] = [], kind: ClientKind = 'sdk-v2-modern') => {
    const session = await connect({
      kind,
      spawn,
      args: [...outside.args, ...args, ...more],
      env: outside.env,
      elicit: async ({ message }) => {
        questions.push(message);
        return { action: 'accept' };
      },
    });
    onTestFinished(() => session.close());
    return session;
  };
  await mkdir(join(outside.folder, 'files'), { recursive: true });
  return {
    outside,
    session: await open(),
    questions,
    connect: open,
    save: (name, content) => writeFile(join(outside.folder, 'files', name), content),
  };
}

export const patch = (sku: string, amount: number, messageId: number) => ({
  messageId,
  sku,
  operationType: 'PATCH',
  productType: 'PRODUCT',
  patches: [
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [
        { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: amount }] }], marketplace_id: US },
      ],
    },
  ],
});
export const listings = ({ outside }: Setup, ...messages: object[]) =>
  JSON.stringify({ header: { sellerId: outside.sandbox.sellerId, version: '2.0' }, messages });
export const FEED = {
  operation: 'createFeed',
  body: { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: ['US'] },
};

export const send = async (setup: Setup) =>
  setup.session.call('write_operation', {
    ...FEED,
    document: { text: listings(setup, patch('MUG-SAND-350', 17, 1)) },
  });
