import { afterAll, beforeAll, expect, it } from 'vitest';
import { listKnownOperations } from '../../tools/list-known-operations.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ status: 500 }));
});
afterAll(async () => {
  expect(runner.service.requests).toEqual([]);
  await runner.close();
});

const tokens = (value: string) => Buffer.byteLength(value) / 3;

it('without a filter: every group of the document and the further ones, within 2,000 tokens in both forms', async () => {
  const { text, structured } = await runner.run(listKnownOperations, {});
  expect(structured).toMatchObject({ kind: 'groups', groups: { 'supply-sources': expect.any(String) } });
  expect(Object.keys(Object(structured.groups))).toHaveLength(27 + 21);
  expect(tokens(text)).toBeLessThan(2_000);
  expect(tokens(JSON.stringify(structured))).toBeLessThan(2_000);
});

it('with a filter: id, method, path and state of each, page by page', async () => {
  const page = { group: 'supply sources', limit: 4 };
  const first = await runner.run(listKnownOperations, page);
  expect(first.structured).toMatchObject({ kind: 'operations', total: 6, nextOffset: 4 });
  const second = await runner.run(listKnownOperations, { ...page, offset: 4 });
  const all = [first, second].flatMap(({ structured }) => structured.operations);
  expect(all).toHaveLength(6);
  expect(all).toContainEqual(
    expect.objectContaining({
      id: 'supply-sources/updateSupplySource',
      method: 'PUT',
      path: '/supplySources/2020-07-01/supplySources/{supplySourceId}',
      callable: true,
      documented: true,
    }),
  );
});

it('says what is gone, deprecated or known by name only', async () => {
  const { structured } = await runner.run(listKnownOperations, { group: 'catalog-v0' });
  expect(structured.operations).toContainEqual(
    expect.objectContaining({
      id: 'catalog-v0/getCatalogItem',
      ending: expect.objectContaining({ removed: '2022-09-30' }),
    }),
  );
  const { text } = await runner.run(listKnownOperations, { callable: false });
  expect(text).toContain('authorization/Authorization');
});

it.each(['stock', 'inventory ledger', 'sales report', 'shipment', 'order', 'vendor'])(
  'a search for %s: at most 2,000 tokens in both forms',
  async (search) => {
    const { text, structured } = await runner.run(listKnownOperations, { search });
    expect(tokens(text)).toBeLessThanOrEqual(2_000);
    expect(tokens(JSON.stringify(structured))).toBeLessThanOrEqual(2_000);
    expect(structured).toMatchObject({ kind: 'operations', operations: expect.any(Array) });
  },
);

it('an unknown group is an error that names the nearest', async () => {
  await expect(runner.run(listKnownOperations, { group: 'supply sorces' })).rejects.toMatchObject({
    name: 'InputError',
    hint: expect.stringContaining('supply-sources'),
  });
});
