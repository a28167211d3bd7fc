/** A mark in a write: the person is asked with the value in clear, the service gets the value, and nobody else sees it. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HttpService } from '../helpers/http-service.ts';
import { createLeakSearch } from '../helpers/leak-search.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { PEOPLE, SHOP_ORDER, startPeopleService, TOWN } from '../helpers/planted-people.ts';
import { type CLIENT_KINDS, connect, type Elicit, MAIN_KINDS, type Session } from '../helpers/sessions.ts';
import { batchItemsIn } from '../helpers/state-rows.ts';

const search = createLeakSearch(new Map(Object.entries(PEOPLE)));
const leaks = (text: string) => search.inText(text, '').map(({ secret, form }) => `${secret} as ${form}`);

let outside: Outside;
let service: HttpService;
let session: Session;
beforeEach(async () => {
  outside = await startOutside();
  service = await startPeopleService();
});
afterEach(async () => {
  await session.close();
  await service.close();
  await outside.close();
});

async function open(more: { elicit?: Elicit; args?: string[]; kind?: (typeof CLIENT_KINDS)[number] } = {}) {
  session = await connect({
    ...more,
    args: [...outside.args, ...(more.args ?? [])],
    env: { ...outside.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url },
  });
}

/** The marks of a parcel's address, by kind. */
async function readMarks(): Promise<Map<string, string>> {
  const { text } = await session.call('read_operation', {
    operation: 'outbound-fulfilment/getFulfillmentOrder',
    parameters: { sellerFulfillmentOrderId: SHOP_ORDER },
    select: ['payload.fulfillmentOrder.destinationAddress'],
  });
  return new Map(
    [...text.matchAll(/«([a-z-]+(?: [a-z]+)?)(?: \w+\.\.)? \w{8}»/g)].map(([mark, kind = '']) => [
      kind,
      mark,
    ]),
  );
}

const change = (destinationAddress: Record<string, string>) => ({
  operation: 'outbound-fulfilment/updateFulfillmentOrder',
  parameters: { sellerFulfillmentOrderId: SHOP_ORDER },
  body: { destinationAddress, displayableOrderComment: `To the neighbor of ${destinationAddress.name}` },
});
const address = (marks: ReadonlyMap<string, string>) => ({
  name: marks.get('buyer name') ?? '',
  addressLine1: `c/o ${marks.get('buyer name')}, ${marks.get('address')}`,
  postalCode: marks.get('postcode') ?? '',
  city: TOWN,
  countryCode: 'IS',
  phone: marks.get('phone') ?? '',
});
const sent = () => service.requests.filter(({ method }) => method === 'PUT');
const clear = {
  displayableOrderComment: `To the neighbor of ${PEOPLE.shopName}`,
  destinationAddress: {
    name: PEOPLE.shopName,
    addressLine1: `c/o ${PEOPLE.shopName}, ${PEOPLE.shopStreet}`,
    postalCode: PEOPLE.postcode,
    city: TOWN,
    countryCode: 'IS',
    phone: PEOPLE.shopPhone,
  },
};
const journal = async () => JSON.stringify(await outside.journal());

it.each(MAIN_KINDS)('%s: asked in clear, sent in clear, told and kept as marks', async (kind) => {
  const asked: string[] = [];
  const elicit: Elicit = async ({ message }) => {
    asked.push(message);
    return { action: 'accept' };
  };
  await open({ elicit, kind });
  const marks = await readMarks();
  expect([...marks.keys()].sort()).toEqual(['address', 'buyer name', 'phone', 'postcode']);
  const { text, structured, isError } = await session.call('write_operation', change(address(marks)));
  expect(isError).toBe(false);
  expect(asked).toHaveLength(1);
  for (const value of [PEOPLE.shopName, PEOPLE.shopStreet, PEOPLE.shopPhone])
    expect(asked[0]).toContain(value);
  expect(sent().map(({ json }) => json)).toEqual([expect.objectContaining(clear)]);
  expect(leaks(text + JSON.stringify(structured))).toEqual([]);
  expect(leaks(await journal())).toEqual([]);
  expect(await journal()).toMatch(/«[a-z-]+(?: [a-z]+)? \w{8}»/);
});

