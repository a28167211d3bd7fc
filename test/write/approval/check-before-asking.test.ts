/**
 * Tests that refusals are known before the question: which writes are checked, when, for how long, and what
 * the question says.
 */

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { onAbort } from '../../../src/base/cancel-signal.ts';
import { TimeoutError } from '../../../src/base/errors.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { AskPerson } from '../../../src/protocol/questions.ts';
import type { ClientUser } from '../../../src/render/client-user.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { describeValidation, validateUnusual } from '../../../src/write/approval/batch/batch-validation.ts';
import type { BatchWrite } from '../../../src/write/plan/prepared-batch.ts';
import type { Session } from '../../../src/write/session.ts';
import { changeListings } from '../../../tools/change-listings.ts';
import { updateSupplySource } from '../../../tools/update-supply-source.ts';
import { writeOperation } from '../../../tools/write-operation.ts';
import { apiResponse } from '../../helpers/api-request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import type { Answer, Handler, ReceivedRequest } from '../../helpers/http-service.ts';
import { memoryAccounts, testAccount } from '../../helpers/memory-accounts.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { aloneClient, writeOperation as anyWrite } from '../../helpers/test-client.ts';
import { nobody, startToolRunner, type ToolRunner } from '../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const CHECK = 'mode=VALIDATION_PREVIEW';
const CHECKED = /checked by the service/i;
const NO = { code: '90220', message: "'fabric_type' is required", severity: 'ERROR' };

/** Listings at 20.00; what is checked is answered by the test. */
function service(check: (sku: string) => Answer): Handler {
  const show = (sku: string) => ({
    sku,
    summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: `Lamp ${sku}` }],
    attributes: {
      purchasable_offer: [
        {
          currency: 'USD',
          marketplace_id: US,
          audience: 'ALL',
          our_price: [{ schedule: [{ value_with_tax: 20 }] }],
        },
      ],
    },
  });
  const answer = ({ path, method }: ReceivedRequest): Answer => {
    const url = new URL(path, 'http://service');
    const sku = decodeURIComponent(url.pathname.split('/')[5] ?? '');
    if (path.startsWith('/supplySources')) return { body: { supplySourceId: 's-1', alias: 'One' } };
    if (method === 'PATCH' && path.includes(CHECK)) return check(sku);
    if (method === 'PATCH') return { body: { sku, status: 'ACCEPTED', submissionId: 's', issues: [] } };
    if (sku !== '') return { body: show(sku) };
    const items = (url.searchParams.get('identifiers') ?? '').split(',').map(show);
    return { body: { numberOfResults: items.length, items } };
  };
  return (request) => ({ headers: { 'x-amzn-RateLimit-Limit': '1000' }, ...answer(request) });
}

const valid = (): Answer => ({ body: { status: 'VALID', issues: [] } });
const invalid = (): Answer => ({ body: { status: 'INVALID', issues: [NO] } });

let runner: ToolRunner;
afterEach(() => runner?.close());
const start = async (check: (sku: string) => Answer, writes = 'ask') => {
  runner = await startToolRunner(service(check), { SELLER_WRITES: writes });
};
const patches = () => runner.calls().filter(({ method }) => method === 'PATCH');
const checks = () => patches().filter(({ path }) => path.includes(CHECK));

/** Returns a user who approves what they were asked with, or keeps the question. */
function asked(): ClientUser & { questions: string[]; state: string | undefined } {
  const person = {
    questions: [] as string[],
    state: undefined as string | undefined,
    canConfirm: true,
    canOpenPage: false,
    isHere: false,
    openPage: nobody.openPage,
    answer: () =>
      person.state === undefined ? undefined : { action: 'accept' as const, state: person.state },
    confirm(_key: string, message: string, state: string): never {
      person.questions.push(message);
      person.state = state;
      throw new AskPerson({} as never);
    },
  };
  return person;
}
async function ask(tool: typeof writeOperation, args: object) {
  const person = asked();
  await expect(runner.run(tool, args, { person })).rejects.toBeInstanceOf(AskPerson);
  return { person, question: person.questions.join('\n') };
}

