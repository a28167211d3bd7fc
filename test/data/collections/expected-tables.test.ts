/**
 * Tests that the tables announced before collecting are those that come, for every operation, with random
 * answers of its shape.
 */

import fc from 'fast-check';
import { expect, it, test, vi } from 'vitest';
import { toObject } from '../../../src/base/json.ts';
import type { CallInput, Client } from '../../../src/call/client-types.ts';
import type { CollectionSources } from '../../../src/data/collections/collection-plan.ts';
import { itemsIn } from '../../../src/data/collections/each-results.ts';
import { type ExpectedTable, expectedTables } from '../../../src/data/collections/expected-tables.ts';
import { memberAt, readPage, withMember } from '../../../src/data/collections/parse-page.ts';
import { planCollection } from '../../../src/data/collections/plan-collection.ts';
import { kindOfAmount } from '../../../src/data/tables/amounts.ts';
import { toName, toPathName } from '../../../src/data/tables/sql-names.ts';
import type { CollectionInfo, TableInfo } from '../../../src/data/tables/table-types.ts';
import { answerShapeOf } from '../../../src/service/facts/answer-shapes.ts';
import { batchForm, singleOf } from '../../../src/service/facts/batches.ts';
import type { AnswerShape, JsonSchema, Operation, Paging } from '../../../src/service/facts/operation.ts';
import { nameOfRef, resolveSchema } from '../../../src/service/facts/schema-parts.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import { openTestTables } from '../../helpers/tables-worker.ts';
import { operation as anyOperation } from '../../helpers/test-client.ts';

/** Against a hang: two hundred operations, each collected once or twice. */
vi.setConfig({ testTimeout: 180_000 });

const { operations, find } = await loadRegistry();
const KEY = 'K-1';
const MOMENT = '2026-02-03T04:05:06Z';

const collectable: { operation: Operation; shape: AnswerShape }[] = [];
for (const operation of operations) {
  if (operation.effect !== 'read' || operation.id === 'catalog-v0/getCatalogItem') continue;
  const shape = await answerShapeOf(find(singleOf(operation.id)));
  if (shape !== undefined && operation.name !== 'createRestrictedDataToken')
    collectable.push({ operation, shape });
}

/** Any answer of this shape: members missing, null and empty, lists of any length. */
function anyAnswer({ schema, defs }: AnswerShape): fc.Arbitrary<unknown> {
  const build = (
    part: JsonSchema,
    path: readonly string[],
    above: readonly string[],
  ): fc.Arbitrary<unknown> => {
    const ref = part.$ref === undefined ? undefined : nameOfRef(part.$ref);
    // No deeper than the tables of lists in lists that are told.
    if (ref !== undefined && above.filter((one) => one === ref).length > 1) return fc.constant(undefined);
    const inside = ref === undefined ? above : [...above, ref];
    const { type, format, properties, items, additionalProperties } = resolveSchema(part, defs);
    if (properties !== undefined) {
      const members = Object.entries(properties).map(([member, below]) => [
        member,
        build(below, [...path, member], inside),
      ]);
      return fc.record(Object.fromEntries(members), { requiredKeys: [] });
    }
    if (items !== undefined) {
      const elements = fc.array(build(items, [], inside), { maxLength: 3 });
      return elements.map((all) => all.filter((one) => one !== undefined && one !== null));
    }
    if (typeof additionalProperties === 'object')
      return fc.dictionary(fc.constantFrom('a', 'bC'), fc.constant('x'));
    if (type === 'array') return fc.constant(['x']);
    if (type === 'object') return fc.constant({});
    return fc.option(plain(type, format, path), { freq: 8 });
  };
  return build(schema, [], []).map((answer) => JSON.parse(JSON.stringify(answer ?? {})));
}

function plain(
  type: JsonSchema['type'],
  format: string | undefined,
  path: readonly string[],
): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean();
  if (type !== 'string' && type !== undefined) return fc.integer();
  if (format !== undefined) return fc.constant(MOMENT);
  return fc.constantFrom(...(kindOfAmount(toPathName(path)) === undefined ? ['x', ''] : ['12.50', '3']));
}

