/** A shop and the chats with it, all in this process: a chat can be killed at any request, and another goes on with what lay on the disk in that moment. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { parseJson } from '../../src/base/json.ts';
import type { ApiRequest, ApiResponse } from '../../src/call/api-request.ts';
import type { Limiter } from '../../src/call/pacing/limiter.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import type { Tool } from '../../src/protocol/define-tool.ts';
import type { ClientUser } from '../../src/render/client-user.ts';
import { APPROVAL_KEY, HOST_ANSWERS_WITHIN_MS } from '../../src/render/client-user.ts';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import { addUnfinished } from '../../src/write/render/batch/unfinished.ts';
import { anyKey } from '../write/run/batches/simulated.ts';
import { createTestOutside } from './outside.ts';
import { onStore } from './state-rows.ts';
import { toolContext } from './tool-runner.ts';

export const US = 'ATVPDKIKX0DER';

/** A request that came, and whether it was accepted. */
interface Arrived {
  sku: string;
  price: number;
  isAccepted: boolean;
}

export interface Answered extends ToolAnswer {
  /** The question that a user got, or the text shown with a code; undefined where nothing was asked. */
  question?: string;
  error?: string;
}

/** The person's answer to a question, or what happens before it. */
type Approval = boolean | ((question: string) => Promise<boolean>);

export interface Chat {
  /** Undefined where the chat was killed in it. @param yes `code`: without a person who can be asked */
  call(tool: Tool, args: object, yes?: Approval, signal?: AbortSignal): Promise<Answered | undefined>;
  /** How many requests reach the service before the process is killed, and whether the last of them takes effect. */
  killAfter(requests: number, takesEffect: boolean): void;
  isDead(): boolean;
  /** The time limit of a call, in milliseconds: longer than any test, unless it is set. */
  callMs: number;
  /** Addresses that were opened in the person's browser. */
  opened: string[];
  /** Ends as a host ends it. */
  end(): Promise<void>;
}

export interface Shop {
  /** The current prices; the service may show older ones. */
  prices: Map<string, number>;
  arrived: Arrived[];
  /** SKUs whose writes are refused. */
  refused: Set<string>;
  /** Lists SKUs whose writes are rate limited (429). */
  busy: Set<string>;
  /** Receives each request; false makes the answer unreadable. */
  onRequest: (operation: string) => boolean;
  /** While true, what is written is not seen. */
  isSlow: boolean;
  /** Everything is seen. */
  reveal(): void;
  /** Somebody else sets it. */
  setElsewhere(sku: string, price: number): void;
  open(settings?: Readonly<Record<string, string>>): Chat;
  /** Opens one more process on the same folder, while the others live on. */
  openBeside(settings?: Readonly<Record<string, string>>): Chat;
  /** Sets how long an answer to a write takes, in milliseconds. */
  writeMs: number;
  /** The folder of the last chat. */
  folder(): string;
  close(): Promise<void>;
}

class Asked extends Error {
  readonly state: string;
  constructor(message: string, state: string) {
    super(message);
    this.state = state;
  }
}

/** Longer than any test. */
const CALL_MS = 600_000;

const NO_LIMIT: Limiter = {
  ask: async () => ({ go: true }),
  leave: () => undefined,
  ended: async () => undefined,
  close: async () => undefined,
};

