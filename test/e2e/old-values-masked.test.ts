/** A write without marks over a state that holds buyers' data: the person is asked with the old values, and nobody else sees them. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type HttpService, startHttpService } from '../helpers/http-service.ts';
import { createLeakSearch } from '../helpers/leak-search.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { OWN, PEOPLE, SHOP_ORDER, startPeopleService, TOWN } from '../helpers/planted-people.ts';
import { type CLIENT_KINDS, connect, MAIN_KINDS, type Session } from '../helpers/sessions.ts';

const search = createLeakSearch(new Map(Object.entries(PEOPLE)));
const leaks = (text: string) => search.inText(text, '').map(({ secret, form }) => `${secret} as ${form}`);

let outside: Outside;
let service: HttpService;
let session: Session;
let asked: string[];
beforeEach(async () => {
  outside = await startOutside();
  service = await startPeopleService();
  asked = [];
});
afterEach(async () => {
  await session.close();
  await service.close();
  await outside.close();
});

async function open(args: string[] = [], kind?: (typeof CLIENT_KINDS)[number]) {
  session = await connect({
    ...(kind === undefined ? {} : { kind }),
    args: [...outside.args, ...args],
    env: { ...outside.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url },
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'accept' };
    },
  });
}

/** Everything new but the town. */
const moved = {
  name: 'Somebody Else',
  addressLine1: 'Other Street 5',
  postalCode: '101',
  city: TOWN,
  countryCode: 'IS',
  phone: '+354 555 1111',
};
const write = (more: object = {}) => ({
  operation: 'outbound-fulfilment/updateFulfillmentOrder',
  parameters: { sellerFulfillmentOrderId: SHOP_ORDER },
  body: { destinationAddress: moved, displayableOrderComment: 'Welcome' },
  ...more,
});
const sent = () => service.requests.filter(({ method }) => method === 'PUT');
const journal = async () => JSON.stringify(await outside.journal());
const OLD = [PEOPLE.shopName, PEOPLE.shopStreet, PEOPLE.shopPhone, PEOPLE.postcode];
const MARKS = [/«buyer name \w{8}»/, /«address \w{8}»/, /«phone \w{8}»/, /«postcode (?:\w+\.\. )?\w{8}»/];

describe.each(MAIN_KINDS)('%s', (kind) => {
  it('asked with the old values in clear, told and kept with marks, before and after', async () => {
    await open([], kind);
    const { text, structured } = await session.call('write_operation', write());
    expect(asked).toHaveLength(1);
    for (const old of OLD) expect(asked[0]).toContain(old);
    expect(sent()).toHaveLength(1);
    // It still shows what was there.
    expect(structured).toMatchObject({ outcome: 'accepted_not_visible' });
    for (const mark of MARKS) {
      expect(text).toMatch(mark);
      expect(JSON.stringify(structured)).toMatch(mark);
    }
    expect(leaks(text + JSON.stringify(structured))).toEqual([]);
    expect(leaks(await journal())).toEqual([]);
  });
});

it('a code is given with marks for the old values, and works', async () => {
  await open(['--writes=code']);
  const first = await session.call('write_operation', write());
  expect(leaks(first.text + JSON.stringify(first.structured))).toEqual([]);
  for (const mark of MARKS) expect(first.text).toMatch(mark);
  const { confirmation_code: confirmationCode } = first.structured;
  const { structured } = await session.call('write_operation', write({ confirmationCode }));
  expect(structured).toMatchObject({ outcome: 'accepted_not_visible' });
  expect(sent().map(({ json }) => json)).toEqual([expect.objectContaining({ destinationAddress: moved })]);
});

it('the same value has the same mark as in an answer, and can be written back by it', async () => {
  await open();
  const { text } = await session.call('write_operation', write({ dryRun: true }));
  const [name] = text.match(/«buyer name \w{8}»/) ?? [];
  const read = await session.call('read_operation', {
    operation: 'outbound-fulfilment/getFulfillmentOrder',
    parameters: { sellerFulfillmentOrderId: SHOP_ORDER },
    select: ['payload.fulfillmentOrder.destinationAddress.name'],
  });
  expect(read.text).toContain(name);
  await session.call('write_operation', write({ body: { destinationAddress: { ...moved, name } } }));
  expect(sent().at(-1)?.json).toMatchObject({ destinationAddress: { name: PEOPLE.shopName } });
});

it('the whole of a long preview is kept with marks', async () => {
  await open();
  const items = Array.from({ length: 200 }, (_, at) => ({
    sellerFulfillmentOrderItemId: `item-${at}`,
    quantity: at + 1,
    giftMessage: `A long text of number ${at}, so that not all of them have room in what a person reads`,
  }));
  const { text } = await session.call('write_operation', {
    ...write({ body: { destinationAddress: moved, displayableOrderComment: 'Welcome', items } }),
    dryRun: true,
  });
  const [uri = ''] = text.match(/seller:\/\/\S+/) ?? [];
  expect(uri).not.toBe('');
  const whole = JSON.stringify(await session.client.readResource({ uri }));
  expect(whole).toContain('item-199');
  for (const mark of MARKS) expect(whole).toMatch(mark);
  expect(leaks(whole + text)).toEqual([]);
});

it('a refusal that names a buyer is told and kept with marks', async () => {
  await service.close();
  // One word, which a text of the program could say too: it is known only from what was read for this write.
  const house = 'Ansgarhof';
  const buyer = {
    name: PEOPLE.shopName,
    addressLine1: PEOPLE.shopStreet,
    addressLine2: house,
    phone: PEOPLE.shopPhone,
  };
  service = await startHttpService(({ method, path }): Answer => {
    if (path === '/auth/o2/token') {
      return {
        body: { access_token: 'Atza|1', refresh_token: 'Atzr|1', token_type: 'bearer', expires_in: 3600 },
      };
    }
    if (method === 'GET')
      return { body: { payload: { fulfillmentOrder: { destinationAddress: buyer, returnItems: [] } } } };
    const message = `${PEOPLE.shopName} cannot be reached under ${PEOPLE.shopPhone} in ${PEOPLE.shopStreet}, ${house}`;
    const details = `write to ${PEOPLE.shopEmail}`;
    return { body: { errors: [{ code: 'InvalidInput', message, details }] } };
  });
  await open();
  const { isError, text, structured } = await session.call('write_operation', write());
  expect(isError).toBe(true);
  expect(structured).toMatchObject({ outcome: 'not_accepted' });
  for (const shown of [text, JSON.stringify(structured), await journal()]) {
    expect(shown).toMatch(/«buyer name \w{8}» cannot be reached/);
    expect(shown).not.toContain(house);
    expect(leaks(shown)).toEqual([]);
  }
});

it('with --personal-data=show they stand in the answer', async () => {
  await open(['--personal-data=show']);
  const { text } = await session.call('write_operation', write({ dryRun: true }));
  for (const old of OLD) expect(text).toContain(old);
});

it("a store's own contact stays as it is, in the question and in the answer", async () => {
  await open();
  const primary = { email: 'new.desk@own-company.example', phone: '+1 206 555 0100' };
  const { text, structured } = await session.call('update_supply_source', {
    supplySourceId: 'X-1',
    changes: { configuration: { operationalConfiguration: { contactDetails: { primary } } } },
  });
  for (const shown of [asked[0] ?? '', text, JSON.stringify(structured)]) {
    expect(shown).toContain(OWN.contact);
    expect(shown).toContain(primary.email);
    expect(shown).not.toContain('«e-mail');
  }
});