const single = (price: number) => ({
  operation: 'patchListingsItem',
  parameters: { sku: 'L-1', marketplaceIds: [US] },
  body: {
    productType: 'LAMP',
    patches: [
      {
        op: 'replace',
        path: '/attributes/purchasable_offer',
        value: [
          {
            currency: 'USD',
            marketplace_id: US,
            audience: 'ALL',
            our_price: [{ schedule: [{ value_with_tax: price }] }],
          },
        ],
      },
    ],
  },
});

describe('one write', () => {
  it('is checked before the question, which says what would be refused; the yes is not checked again', async () => {
    await start(invalid);
    const { person, question } = await ask(writeOperation, single(18));
    expect(question).toMatch(/Checked by the service \(1 of 1\): it would NOT accept it.*fabric_type/s);
    expect(checks()).toHaveLength(1);
    const { structured } = await runner.run(writeOperation, single(18), { person });
    expect(structured.outcome).toBe('accepted_not_visible');
    expect(patches()).toHaveLength(2);
  });

  it('is checked before a code, told in both forms; with the code it is not checked again', async () => {
    await start(valid, 'code');
    const { text, structured } = await runner.run(writeOperation, single(18));
    expect(text).toContain('Checked by the service (1 of 1): it would accept it.');
    expect(structured.validation).toEqual({ tried: 1, of: 1, would_be_accepted: true });
    const confirmationCode = structured.confirmation_code;
    await runner.run(writeOperation, { ...single(18), confirmationCode });
    expect([checks().length, patches().length]).toEqual([1, 2]);
  });

  it.each([
    [
      'is refused as a call',
      { status: 403, body: { errors: [{ code: 'Unauthorized', message: 'no role' }] } },
    ],
    ['fails in the service', { status: 500, body: { errors: [{ code: 'InternalFailure' }] } }],
  ])('a check that %s says "not checked" and hinders nothing', async (_what, answer) => {
    await start(() => answer);
    const { person, question } = await ask(writeOperation, single(18));
    expect(question).toMatch(/^Not checked by the service \(0 of 1\): ./m);
    const { structured } = await runner.run(writeOperation, single(18), { person });
    expect(structured.outcome).toBe('accepted_not_visible');
  });

  it.each(['allow', 'deny'])('is not checked where nobody is asked (%s)', async (writes) => {
    await start(valid, writes);
    await runner.run(writeOperation, single(18)).catch(() => undefined);
    expect(checks()).toEqual([]);
  });

  it('of an operation without that mode nothing is asked', async () => {
    await start(valid);
    const { question } = await ask(updateSupplySource, { supplySourceId: 's-1', changes: { alias: 'Two' } });
    expect(checks()).toEqual([]);
    expectOnlyIn(CHECKED, (await ask(writeOperation, single(18))).question, question);
  });
});

describe('a list', () => {
  const prices = { 'L-1': 19, 'L-2': 2, 'L-3': 18.5, 'L-4': 1 };
  const items = Object.entries(prices).map(([sku, price]) => ({ sku, set: { price } }));

  it('is checked where it is out of the ordinary, and says how many of how many', async () => {
    await start((sku) => (sku === 'L-4' ? invalid() : valid()));
    const { question } = await ask(changeListings, { items });
    expect(question).toMatch(
      /^Checked by the service \(2 of 4, the rest not checked\): it would NOT accept 1 of these\.\n {2}L-4: .*fabric_type/m,
    );
    expect(
      checks()
        .map(({ path }) => path.split(/[/?]/)[5])
        .sort(),
    ).toEqual(['L-2', 'L-4']);
  });

  it('beside a code it is told in both forms, once', async () => {
    await start(invalid, 'code');
    const { text, structured } = await runner.run(changeListings, { items });
    expect(text).toContain(
      'Checked by the service (2 of 4, the rest not checked): it would NOT accept 2 of these.',
    );
    expect(structured.validation).toMatchObject({ tried: 2, of: 4, would_be_accepted: 0 });
    await runner.run(changeListings, { items, confirmationCode: structured.confirmation_code });
    expect(checks()).toHaveLength(2);
  });

  it('of ordinary rows none is checked, and no check is claimed', async () => {
    await start(valid);
    const { question } = await ask(changeListings, { items: items.filter((_one, at) => at % 2 === 0) });
    expect(checks()).toEqual([]);
    expectOnlyIn(CHECKED, (await ask(changeListings, { items })).question, question);
  });
});

