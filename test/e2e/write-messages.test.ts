/** Tests the questions and results that a seller reads, by question and by code, over the spawned program. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { type CallOutcome, CLIENT_KINDS, connect, MAIN_KINDS, type Session } from '../helpers/sessions.ts';

const US = 'ATVPDKIKX0DER';
const MUG = 'MUG-SAND-350 "Stoneware Mug, 12 oz, Speckled Sand, Dishwasher Safe", United States';
const BULLETS = ['Holds 12 oz', 'Safe in dishwasher and microwave', 'Glazed by hand'];
const bullets = (...values: string[]) => [
  {
    op: 'replace',
    path: '/attributes/bullet_point',
    value: values.map((value) => ({ value, language_tag: 'en_US', marketplace_id: US })),
  },
];
const price = (amount: number, more: object = {}) => [
  {
    op: 'replace',
    path: '/attributes/purchasable_offer',
    value: [
      { currency: 'USD', audience: 'ALL', our_price: [{ schedule: [{ value_with_tax: amount }] }], ...more },
    ],
  },
];
const patch = (patches: object[], more: object = {}) => ({
  operation: 'patchListingsItem',
  parameters: { sku: 'MUG-SAND-350', marketplaceIds: ['US'] },
  body: { productType: 'DRINKING_CUP', patches },
  ...more,
});
const twoDays = {
  configuration: { operationalConfiguration: { handlingTime: { value: 2, timeUnit: 'Days' } } },
};

interface Asked extends CallOutcome {
  question: string;
}

/** Calls the tool and says yes, by whichever way the person is asked. */
type Ask = (tool: string, args: object) => Promise<Asked>;

async function open(how: string, outside: Outside): Promise<{ session: Session; ask: Ask }> {
  let question = '';
  const isCode = how === 'code';
  const kind = CLIENT_KINDS.find((one) => one === how);
  const session = await connect({
    ...(kind === undefined ? {} : { kind }),
    args: [...outside.args, ...(isCode ? ['--writes=code'] : [])],
    env: outside.env,
    elicit: async ({ message }) => {
      question = message;
      return { action: 'accept' };
    },
  });
  const ask: Ask = async (tool, args) => {
    question = '';
    const first = await session.call(tool, { ...args });
    const { confirmation_code: confirmationCode } = first.structured;
    if (!isCode || confirmationCode === undefined) return { ...first, question };
    const preview = first.text.split('\n').slice(1).join('\n');
    return { ...(await session.call(tool, { ...args, confirmationCode })), question: preview };
  };
  return { session, ask };
}