/** Returns the service's answer to a call for one row, whether it is asked for one or for many. */
function answerTo(operation: Operation, answer: unknown): unknown {
  const form = batchForm(operation.id);
  if (form === undefined) return answer;
  const { by, key } = form;
  const item =
    form.operation === operation.id
      ? memberAt([memberAt(answer, 'responses')].flat()[0], 'body')
      : itemsIn(answer, undefined).items[0];
  if (by.kind === 'identifiers') return { items: [withMember(toObject(item), key, KEY)] };
  if (by.kind === 'estimates') {
    const { errors: _, ...told } = toObject(item);
    const estimate = withMember(withMember(told, 'FeesEstimateIdentifier.IdValue', KEY), 'Status', 'Success');
    return [estimate];
  }
  const { errors: _, ...told } = toObject(item);
  const response = withMember({ status: { statusCode: 200 } }, by.value.join('.'), told);
  return { responses: [withMember(response, by.answered.key, KEY)] };
}

function onlyPage(paging: Paging, answer: unknown): unknown {
  const { count } = readPage(answer, paging);
  return withMember(answer, paging.output, paging.by === 'offset' ? count : undefined);
}

const tables = await openTestTables();

async function collect(operation: Operation, answer: unknown): Promise<CollectionInfo> {
  const owner = { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };
  const notUsed = () => {
    throw new Error('not used');
  };
  const single = find(singleOf(operation.id));
  const body = operation.paging === undefined ? answerTo(single, answer) : onlyPage(operation.paging, answer);
  const client: Client = {
    call: async () => ({ status: 200, headers: {}, body, bytes: 1, filledIn: {}, owner }),
    prepare: async ({ operation: { method }, parameters, body: sent }: CallInput) => ({
      url: 'https://service.example/x',
      headers: {},
      parameters,
      body: sent,
      filledIn: {},
      marketplaces: [],
      owner,
      method,
    }),
    exchangeToken: notUsed,
    rememberRestrictedToken: notUsed,
    close: async () => undefined,
  };
  const column = batchForm(single.id)?.key ?? single.parameters[0]?.name;
  const sources: CollectionSources = {
    client,
    downloads: notUsed,
    find,
    account: 'default',
    clock: fakeClock(),
    rowsOf: async () => ({
      columns: column === undefined ? [] : [column],
      rows: [[KEY]],
      total: 1,
      tables: [],
      notes: [],
    }),
  };
  const each = operation.paging === undefined ? { each: 'SELECT' } : {};
  // The call names a price, so that no listing is read for one.
  const price = { ListingPrice: { CurrencyCode: 'EUR', Amount: 1 } };
  const fees = { FeesEstimateRequest: { MarketplaceId: 'M', Identifier: 'I', PriceToEstimateFees: price } };
  const asked = batchForm(single.id)?.by.kind === 'estimates' ? { body: fees } : {};
  const plan = await planCollection({ operation: operation.id, ...asked, ...each }, sources);
  const { signal } = new AbortController();
  const openLoader = () => tables.openLoader(plan.source);
  return plan.work({ openLoader, signal, tell: () => {}, idle: (wait) => wait() });
}

interface Announced {
  expected: readonly ExpectedTable[];
  /** Columns of the SELECT. */
  row: readonly string[];
  /** Is true for pages with one list; that list becomes a table even where it was always empty. */
  isOneList: boolean;
}