describe('the time before a question', () => {
  const checked: Operation = anyWrite({
    method: 'PATCH',
    previewMode: { parameter: 'mode', value: 'VALIDATION_PREVIEW' },
    parameters: [{ name: 'mode', in: 'query', required: false, schema: { type: 'string' } }],
    refusals: [{ member: 'status', when: ['INVALID'] }],
  });
  const write = (key: string): BatchWrite => ({
    key,
    input: { operation: checked, account: 'default', parameters: {}, body: { key } },
    request: { filledIn: {}, owner: { name: 'default', baseUrl: '', authUrl: '' } },
    change: { subject: { kind: 'operation' }, places: [], toldParameters: [], isWhole: false, warnings: [] },
    shown: {
      parameters: {},
      change: {
        subject: { kind: 'operation' },
        places: [],
        toldParameters: [],
        isWhole: false,
        warnings: [],
      },
    },
    unusual: ['down by 90 %'],
  });

  /** @param latencies of each check, in milliseconds */
  async function validate(latencies: readonly number[]) {
    const clock = fakeClock();
    const begun: number[] = [];
    let answered = 0;
    const accounts = memoryAccounts(
      testAccount({ baseUrl: 'https://service.example', authUrl: 'https://identity.example' }),
    );
    const client = aloneClient({
      accounts,
      clock,
      transport: {
        close: async () => {},
        async send(request) {
          if (request.url.includes('/auth/')) {
            return {
              ...apiResponse(200),
              body: { access_token: 't', token_type: 'bearer', expires_in: 3600 },
            };
          }
          const ms = latencies[begun.length] ?? 0;
          begun.push(clock.now());
          await new Promise<void>((resolve, reject) => {
            const stop = clock.after(ms, resolve);
            onAbort(request.signal, () => {
              stop();
              reject(new TimeoutError(ms, 'unknown', 'It was cut off.'));
            });
          });
          answered += 1;
          return { ...apiResponse(200), body: { status: 'VALID' } };
        },
      },
    });
    const personal = createPersonalData({ isMasking: true });
    const session = { personal: async () => personal } as unknown as Session;
    const from = clock.now();
    const call = {
      signal: new AbortController().signal,
      deadline: from + 40_000,
      onProgress: () => undefined,
    };
    const writes = latencies.map((_ms, at) => write(`L-${at}`));
    const ended = { at: undefined as number | undefined };
    const work = validateUnusual(writes, [], client, { session, call }, clock).then((found) => {
      ended.at = clock.now() - from;
      return found;
    });
    for (let step = 0; step < 100 && ended.at === undefined; step++) await clock.advance(100);
    const found = await work;
    return { found, took: ended.at ?? Infinity, answered, begun: begun.map((at) => at - from) };
  }

  it('is three seconds in all, at one a second, however slow the service is; what is told was answered', async () => {
    let checks = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(0, 50, 400, 900, 1_500, 2_900, 3_100, 60_000), {
          minLength: 1,
          maxLength: 8,
        }),
        async (latencies) => {
          const { found, took, answered, begun } = await validate(latencies);
          checks += answered;
          expect(took).toBeLessThanOrEqual(3_000);
          expect(found).toMatchObject({ tried: answered, of: latencies.length });
          for (const [at, one] of begun.entries()) expect(one).toBeGreaterThanOrEqual(at * 1_000);
          expect(describeValidation(found ?? { tried: 0, of: 0, refused: [] }).lines[0]).toContain(
            answered === 0
              ? `Not checked by the service (0 of ${latencies.length})`
              : `(${answered} of ${latencies.length}`,
          );
        },
      ),
      { numRuns: 60 },
    );
    expect(checks).toBeGreaterThan(30);
  });

  it('three of eight are checked where each is answered at once', async () => {
    const { found } = await validate(Array.from({ length: 8 }, () => 0));
    expect(found).toEqual({ tried: 3, of: 8, refused: [], problem: 'there was no answer in time' });
  });
});