export function openShop(initial: Readonly<Record<string, number>>): Shop {
  const prices = new Map(Object.entries(initial));
  const shown = new Map(prices);
  const arrived: Arrived[] = [];
  const refused = new Set<string>();
  const busy = new Set<string>();
  const closings: Promise<unknown>[] = [];
  const folders: string[] = [];
  let last: { kill(): void } | undefined;
  const beside: { kill(): void }[] = [];
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'killable-'));
    folders.push(folder);
    return folder;
  };
  const set = (sku: string, price: number) => {
    prices.set(sku, price);
    if (!shop.isSlow) shown.set(sku, price);
  };
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
    attributes: { purchasable_offer: offerOf(shown.get(sku) ?? 0) },
  });
  const answer = ({ operation, url, body }: ApiRequest): { status: number; body: unknown } => {
    const address = new URL(url);
    if (address.pathname === '/auth/o2/token') {
      return { status: 200, body: { access_token: 'Atza|one', token_type: 'bearer', expires_in: 3600 } };
    }
    if (!shop.onRequest(operation.name)) return { status: 400, body: { errors: [] } };
    const sku = decodeURIComponent(address.pathname.split('/').at(-1) ?? '');
    if (operation.name === 'searchListingsItems') {
      const items = (address.searchParams.get('identifiers')?.split(',') ?? []).filter((one) =>
        shown.has(one),
      );
      return { status: 200, body: { numberOfResults: items.length, items: items.map(show) } };
    }
    if (operation.name === 'getListingsItem') return { status: 200, body: show(sku) };
    if (operation.name !== 'patchListingsItem') return { status: 404, body: {} };
    const accepted = { sku, status: 'ACCEPTED', submissionId: 's', issues: [] };
    if (address.searchParams.has('mode')) return { status: 200, body: { ...accepted, status: 'VALID' } };
    // One place is shown.
    if (!address.searchParams.get('marketplaceIds')?.includes(US)) return { status: 200, body: accepted };
    if (busy.has(sku)) return { status: 429, body: { errors: [{ code: 'QuotaExceeded' }] } };
    const price = priceIn(parseJson(body ?? ''));
    const isAccepted = !refused.has(sku);
    arrived.push({ sku, price, isAccepted });
    if (isAccepted) set(sku, price);
    const issues = isAccepted ? [] : [{ code: '1', message: 'No.', severity: 'ERROR' }];
    return { status: 200, body: isAccepted ? accepted : { ...accepted, status: 'INVALID', issues } };
  };

  const openChat = (folder: string, settings: Readonly<Record<string, string>>): Chat => {
    let left = Number.POSITIVE_INFINITY;
    let lastTakesEffect = false;
    let isDead = false;
    let died = () => {};
    const death = new Promise<undefined>((resolve) => {
      died = () => resolve(undefined);
    });
    const env = {
      SELLER_BASE_URL: 'http://127.0.0.1:9',
      SELLER_AUTH_URL: 'http://127.0.0.1:9',
      SELLER_CLIENT_ID: 'client-1',
      SELLER_CLIENT_SECRET: 'client-secret-1',
      SELLER_REFRESH_TOKEN: 'Atzr|refresh-1',
      SELLER_ID: 'A1SELLER',
      SELLER_MARKETPLACE_ID: US,
      SELLER_STATE_DIR: folder,
      SELLER_DATA_DIR: join(folder, 'data'),
      ...settings,
    };
    // A call that waits when the chat is killed fails unseen, so that the end need not wait for it.
    const { promise: forEver, reject: cutOff } = Promise.withResolvers<never>();
    forEver.catch(() => {});
    const send = async (request: ApiRequest): Promise<ApiResponse> => {
      if (isDead) return forEver;
      const isToken = request.url.endsWith('/auth/o2/token');
      if (!isToken && left-- <= 0) {
        if (lastTakesEffect) answer(request);
        kill();
        return forEver;
      }
      if (request.operation.name === 'patchListingsItem' && shop.writeMs > 0) await sleep(shop.writeMs);
      if (isDead) return forEver;
      const { status, body } = answer(request);
      return { status, body, headers: {}, bytes: 100 };
    };
    const program = {
      ...createProgram({
        ...createTestOutside({ env }),
        // The page's files are in the folder of the entry file.
        entryFile: join(inject('programs'), 'main.mjs'),
        openInBrowser: async (url) => void chat.opened.push(url),
      }),
      transport: async () => ({ send, exchange: () => forEver, close: async () => undefined }),
      limiter: async () => NO_LIMIT,
      sealer: async () => anyKey,
    };
    const session = openSession(program);
    const kill = () => {
      if (isDead) return;
      isDead = true;
      left = -1;
      // The state is copied in one moment, as a kill leaves it: nobody sees what is written later.
      current = newFolder();
      cpSync(folder, current, { recursive: true, filter: (path) => !path.endsWith('.lock') });
      // Its number is that of this process, which goes on.
      onStore(current, 'UPDATE leases SET pid = 2147483646');
      died();
      cutOff(new Error('The chat was killed.'));
      closings.push(session.close().then(() => program.close()));
    };
    if (last !== undefined) beside.push(last);
    last = { kill };
    const chat: Chat = {
      isDead: () => isDead,
      callMs: CALL_MS,
      opened: [],
      async end() {
        await session.close();
        kill();
      },
      killAfter(requests, takesEffect) {
        [left, lastTakesEffect] = [requests, takesEffect];
      },
      async call(tool, args, yes = true, signal) {
        const invoke = async (more: Partial<ClientUser>, given: object) => {
          const context = toolContext(session);
          // The time limits are fixed, so that nothing depends on how busy the machine is.
          const call = {
            ...context.call,
            deadline: performance.now() + chat.callMs,
            ...(signal && { signal }),
          };
          const person = { ...context.person, canConfirm: true, confirm: ask, ...more };
          const answer = await tool.invoke(given, { ...context, call, person });
          return addUnfinished(given, answer, session);
        };
        const ask = (_key: string, message: string, state: string): never => {
          throw new Asked(message, state);
        };
        const work = async (): Promise<Answered> => {
          try {
            return await invoke({}, args);
          } catch (error) {
            if (!(error instanceof Asked)) return failed(error);
            const isApproved = typeof yes === 'function' ? await yes(error.message) : yes;
            // A no that comes sooner may be the host's own.
            if (!isApproved) await sleep(HOST_ANSWERS_WITHIN_MS);
            const { message: question, state } = error;
            const reply = { action: isApproved ? ('accept' as const) : ('decline' as const), state };
            const done = await invoke(
              { answer: (key) => (key === APPROVAL_KEY ? reply : undefined) },
              args,
            ).catch(failed);
            return { ...done, question };
          }
        };
        return Promise.race([work(), death]);
      },
    };
    return chat;
  };
  let current = newFolder();
  const shop: Shop = {
    prices,
    arrived,
    refused,
    busy,
    onRequest: () => true,
    isSlow: false,
    reveal() {
      for (const [sku, price] of prices) shown.set(sku, price);
    },
    setElsewhere(sku, price) {
      prices.set(sku, price);
      shown.set(sku, price);
    },
    open(settings = {}) {
      for (const one of [...beside.splice(0), ...(last === undefined ? [] : [last])]) one.kill();
      last = undefined;
      return openChat(current, settings);
    },
    openBeside: (settings = {}) => openChat(current, settings),
    writeMs: 0,
    folder: () => current,
    async close() {
      for (const one of [...beside, ...(last === undefined ? [] : [last])]) one.kill();
      await Promise.all(closings);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
  return shop;
}

function failed(error: unknown): Answered {
  const text = error instanceof Error ? error.message : String(error);
  return { text, structured: { outcome: 'error' }, isError: true, error: text };
}

const offerOf = (price: number) => [
  {
    currency: 'USD',
    audience: 'ALL',
    marketplace_id: US,
    our_price: [{ schedule: [{ value_with_tax: price }] }],
  },
];

function priceIn(body: unknown): number {
  const found = /"value_with_tax":(\d+(?:\.\d+)?)/.exec(JSON.stringify(body));
  return Number(found?.[1]);
}