it.each(MAIN_KINDS)('%s: a list of them too, and nothing of it lies on the disk', async (kind) => {
  const asked: string[] = [];
  const elicit: Elicit = async ({ message }) => {
    asked.push(message);
    return { action: 'accept' };
  };
  await open({ elicit, kind });
  const marks = await readMarks();
  const { operation, ...first } = change(address(marks));
  const second = { ...first, body: { ...first.body, displayableOrderComment: 'At the back door' } };
  const calls = [first, second];
  const { text, structured } = await session.call('write_operation', { operation, calls });
  expect(asked).toHaveLength(1);
  for (const value of [PEOPLE.shopName, PEOPLE.shopStreet, PEOPLE.shopPhone])
    expect(asked[0]).toContain(value);
  expect(structured).toMatchObject({ items: 2, batch_id: expect.any(String) });
  expect(sent().map(({ json }) => json)).toContainEqual(expect.objectContaining(clear));
  expect(leaks(text + JSON.stringify(structured))).toEqual([]);
  expect(leaks(await journal())).toEqual([]);
  const folder = join(outside.folder, 'state');
  expect(batchItemsIn(folder).length).toBeGreaterThan(0);
  const names = (await readdir(folder)).filter((name) => name.startsWith('store.db'));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  expect(leaks(files.join('\n'))).toEqual([]);
});

it('a list of marks is refused where nobody can be asked', async () => {
  await open({ args: ['--writes=code'] });
  const { operation, ...call } = change(address(await readMarks()));
  const { text, isError } = await session.call('write_operation', { operation, calls: [call] });
  expect(isError).toBe(true);
  expect(text).toContain('Marks of personal data stand in this write');
  expect(leaks(text)).toEqual([]);
  expect(sent()).toEqual([]);
});

it('a dry run shows the marks; with --writes=allow the person is asked all the same', async () => {
  const asked: string[] = [];
  const elicit: Elicit = async ({ message }) => {
    asked.push(message);
    return { action: 'accept' };
  };
  await open({ args: ['--writes=allow'], elicit });
  const marks = await readMarks();
  const dry = await session.call('write_operation', { ...change(address(marks)), dryRun: true });
  expect(leaks(dry.text + JSON.stringify(dry.structured))).toEqual([]);
  // An unchanged member appears in the request, not among the changes.
  expect(dry.text).toContain(marks.get('address'));
  expect(JSON.stringify(dry.structured)).toContain(marks.get('phone'));
  expect([asked, sent()]).toEqual([[], []]);
  await session.call('write_operation', change(address(marks)));
  expect(asked.join()).toContain(PEOPLE.shopName);
  expect(sent().map(({ json }) => json)).toEqual([expect.objectContaining(clear)]);
});

it.each([[], ['--writes=allow']])(
  '%s: where nobody can be asked it is refused, and a code does not help',
  async (...args) => {
    await open({ args });
    const { text, isError } = await session.call('write_operation', change(address(await readMarks())));
    expect(isError).toBe(true);
    expect(text).not.toMatch(/[0-9a-z]{4}(-[0-9a-z]{4}){5}/i);
    expect(leaks(text)).toEqual([]);
    expect(sent()).toEqual([]);
  },
);

it.each([
  ['made up', () => '«buyer name 00000000»'],
  ['of another kind', (mark: string) => mark.replace('buyer name', 'tax number')],
  ['changed in one letter', (mark: string) => mark.replace(/.»$/, (end) => (end === '0»' ? '1»' : '0»'))],
  ['escaped', () => '\\u00abbuyer name 00000000\\u00bb'],
])('a mark that is %s is refused, and nothing is sent', async (_how, forge) => {
  const elicit: Elicit = async () => ({ action: 'accept' });
  await open({ elicit });
  const name = forge((await readMarks()).get('buyer name') ?? '');
  const { isError } = await session.call('write_operation', change({ ...address(new Map()), name }));
  const reads = await session.call('read_operation', {
    operation: 'orders/getOrder',
    parameters: { orderId: `302-${name}` },
  });
  expect([isError, reads.isError]).toEqual([true, true]);
  expect(sent()).toEqual([]);
});

it('a mark of an earlier session stands for nothing', async () => {
  const elicit: Elicit = async () => ({ action: 'accept' });
  await open({ elicit });
  const marks = await readMarks();
  await session.close();
  await open({ elicit });
  await readMarks();
  expect((await session.call('write_operation', change(address(marks)))).isError).toBe(true);
  expect(sent()).toEqual([]);
});
