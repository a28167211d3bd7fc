/** One change of several stores, over the spawned program: one question for all of them, an outcome each. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Agreeing, openAgreeing, WAYS } from '../helpers/many.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';

const WAREHOUSE = 'c81d4e2e-0b6f-4f57-8a3d-91e7d5b20c44';
const handling = (value: number) => ({
  configuration: { operationalConfiguration: { handlingTime: { value, timeUnit: 'Days' } } },
});
const SHOPS = ['Pike Street', 'Market Hall', 'Hamburg'];
const saturday = (...openings: object[]) => ({
  configuration: { operationalConfiguration: { operatingHoursByDay: { saturday: openings } } },
});
const store = {
  operation: 'createSupplySource',
  body: {
    supplySourceCode: 'hh01',
    alias: 'Hamburg store',
    address: { name: 'Shop', addressLine1: '1 Road', countryCode: 'DE', stateOrRegion: 'HH' },
  },
};

describe.each(WAYS)('%s', (way) => {
  let outside: Outside;
  let agreeing: Agreeing;
  beforeAll(async () => {
    outside = await startOutside();
    agreeing = await openAgreeing(way, outside);
    await agreeing.agree('write_operation', store);
    agreeing.questions.length = 0;
  });
  afterEach(() => {
    agreeing.meanwhile.work = undefined;
    agreeing.questions.length = 0;
    outside.sandbox.faults.clear();
  });
  afterAll(async () => {
    await agreeing.session.close();
    await outside.close();
  });
  const sent = () => outside.received('updateSupplySource').length;

  it('all four: one question that names each with its old and its new value, each sent once, one entry each', async () => {
    const before = sent();
    const { agree, questions } = agreeing;
    const { structured, text, isError } = await agree('update_supply_source', {
      supplySourceIds: ['all'],
      changes: handling(2),
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]?.split('\n').slice(0, 6)).toEqual([
      '4 stores, now -> then:',
      '  Pike Street shop (shop-pike-01): handling time: 4 hours -> 2 days',
      '  North warehouse (wh-north-01): handling time: 24 hours -> 2 days',
      expect.stringMatching(/^ {2}Market Hall shop \(shop-market-02\): .*handlingTime": 2 days/),
      expect.stringMatching(/^ {2}Hamburg store \(hh01\): .*handlingTime": 2 days/),
      'Nothing else changes.',
    ]);
    expect(questions[0]).toMatch(
      /\nSeller: A2SANDBOXSELLR, account default\nSent to: 127\.0\.0\.1:\d+ on this computer, /,
    );
    expect(isError).toBe(false);
    expect(structured).toMatchObject({ outcome: 'done', items: 4, counts: { accepted: 4 } });
    expect(text).toContain('Done: 4 stores, account default: 4 accepted.');
    expect(text).toContain('Hamburg store (hh01)');
    expect(sent() - before).toBe(4);
    const entries = (await outside.journal()).slice(-4);
    expect(entries.map(({ outcome, operation, batch }) => ({ outcome, operation, batch }))).toEqual(
      Array.from({ length: 4 }, () => ({
        outcome: 'done',
        operation: 'supply-sources/updateSupplySource',
        batch: structured.batch_id,
      })),
    );
  });

  it('again: nothing is asked or sent, since all are like this', async () => {
    const before = sent();
    const { structured, text } = await agreeing.agree('update_supply_source', {
      supplySourceId: 'all',
      changes: handling(2),
    });
    expect(structured).toMatchObject({ outcome: 'no_change' });
    expect(text).toMatch(
      /Already like this, and not sent: Pike Street shop \(shop-pike-01\), North warehouse/,
    );
    expect([agreeing.questions, sent()]).toEqual([[], before]);
  });

  it('some by alias, code and ID; what one refuses is told with its reason, and the others are done', async () => {
    const errors = [{ code: 'InvalidInput', message: 'handlingTime: not for this store' }];
    outside.sandbox.faults.next({ operation: 'updateSupplySource', status: 400, body: errors });
    const { structured, text, isError } = await agreeing.agree('update_supply_source', {
      supplySourceIds: ['hamburg STORE', 'wh-north-01', SHOP],
      changes: handling(3),
    });
    expect(agreeing.questions[0]).toMatch(
      /^3 stores, now -> then:\n {2}Hamburg store \(hh01\): handling time: 2 days -> 3 days\n/,
    );
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      outcome: 'partly_accepted',
      counts: { accepted: 2, not_accepted: 1 },
      results: [{ outcome: 'not_accepted', why: expect.stringContaining('not for this store') }],
    });
    expect(text).toMatch(/^ACCEPTED IN PART: 3 stores, account default: 2 accepted, 1 not accepted\.$/m);
    expect(text).toMatch(/^ {2}\S.*: not accepted: .*InvalidInput/m);
    expect(text).toContain('Send again only what was refused, corrected; never what was accepted.');
  });

  it('one that somebody changes between question and sending is told, and not sent', async () => {
    const before = sent();
    agreeing.meanwhile.work = async () => {
      agreeing.meanwhile.work = undefined;
      await changeBehind(outside, SHOP);
    };
    const { structured, text } = await agreeing.agree('update_supply_source', {
      supplySourceIds: [SHOP, WAREHOUSE],
      changes: handling(5),
    });
    expect(structured).toMatchObject({
      outcome: 'partly_accepted',
      counts: { accepted: 1, changed_since: 1 },
    });
    expect(text).toContain(
      'Changed by somebody since it was shown, not sent: Pike Street shop (shop-pike-01)',
    );
    // The one behind our back, and the warehouse.
    expect(sent() - before).toBe(2);
  });

  it('changes of their own, each by words of its alias: one question, each its own', async () => {
    const before = sent();
    const starts = ['09:00', '10:00', '11:30'];
    const supplySourceIds = SHOPS.map((supplySourceId, at) => ({
      supplySourceId,
      changes: saturday({ startTime: starts[at], endTime: '20:00' }),
    }));
    const { structured } = await agreeing.agree('update_supply_source', { supplySourceIds });
    expect(agreeing.questions).toHaveLength(1);
    for (const start of starts) expect(agreeing.questions[0]).toContain(`${start}-20:00`);
    expect(structured).toMatchObject({ outcome: 'done', items: 3, counts: { accepted: 3 } });
    expect(sent() - before).toBe(3);
  });

  it('three shops of other hours close at 14:00 on Saturdays: one call, one question, no other reading', async () => {
    const before = [sent(), outside.received('getSupplySource').length];
    const { structured } = await agreeing.agree('update_supply_source', {
      supplySourceIds: SHOPS,
      changes: saturday({ endTime: '14:00' }),
    });
    expect(agreeing.questions).toHaveLength(1);
    expect(agreeing.questions[0]?.split('\n').slice(0, 5)).toEqual([
      '3 stores, now -> then:',
      expect.stringMatching(/^ {2}Pike Street shop.*: opening hours: Saturdays 09:00-20:00 -> 09:00-14:00$/),
      expect.stringMatching(/^ {2}Market Hall shop .*Saturdays 10:00-20:00 -> 10:00-14:00$/),
      expect.stringMatching(/^ {2}Hamburg store .*Saturdays 11:30-20:00 -> 11:30-14:00$/),
      'Nothing else changes.',
    ]);
    expect(structured).toMatchObject({ outcome: 'done', items: 3, counts: { accepted: 3 } });
    expect(sent() - (before[0] ?? 0)).toBe(3);
  });

  it('a change of its own stands before the one for all', async () => {
    const { text } = await agreeing.session.call('update_supply_source', {
      supplySourceIds: ['Market Hall', { supplySourceId: 'hh01', changes: saturday() }],
      changes: saturday({ endTime: '13:00' }),
      dryRun: true,
    });
    expect(text).toMatch(/Market Hall shop .*Saturdays 10:00-14:00 -> 10:00-13:00$/m);
    expect(text).toMatch(/Hamburg store .*Saturdays 11:30-14:00 -> closed$/m);
  });

  it.each([
    ['no change for one of them', ['all four', { supplySourceId: SHOP, changes: handling(7) }], '"changes"'],
    ['a change of nothing', [{ supplySourceId: SHOP, changes: {} }], 'at least one member'],
    ['a change of a wrong kind', [{ supplySourceId: SHOP, changes: { alias: 7 } }], 'changes.alias'],
    ['an unknown member', [{ supplySourceId: SHOP, changes: handling(7), alias: 'x' }], 'supplySourceIds'],
    ['a number', [7], 'supplySourceIds'],
  ])('%s is refused before anybody is asked', async (_case, supplySourceIds, words) => {
    const { isError, text } = await agreeing.agree('update_supply_source', { supplySourceIds });
    expect({ isError, questions: agreeing.questions }).toEqual({ isError: true, questions: [] });
    expect(text).toContain(words);
  });

  it.each([
    ['an alias that nobody has', ['all four'], 'No store has the ID, alias or code'],
    ['the same store by two names', [SHOP, 'shop-pike-01'], 'are the same store; nothing was sent'],
    ['an empty list', [], 'is empty'],
  ])('%s is refused before anybody is asked', async (_case, supplySourceIds, words) => {
    const { isError, text } = await agreeing.agree('update_supply_source', {
      supplySourceIds,
      changes: handling(7),
    });
    expect({ isError, questions: agreeing.questions }).toEqual({ isError: true, questions: [] });
    expect(text).toContain(words);
  });

  it('a whole body is refused for several, and a dry run shows the same and asks nobody', async () => {
    const whole = await agreeing.agree('update_supply_source', { supplySourceIds: ['all'], alias: 'Same' });
    expect(whole).toMatchObject({
      isError: true,
      text: expect.stringContaining('Several stores take "changes" only'),
    });
    const dry = await agreeing.session.call('update_supply_source', {
      supplySourceIds: ['all'],
      changes: handling(9),
      dryRun: true,
    });
    expect(dry.structured).toMatchObject({ outcome: 'preview', items: 4, rows: expect.any(Array) });
    expect(dry.text).toContain('This is a preview; nothing was sent.');
    const own = await agreeing.session.call('update_supply_source', {
      supplySourceIds: [{ supplySourceId: 'all', changes: handling(9) }],
      dryRun: true,
    });
    expect(own.structured.rows).toEqual(dry.structured.rows);
    expect(agreeing.questions).toEqual([]);
  });
});

/** Changes a store the way another program of the seller would. */
async function changeBehind({ sandbox, env }: Outside, id: string): Promise<void> {
  const { clientId, clientSecret, refreshToken } = sandbox.credentials;
  const form = { grant_type: 'refresh_token', client_id: clientId, client_secret: clientSecret };
  const token = await fetch(`${sandbox.authUrl}/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, refresh_token: env.SELLER_REFRESH_TOKEN ?? refreshToken }),
  });
  const { access_token: accessToken } = Object(await token.json());
  const address = `${sandbox.baseUrl}/supplySources/2020-07-01/supplySources/${id}`;
  const headers = { 'x-amz-access-token': String(accessToken), 'content-type': 'application/json' };
  const { settings: _settings, ...state } = Object(await (await fetch(address, { headers })).json());
  const { alias: _alias, supplySourceId: _id, supplySourceCode: _code, address: _address, ...rest } = state;
  const { status: _status, createdAt: _created, updatedAt: _updated, ...body } = rest;
  const put = {
    method: 'PUT',
    headers,
    body: JSON.stringify({ ...body, alias: 'Pike Street shop renamed' }),
  };
  const changed = await fetch(address, put);
  if (!changed.ok) throw new Error(`The sandbox answered ${changed.status}: ${await changed.text()}`);
}
