/** Six kinds of hosts, over stdio and HTTP: nothing is written without a person, and a write is possible wherever one can be reached. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { HOST_ANSWERS_WITHIN_MS } from '../../src/render/client-user.ts';
import { approveAll, openApprovalPage } from '../helpers/approval-page.ts';
import { connectHttp, type HttpProgram, startHttpProgram } from '../helpers/http-program.ts';
import { noteBrowser } from '../helpers/noted-browser.ts';
import { homeEnvironment, SHOP, startOutside } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import {
  type CallOutcome,
  type ClientKind,
  connect,
  type Elicit,
  MAIN_KINDS,
  type Session,
  toOutcome,
} from '../helpers/sessions.ts';

type Says = 'approves' | 'declines';

/** A host: how it handles questions, and what of an answer it shows to its model. */
interface Host {
  name: string;
  /** How the person is asked where the program runs on their computer. */
  asks: 'form' | 'address' | 'browser';
  declares?: { asksForms?: boolean; opensPages?: boolean };
  elicit?: (says: Says) => Elicit;
  sees(answer: CallOutcome): string;
}

const structuredOf = ({ structured, text }: CallOutcome) =>
  Object.keys(structured).length === 0 ? text : JSON.stringify(structured);
const both = (answer: CallOutcome) => `${answer.text}\n${JSON.stringify(answer.structured)}`;
const late = () => sleep(HOST_ANSWERS_WITHIN_MS + 200);

const HOSTS: readonly Host[] = [
  {
    name: 'auto-decline',
    asks: 'browser',
    declares: { opensPages: true },
    elicit: () => async () => ({ action: 'decline' }),
    sees: both,
  },
  { name: 'no elicitation', asks: 'browser', sees: both },
  {
    name: 'forms only',
    asks: 'form',
    elicit: (says) => async () => {
      if (says === 'approves') return { action: 'accept' };
      await late();
      return { action: 'decline' };
    },
    sees: both,
  },
  {
    name: 'URL only',
    asks: 'address',
    declares: { asksForms: false, opensPages: true },
    elicit:
      (says) =>
      async ({ url = '' }) => {
        if (says === 'approves') {
          await approveAll(url);
          return { action: 'accept' };
        }
        await late();
        return { action: 'cancel' };
      },
    sees: both,
  },
  { name: 'structured content only', asks: 'browser', sees: structuredOf },
  { name: 'text only', asks: 'browser', sees: ({ text }) => text },
];
/** Whether a host asks forms and addresses differs by the era of its protocol; what it shows does not. */
const hostsOf = (kind: ClientKind) =>
  HOSTS.filter(({ elicit }) => kind === 'sdk-v2-modern' || elicit !== undefined);
/** Leaves out hosts that a server cannot tell apart, because one that shows its model a part receives both forms. */
const distinctOf = (kind: ClientKind) => hostsOf(kind).filter(({ sees }) => sees === both);
const byBrowser = (kind: ClientKind) => hostsOf(kind).filter(({ asks }) => asks === 'browser');

const write = (name: string) => ({ supplySourceId: SHOP, changes: { alias: name } });

/** Whatever looks as if it could confirm something. */
const codesIn = (seen: string) => seen.match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){5}|page-[0-9a-f]{8}/g) ?? [];

type Call = (name: string, args: Record<string, unknown>) => Promise<CallOutcome>;

/** An assistant that wants the write, and does all that an assistant can do. @returns what it has seen */
async function insist(host: Host, call: Call, args: ReturnType<typeof write>): Promise<string> {
  const tool = 'update_supply_source';
  const seen = [host.sees(await call(tool, args))];
  for (const confirmationCode of codesIn(seen.join('\n'))) {
    seen.push(host.sees(await call(tool, { confirmationCode })));
    seen.push(host.sees(await call(tool, { ...args, confirmationCode })));
  }
  seen.push(host.sees(await call(tool, { ...args, dryRun: true })));
  seen.push(host.sees(await call(tool, args)));
  return seen.join('\n');
}

const mayRun = process.platform === 'linux';
if (!mayRun)
  process.stderr.write(
    'Skipped: hosts that decline, over stdio (the stand-in for a browser is xdg-open of Linux)\n',
  );