describe.each([...MAIN_KINDS, 'code'])('%s', (how) => {
  let outside: Outside;
  let session: Session;
  let ask: Ask;
  beforeAll(async () => {
    outside = await startOutside();
    ({ session, ask } = await open(how, outside));
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });
  const last = async () => (await outside.journal()).at(-1);

  it('a store by its alias: hours by day, what stays open elsewhere, and how to close it too', async () => {
    const args = { supplySourceId: 'pike street SHOP', changes: CLOSE_ON_SUNDAYS };
    const preview = await session.call('update_supply_source', { ...args, dryRun: true });
    const { question, structured } = await ask('update_supply_source', args);
    expect(question.split('\n')[0]).toBe(
      'Pike Street shop (shop-pike-01), opening hours: Sundays 11:00-16:00 -> closed. Nothing else changes.',
    );
    expect(question).toMatch(/\n {2}pickup, opening hours: «still open on Sunday, 11:00-16:00»/);
    // The assistant is told how to close it too; the person is not shown JSON.
    expect(preview.text).toMatch(
      /^For the assistant: pickup, opening hours: .*to close it too, add \{"capabilities":\{"outbound":\{"pickupChannel":/m,
    );
    if (how !== 'code') expectOnlyIn('to close it too', preview.text, question);
    const details = new RegExp(`\\nFor the assistant: updateSupplySource, PUT \\S+/${SHOP}(?:\\n|$)`);
    if (how === 'code') expect(question).toMatch(details);
    else expect(question).not.toMatch(/updateSupplySource|PUT/);
    expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
  });

  it('several changes of one store, with units', async () => {
    const args = { supplySourceId: SHOP, changes: { ...twoDays, alias: 'Pike shop' } };
    const { question } = await ask('update_supply_source', args);
    expect(question.split('\n').slice(0, 4)).toEqual([
      'Pike Street shop (shop-pike-01), now -> then:',
      '  alias: "Pike Street shop" -> "Pike shop"',
      '  handling time: 4 hours -> 2 days',
      'Nothing else changes.',
    ]);
  });

  it('a status, by the code of the store', async () => {
    const { question, structured } = await ask('write_operation', {
      operation: 'updateSupplySourceStatus',
      parameters: { supplySourceId: 'shop-market-02' },
      body: { status: 'Active' },
    });
    expect(question).toMatch(/^Market Hall shop \(shop-market-02\), status: "Inactive" -> "Active"\./);
    expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
  });

  it('an alias that nobody has is refused with those there are, before anything is sent', async () => {
    const { isError, text, question } = await ask('update_supply_source', {
      supplySourceId: 'Hamburg',
      changes: twoDays,
    });
    expect({ isError, question }).toEqual({ isError: true, question: '' });
    expect(text).toMatch(
      /No store has the ID, alias or code Hamburg; nothing was changed\.[\s\S]*North warehouse/,
    );
  });

  it('bullet points: how many, the new one, and what stays', async () => {
    const { question, structured } = await ask(
      'write_operation',
      patch(bullets(...BULLETS, 'Felt pad below')),
    );
    expect(question.split('\n')[0]).toBe(
      `${MUG}: bullet points 3 -> 4. New: "Felt pad below". The three existing ones stay. Nothing else changes.`,
    );
    expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
  });

  it('a price, and what goes with it', async () => {
    const sale = [{ schedule: [{ value_with_tax: 15, start_at: '2026-12-01', end_at: '2026-12-24' }] }];
    const first = await ask('write_operation', patch(price(17.5, { discounted_price: sale })));
    expect(first.question).toContain(
      `${MUG}: price: 18.90 USD -> 17.50 USD; sale price: none -> 15.00 USD (2026-12-01 to 2026-12-24).`,
    );
    const { question } = await ask('write_operation', patch(price(17)));
    expect(question).toContain('sale price: 15.00 USD (2026-12-01 to 2026-12-24) -> removed');
  });

  it('what the service refuses with a 200 is not accepted, and journaled so', async () => {
    const { isError, text } = await ask('write_operation', patch(price(-1)));
    expect(isError).toBe(true);
    expect(text).toMatch(/NOT ACCEPTED: listings-items\/patchListingsItem .*HTTP 200, status INVALID/);
    expect(text).toContain('«The price -1 is not between 0.01 and 100000.»');
    expect(await last()).toMatchObject({
      outcome: 'not_accepted',
      status: 200,
      error: expect.stringContaining('18299'),
    });
  });

  it('errors in a 2xx are not accepted either', async () => {
    const body = { errors: [{ code: 'InvalidInput', message: 'status: not now' }] };
    outside.sandbox.faults.next({ operation: 'updateSupplySourceStatus', status: 200, body });
    const { isError, text, structured } = await ask('write_operation', {
      operation: 'updateSupplySourceStatus',
      parameters: { supplySourceId: SHOP },
      body: { status: 'Inactive' },
    });
    expect(isError).toBe(true);
    expect(text).toContain('InvalidInput: «status: not now»');
    expect(structured).toMatchObject({ outcome: 'not_accepted' });
    expect(await last()).toMatchObject({ outcome: 'not_accepted' });
  });

  it('a dry run of a listing asks the service, and tells what it said', async () => {
    const writes = () => outside.received('patchListingsItem').length;
    const before = writes();
    const bad = await session.call('write_operation', patch(price(0), { dryRun: true }));
    expect(bad.isError).toBe(false);
    expect(bad.text).toMatch(/Checked by the service \(1 of 1\): it would NOT accept it, status INVALID/);
    const good = await session.call('write_operation', patch(price(16), { dryRun: true }));
    expect(good.text).toContain('Checked by the service (1 of 1): it would accept it.');
    expect(good.structured).toMatchObject({ outcome: 'preview', validation: { would_be_accepted: true } });
    expect(writes()).toBe(before + 2);
    const modes = outside.received('patchListingsItem').slice(before);
    expect(modes.map(({ query }) => query.mode)).toEqual([['VALIDATION_PREVIEW'], ['VALIDATION_PREVIEW']]);
  });

  it('a state that cannot be read is told, and the write can still be asked', async () => {
    const error = { errors: [{ code: 'InternalFailure', message: 'not now' }] };
    outside.sandbox.faults.next({ operation: 'getListingsItem', times: 10, status: 403, body: error });
    const { question } = await ask('write_operation', patch(bullets('Only one')));
    outside.sandbox.faults.clear();
    expect(question).toMatch(
      /^Write: patchListingsItem, MUG-SAND-350, United States\.\nThe values before cannot be shown: .*«.*not now.*»/,
    );
    expect(question).toContain('Only one');
  });

  it('what no operation reads is asked about with that', async () => {
    const { question } = await ask('write_operation', {
      operation: 'messaging/createUnexpectedProblem',
      parameters: { amazonOrderId: '111-1', marketplaceIds: ['US'] },
      body: { text: 'Late' },
    });
    expect(question).toContain('The values before cannot be shown: no operation reads what this one writes');
  });

  it('an unknown member of a body is a warning', async () => {
    const { text } = await session.call('write_operation', {
      operation: 'createSupplySource',
      body: {
        supplySourceCode: 'x-1',
        alias: 'X',
        adress: {},
        address: { name: 'X', addressLine1: 'a', countryCode: 'US', stateOrRegion: 'WA' },
      },
      dryRun: true,
    });
    expect(text).toContain('adress: «is not a member that the definition names; did you mean "address"?»');
  });

  it('a deletion tells what goes', async () => {
    const { question, structured } = await ask('write_operation', {
      operation: 'deleteListingsItem',
      parameters: { sku: 'MUG-SAND-350', marketplaceIds: ['US'] },
    });
    expect(question).toMatch(
      /^Delete: MUG-SAND-350 ".*", United States: the whole listing is deleted, with its \d attributes: /,
    );
    expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
  });
});

describe.each([...MAIN_KINDS, 'code'])('a service that shows accepted changes later, %s', (how) => {
  let outside: Outside;
  let session: Session;
  let ask: Ask;
  beforeAll(async () => {
    outside = await startOutside({ readsUntilVisible: 1 });
    ({ session, ask } = await open(how, outside));
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });

  it('is told as accepted and not visible yet, never as differing, and how to look again', async () => {
    const { isError, text, structured } = await ask('write_operation', patch(bullets(...BULLETS, 'New')));
    expect(isError).toBe(false);
    expect(text).toContain('Accepted, not visible yet: MUG-SAND-350');
    expect(text).toContain(
      'look again later with read_operation listings-items/getListingsItem (includedData and select: attributes); do not send it again',
    );
    expect(structured).toMatchObject({
      outcome: 'accepted_not_visible',
      read_back: { differences: [], not_visible_yet: [{ path: 'attributes.bullet_point' }] },
    });
    expect((await outside.journal()).at(-1)).toMatchObject({ outcome: 'accepted_not_visible' });
    const read = await session.call('read_operation', {
      operation: 'getListingsItem',
      parameters: { sku: 'MUG-SAND-350', marketplaceIds: ['US'], includedData: ['attributes'] },
      select: ['attributes.bullet_point'],
    });
    expect(read.text).toContain('New');
  });
});