/** Returns the tables and columns that came but were not announced. */
function findUnannounced(
  { name, columns, rows }: TableInfo,
  { expected, row, isOneList }: Announced,
): string[] {
  // The numbers of tables with one name depend on which of them come at all.
  const baseOf = (numbered: string) => numbered.replace(/_\d+$/, '');
  const tables = expected.filter((one) => baseOf(one.name) === baseOf(name));
  // Which of several lists nothing came of is not known.
  if (rows === 0 && !isOneList) return [];
  if (tables.length === 0) return [`table ${name}`];
  const announced = tables.flatMap((table) => [...table.joining, ...table.columns]);
  return columns.flatMap((column) => {
    const of = (wanted: string) => announced.find((one) => one.name === wanted);
    // The SELECT also gives columns that an answer of several members has.
    if (row.includes(column.name)) return [];
    const found = of(column.name) ?? of(baseOf(column.name));
    if (found !== undefined) {
      const isFilled = column.example !== undefined && column.example !== '[]';
      return isFilled && found.name === column.name && found.type !== column.type && found.type !== 'text'
        ? [`${name}.${column.name} is ${column.type}, not ${found.type}`]
        : [];
    }
    // A list or object that was empty wherever it came; members whose names are data.
    const isEmptyList = !isOneList && expected.some((one) => one.name === `${name}_${column.name}`);
    const isEmptyObject = column.type === 'json' && (column.example === '{}' || column.name === 'value');
    const isOpen =
      announced.length === 0 ||
      announced.some((one) => one.type === 'json' && column.name.startsWith(`${one.name}_`));
    return isEmptyList || isEmptyObject || isOpen ? [] : [`${name}.${column.name}`];
  });
}

const announcedFor = (schema: JsonSchema, defs: Record<string, JsonSchema> = {}) =>
  expectedTables(anyOperation({}), { schema, defs }).tables.map(({ name, columns }) => [
    name,
    columns.map((column) => column.name),
  ]);

test('a shape within itself is followed eight times as columns, three times as tables', () => {
  const value: JsonSchema = { type: 'string' };
  const defs: Record<string, JsonSchema> = {
    Node: { type: 'object', properties: { value, next: { $ref: '#/$defs/Node' } } },
    List: {
      type: 'object',
      properties: { value, below: { type: 'array', items: { $ref: '#/$defs/List' } } },
    },
  };
  const next = (times: number) => 'next_'.repeat(times);
  expect(announcedFor({ $ref: '#/$defs/Node' }, defs)).toEqual([
    ['thing', [...[0, 1, 2, 3, 4, 5, 6].map((times) => `${next(times)}value`), next(7).slice(0, -1)]],
  ]);
  expect(announcedFor({ $ref: '#/$defs/List' }, defs)).toEqual([
    ['thing', ['value']],
    ['thing_below', ['value']],
    ['thing_below_below', ['value', 'below']],
  ]);
});

test('what is asked for most stands first, then what is not deep, and last what is masked', () => {
  const text: JsonSchema = { type: 'string' };
  const price: JsonSchema = { type: 'number' };
  const details: JsonSchema = { type: 'object', properties: { note: text, price } };
  const properties = { buyerEmail: text, details, buyerName: text, zone: text, area: text, sku: text };
  expect(announcedFor({ type: 'object', properties })).toEqual([
    ['thing', ['sku', 'details_price', 'zone', 'area', 'details_note', 'buyer_email', 'buyer_name']],
  ]);
});

test('every operation that reads has a shape, but for those that are withdrawn or secret', () => {
  const without = operations
    .filter(({ effect }) => effect === 'read')
    .filter((operation) => !collectable.some((one) => one.operation === operation))
    .map(({ id }) => id);
  expect(without).toEqual(['catalog-v0/getCatalogItem', 'tokens/createRestrictedDataToken']);
});

it('what comes is what was told: tables by their names, columns by names and types', async () => {
  for (const { operation, shape } of collectable) {
    const { by, tables: expected } = expectedTables(operation, shape);
    expect(by, operation.id).toBe(operation.paging === undefined ? 'each' : 'pages');
    const single = find(singleOf(operation.id));
    const names = [...single.parameters.map(({ name }) => name), batchForm(single.id)?.key ?? ''];
    const row = by === 'each' ? ['error', ...names.map(toName)] : [];
    const isOneList = operation.paging !== undefined && !operation.paging.list.endsWith('.*');
    await fc.assert(
      fc.asyncProperty(anyAnswer(shape), async (answer) => {
        const info = await collect(operation, answer);
        await tables.remove(info.id);
        expect(
          info.tables.flatMap((table) => findUnannounced(table, { expected, row, isOneList })),
          operation.id,
        ).toEqual([]);
      }),
      // Each table of a collection is a table of a file: of one with more than a hundred, once is enough.
      { numRuns: RUNS_ALL && expected.length <= 100 ? 2 : 1, endOnFailure: true },
    );
  }
});