// Skipped on other systems, never in the gate on Linux (see mayRun).
describe.skipIf(!mayRun).each(MAIN_KINDS)('over stdio, %s', { concurrent: true }, (kind) => {
  /** A service, a home and a browser of one test alone, because the tests wait side by side. */
  async function prepare({ onTestFinished }: TestContext) {
    const outside = await startOutside();
    onTestFinished(outside.close);
    const noted = await noteBrowser(outside.folder);
    return { outside, noted, written: () => outside.received('updateSupplySource').length };
  }

  /** @param isInside in the test's own process where that is the same; no browser is found there */
  async function open(
    context: TestContext,
    host: Host,
    says: Says,
    { writes = 'ask', callMs = 5_000, isInside = false } = {},
  ) {
    const prepared = await prepare(context);
    const { outside, noted } = prepared;
    const path = isInside ? await mkdtemp(join(outside.folder, 'empty-')) : noted.path;
    const session = await connect({
      kind,
      args: [...outside.args, `--writes=${writes}`, `--call-timeout-ms=${callMs}`],
      env: { ...outside.env, PATH: path },
      spawn: !isInside,
      elicit: host.elicit?.(says),
      ...host.declares,
    });
    context.onTestFinished(session.close);
    return { session, ...prepared };
  }

  it.for(distinctOf(kind))('$name: a person approves, and it is written once', async (host, context) => {
    const { session, noted, written } = await open(context, host, 'approves');
    const args = write(`${host.name}, ${kind}, approved`);
    const approving = host.asks === 'browser' ? noted.target().then(approveAll) : undefined;
    const answers = [await session.call('update_supply_source', args)];
    await approving;
    // The time of the call may have been over before the person was done.
    await context.expect
      .poll(
        async () => {
          if (!/"(waiting|under_way)"/.test(JSON.stringify(answers.at(-1)))) return 'told';
          answers.push(await session.call('update_supply_source', args));
          return 'waiting';
        },
        { timeout: 20_000 },
      )
      .toBe('told');
    expect(answers.at(-1)?.structured.outcome).toBe('done');
    expect(written()).toBe(1);
    expect(await noted.opened()).toHaveLength(host.asks === 'browser' ? 1 : 0);
  });

  it.for(distinctOf(kind))(
    '$name: without an approval nothing is written, whatever the assistant does',
    async (host, context) => {
      // Each call waits a second for the page, and leaves the rest of its time to its end.
      const { session, noted, written } = await open(context, host, 'declines', { callMs: 4_000 });
      const args = write(`${host.name}, ${kind}, declined`);
      const seen = [await insist(host, session.call, args)];
      if (host.asks === 'browser') {
        const page = openApprovalPage(await noted.target());
        await page.enter();
        await page.no();
        seen.push(await insist(host, session.call, args));
        // A change that the user declined there is not shown there again, in other words either.
        seen.push(host.sees(await session.call('update_supply_source', { ...args, account: 'default' })));
        expect(await noted.opened()).toHaveLength(1);
      } else expect(await noted.opened()).toEqual([]);
      expect(codesIn(seen.join('\n')).filter((code) => !code.startsWith('page-'))).toEqual([]);
      expect(written()).toBe(0);
    },
  );

  it.for(byBrowser(kind))(
    '$name: where no browser opens, the operator’s choices are told',
    async (host, context) => {
      const { session, written } = await open(context, host, 'declines', { isInside: true });
      const seen = await insist(host, session.call, write(`${host.name}, ${kind}, no browser`));
      expect(seen).toContain('--writes=code');
      expect(seen).toContain('--read-only');
      expect(codesIn(seen)).toEqual([]);
      expect(written()).toBe(0);
    },
  );

  it.for(hostsOf(kind))(
    '$name: with codes, which the operator chose, it is written',
    async (host, context) => {
      const options = { writes: 'code', isInside: true };
      const { session, noted, written } = await open(context, host, 'declines', options);
      const args = write(`${host.name}, ${kind}, by code`);
      const [confirmationCode] = codesIn(host.sees(await session.call('update_supply_source', args)));
      expect(written()).toBe(0);
      const done = await session.call('update_supply_source', { ...args, confirmationCode });
      expect(done.structured.outcome).toBe('done');
      expect([written(), await noted.opened()]).toEqual([1, []]);
    },
  );

  it('tells the host that it waits, again and again, while a question and a page are open', async (context) => {
    const numbers: number[] = [];
    const heard = (count: number) =>
      context.expect.poll(() => numbers.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
    let asked = 0;
    const host: Host = {
      name: 'slow',
      asks: 'browser',
      elicit: () => async () => {
        asked += 1;
        // A client of 2026-07-28 asks between two requests, so that nothing waits at the server.
        if (kind !== 'sdk-v2-modern') await heard(3);
        return { action: 'decline' };
      },
      sees: both,
    };
    const { session, noted } = await open(context, host, 'declines', { callMs: 50_000 });
    const called = callWithProgress(session, write(`${kind}, slowly`), numbers);
    if (kind === 'sdk-v2-modern') {
      const url = await noted.target();
      await heard(3);
      await approveAll(url);
    }
    await called;
    expect(asked).toBe(1);
    // A client of 2026-07-28 makes a second request for its answer, whose numbers begin anew.
    const beginnings = numbers.filter((number, at) => number <= (numbers[at - 1] ?? Infinity));
    expect(beginnings.length).toBeLessThanOrEqual(kind === 'sdk-v2-modern' ? 2 : 1);
  });

  it.for([
    ['no such method', { error: { code: -32601, message: 'Method not found' } }],
    ['an error', { error: { code: -32603, message: 'Internal error' } }],
    ['nothing', { result: {} }],
    ['an action that is none', { result: { action: 'approve', content: {} } }],
    ['an approval without its form', { result: { action: 'accept' } }],
    ['an approval with something else', { result: { action: 'accept', content: 'yes' } }],
  ] as const)(
    'an answer of the host that is none (%s) leads to the page',
    async ([_what, elicited], context) => {
      if (kind !== 'sdk-v1') return;
      const { outside, noted, written } = await prepare(context);
      const server = startRawServer(
        [...outside.args, '--writes=ask', '--call-timeout-ms=4000'],
        { ...outside.env, PATH: noted.path },
        elicited,
      );
      context.onTestFinished(server.stop);
      await server.initialize(true);
      const params = { name: 'update_supply_source', arguments: write('never') };
      const { result } = await server.request('tools/call', params);
      expect(result).toMatchObject({ structuredContent: { outcome: 'waiting' } });
      expect(await noted.opened()).toHaveLength(1);
      expect(written()).toBe(0);
    },
  );
});

async function callWithProgress({ client }: Session, args: object, numbers: number[]): Promise<void> {
  const request = { name: 'update_supply_source', arguments: { ...args } };
  const onprogress = ({ progress }: { progress: number }) => void numbers.push(progress);
  const options = { onprogress };
  if ('experimental' in client) await client.callTool(request, undefined, options);
  else await client.callTool(request, options);
}

describe.each(MAIN_KINDS)('over HTTP, %s', (kind) => {
  const token = 'a-token-of-this-test-alone-0123456789';
  let folder: string;
  let usual: HttpProgram;
  let withCodes: HttpProgram;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seller-hosts-'));
    const start = (name: string, more: Record<string, string>) =>
      startHttpProgram({
        ...homeEnvironment(join(folder, name)),
        SELLER_SANDBOX: 'true',
        SELLER_HTTP_TOKEN: token,
        SELLER_STATE_DIR: join(folder, name, 'state'),
        SELLER_DATA_DIR: join(folder, name, 'data'),
        SELLER_FILES_DIR: join(folder, name, 'files'),
        ...more,
      });
    usual = await start('usual', {});
    withCodes = await start('codes', { SELLER_WRITES: 'code' });
  });
  afterAll(async () => {
    await Promise.all([usual.stop(), withCodes.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function open({ endpoint }: HttpProgram, { elicit, declares }: Host, says: Says) {
    const client = await connectHttp(endpoint, { kind, token, elicit: elicit?.(says), ...declares });
    onTestFinished(() => client.close());
    const call: Call = async (name, args) => toOutcome(await client.callTool({ name, arguments: args }));
    const alias = async () => {
      const args = { operation: 'getSupplySource', parameters: { supplySourceId: SHOP } };
      return /"alias":"([^"]*)"/.exec(JSON.stringify((await call('read_operation', args)).structured))?.[1];
    };
    return { call, alias };
  }

  it.each(hostsOf(kind))(
    '$name: nothing is written without an approval, and the choices are told',
    async (host) => {
      const { call, alias } = await open(usual, host, 'declines');
      const before = await alias();
      const seen = await insist(host, call, write(`${host.name}, ${kind}, HTTP`));
      // Whom a form reaches, they decline themselves.
      if (kind !== 'sdk-v2-modern' || host.asks !== 'form') {
        expect(seen).toContain('--writes=code');
        expect(seen).toContain('--read-only');
      }
      expect(codesIn(seen)).toEqual([]);
      expect(await alias()).toBe(before);
    },
  );

  it.each(hostsOf(kind))('$name: with codes, which the operator chose, it is written', async (host) => {
    const { call, alias } = await open(withCodes, host, 'declines');
    const args = write(`${host.name}, ${kind}, by code`);
    const [confirmationCode] = codesIn(host.sees(await call('update_supply_source', args)));
    await call('update_supply_source', { ...args, confirmationCode });
    expect(await alias()).toBe(args.changes.alias);
  });

  // Over HTTP a form reaches only clients of 2026-07-28.
  it.each(kind === 'sdk-v2-modern' ? [kind] : [])(
    '%s: a person who is asked in a form approves, and it is written',
    async () => {
      const [host] = HOSTS.filter(({ asks }) => asks === 'form');
      if (host === undefined) throw new Error('no such host');
      const { call, alias } = await open(usual, host, 'approves');
      const args = write(`${kind}, approved`);
      await call('update_supply_source', args);
      expect(await alias()).toBe(args.changes.alias);
    },
  );
});
