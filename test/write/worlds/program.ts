/**
 * Runs the program's MCP server in a simulated process, with an SDK client and a user behind it, who thinks
 * before they answer.
 */

import { mkdtempSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { inject } from 'vitest';
import * as z from 'zod';
import { InputError } from '../../../src/base/errors.ts';
import { lazy } from '../../../src/base/lazy.ts';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import { createServer } from '../../../src/protocol/create-server.ts';
import { TOOL_LIST } from '../../../src/protocol/generated/tool-list.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { loadTool } from '../../../tools/index.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { anyKey } from '../run/batches/simulated.ts';
import { outside, Process } from './computer.ts';
import { createService, isWrite, offer, type Service, SKUS, US } from './service.ts';

/** Exceeds the time of any world, so that the client never gives up. */
const PATIENCE_MS = 20 * 24 * 3_600_000;

/** Loads the registry once for all programs, because they all have the same. */
const registry = lazy(async () => loadRegistry());

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

export interface Answer {
  isError: boolean;
  text: string;
  facts: Record<string, unknown>;
}

export interface Program {
  process: Process;
  /** Calls a tool. @param ask returns the user's answer to a question */
  call(
    name: string,
    args: Record<string, unknown>,
    ask: (question: string) => Promise<boolean>,
  ): Promise<Answer>;
}

/** Starts a program. @param folder state folder that the processes of one computer share */
export async function startProgram(folder: string, service: Service, callMs = 50_000): Promise<Program> {
  const own = new Process();
  const env = {
    SELLER_BASE_URL: 'http://127.0.0.1:9',
    SELLER_AUTH_URL: 'http://127.0.0.1:9',
    SELLER_CLIENT_ID: 'client-1',
    SELLER_CLIENT_SECRET: 'client-secret-1',
    SELLER_REFRESH_TOKEN: 'Atzr|refresh-1',
    SELLER_ID: 'A1SELLER',
    SELLER_MARKETPLACE_ID: US,
    SELLER_CALL_TIMEOUT_MS: String(callMs),
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
  };
  const program = {
    ...createProgram({ ...createTestOutside({ env }), entryFile: join(inject('programs'), 'main.mjs') }),
    transport: async () => ({
      send: (request: Parameters<Service['send']>[0]) => {
        if (isWrite(request)) own.count('write');
        return own.through(() => service.send(request, own.pid));
      },
      exchange: () => new Promise<never>(() => {}),
      close: async () => undefined,
    }),
    sealer: async () => anyKey,
    registry,
  };
  const session = withFiles(
    own.run(() => openSession(program)),
    own,
    service,
  );
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  own.run(() =>
    serveStdio(() => createServer({ version: '0', tools: TOOL_LIST, loadTool, session }), {
      transport: within(own, serverEnd),
    }),
  );
  let ask: (question: string) => Promise<boolean> = async () => false;
  const client = new Client(
    { name: 'worlds', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) =>
    outside(async () => {
      const { message } = z.looseObject({ message: z.string() }).parse(params);
      return (await ask(message)) ? { action: 'accept', content: {} } : { action: 'decline' };
    }),
  );
  await outside(() => client.connect(clientEnd));
  return {
    process: own,
    async call(name, args, answer) {
      ask = answer;
      const called = outside(() => client.callTool({ name, arguments: args }, { timeout: PATIENCE_MS }));
      const { isError = false, content, structuredContent = {} } = resultSchema.parse(await called);
      return { isError, text: content.map(({ text = '' }) => text).join('\n'), facts: structuredContent };
    },
  };
}

/** Returns the arguments of a call that sends a feed of listings. */
export function feedArguments(items: readonly { sku: string; price: number; minimum: number }[]) {
  const messages = items.map(({ sku, price, minimum }, at) => ({
    messageId: at + 1,
    sku,
    operationType: 'PATCH',
    productType: 'LAMP',
    patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value: [offer(price, minimum)] }],
  }));
  const header = { sellerId: 'A1SELLER', version: '2.0' };
  return {
    operation: 'createFeed',
    body: { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [US] },
    document: { text: JSON.stringify({ header, messages }) },
  };
}

/** Moves documents without sockets, and lets time stand still while a thread reads one. */
function withFiles(
  session: ReturnType<typeof openSession>,
  own: Process,
  { documents }: Service,
): typeof session {
  const idOf = (address: string) => address.split('/').at(-1) ?? '';
  return {
    ...session,
    async contentThreads() {
      const threads = await own.io(() => session.contentThreads());
      return { ...threads, read: (...given) => own.io(() => threads.read(...given)) };
    },
    // An answer does without its table where none can be loaded, which threads would do in real time.
    async tables(account) {
      const openLoader = () => Promise.reject(new InputError('There are no tables.'));
      return { ...(await session.tables(account)), find: async () => undefined, openLoader };
    },
    async uploads() {
      return {
        async upload(address, document) {
          const parts: Uint8Array[] = [];
          for await (const part of document.read()) parts.push(part);
          await own.through(async () => documents.set(idOf(address), Buffer.concat(parts).toString()));
        },
        close: async () => undefined,
      };
    },
    async downloads() {
      return {
        async download(address, file) {
          const text = documents.get(idOf(address)) ?? '';
          await writeFile(file, text);
          return { bytes: text.length, charset: undefined };
        },
        close: async () => undefined,
      };
    },
  };
}

/** Handles messages to the server in its process, and delivers the ones from it outside of it. */
function within(own: Process, end: InMemoryTransport): Transport {
  const transport: Transport = {
    start: () => end.start(),
    send: (message: JSONRPCMessage) => own.gate().then(() => outside(() => end.send(message))),
    close: () => end.close(),
  };
  end.onmessage = (message) => own.fire(() => own.run(() => transport.onmessage?.(message)));
  end.onclose = () => transport.onclose?.();
  return transport;
}

/** Loads in real time what any program loads late, because nothing waits for that while time is simulated. */
export async function loadAll(): Promise<void> {
  const quick = {
    seed: 0,
    refuses: 0,
    loses: 0,
    isBusy: 0,
    latencyMs: 0,
    unseenMs: 0,
    perSecond: 1_000,
    callMs: 0,
  };
  const service = createService(quick, Date.now, () => undefined);
  const program = await startProgram(mkdtempSync(join(inject('scratch'), 'world-')), service);
  const call = (name: string, args: Record<string, unknown>) => program.call(name, args, async () => true);
  const items = SKUS.map((sku) => ({ sku, set: { price: 50, quantity: 3 } }));
  const { facts } = await call('change_listings', { items });
  await call('undo_change', { id: facts.batch_id });
  await call('update_supply_source', { supplySourceIds: ['S1', 'S2'], changes: { alias: 'Other' } });
  const feed = feedArguments([{ sku: 'A', price: 50, minimum: 5 }]);
  await call('write_operation', { ...feed, dryRun: true });
  for (const part of [
    'accounts',
    'base',
    'call',
    'privacy',
    'protocol',
    'render',
    'service',
    'store',
    'write',
  ]) {
    const files = (await readdir(`src/${part}`, { recursive: true })).filter((file) => file.endsWith('.ts'));
    await Promise.all(files.map((file) => import(/* @vite-ignore */ `../../../src/${part}/${file}`)));
  }
}
