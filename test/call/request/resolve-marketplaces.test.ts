/** Over all operations: which members are read as marketplaces, and that nothing else of a call is touched. */

import { describe, expect, it } from 'vitest';
import { marketplaceWarnings, namedMarketplaces } from '../../../src/call/request/describe-request.ts';
import { resolveMarketplaces } from '../../../src/call/request/resolve-marketplaces.ts';
import { isMarketplaceName, takesText } from '../../../src/service/facts/marketplace-members.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { own, resolveSchema } from '../../../src/service/facts/schema-parts.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { operation as anyOperation } from '../../helpers/test-client.ts';

const { operations, find } = await loadRegistry();
const EU = 'https://sellingpartnerapi-eu.amazon.com';
const GERMANY = 'A1PA6795UKMFR9';

/** A value with every member that the definition names, each text `DE`. */
function fill(schema: JsonSchema, defs: Operation['defs'] = {}, depth = 0): unknown {
  const shape = resolveSchema(schema, defs);
  if (depth > 12) return 'DE';
  if (shape.type === 'array' || shape.items !== undefined) return [fill(shape.items ?? {}, defs, depth + 1)];
  if (shape.type === 'object' || shape.properties !== undefined) {
    const members = Object.entries(shape.properties ?? {});
    const rest = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : {};
    return {
      ...Object.fromEntries(members.map(([name, member]) => [name, fill(member, defs, depth + 1)])),
      more: fill(rest, defs, depth + 1),
    };
  }
  return shape.type === 'integer' || shape.type === 'number' ? 1 : 'DE';
}

/** Dotted places whose values differ; `[]` for any element. */
function changes(before: unknown, after: unknown, path: string): string[] {
  if (typeof before !== 'object' || before === null) return before === after ? [] : [path];
  return Object.entries(before).flatMap(([name, value]) => {
    const other = Object.entries(after ?? {}).find(([key]) => key === name)?.[1];
    return changes(value, other, Array.isArray(before) ? `${path}[]` : `${path}.${name}`);
  });
}

function touched(operation: Operation): string[] {
  const parameters = Object.fromEntries(
    operation.parameters.map(({ name, schema }) => [name, fill(schema, operation.defs)]),
  );
  const body = operation.body === undefined ? undefined : fill(operation.body.schema, operation.defs);
  const resolved = resolveMarketplaces(operation, { parameters, body }, EU);
  expect(resolved.problems).toEqual([]);
  return [
    ...changes(parameters, resolved.parameters, 'parameters'),
    ...changes(body, resolved.body, 'body'),
  ].map((place) => `${operation.id} ${place}`);
}

describe('over all operations', () => {
  const touching = operations.flatMap(touched);

  it('the members that hold marketplaces are those of the reviewed list', async () => {
    await expect(`${touching.join('\n')}\n`).toMatchFileSnapshot('./marketplace-places.txt');
  });

  it('no country of an address, no locale, no channel and no region is one', () => {
    const names = new Set(touching.map((place) => /(\w+)(?:\[\])*$/.exec(place)?.[1]));
    expect([...names].sort()).toEqual([
      'MarketplaceId',
      'MarketplaceIds',
      'destinationMarketplaces',
      'granularityId',
      'marketplaceId',
      'marketplaceIds',
    ]);
  });

  it('none is missed: each member whose name speaks of marketplaces is in the list, or is known to be another', () => {
    const described = new Set<string>();
    const look = (schema: JsonSchema, defs: Operation['defs'] = {}, seen: readonly JsonSchema[] = []) => {
      const shape = resolveSchema(schema, defs);
      if (seen.includes(shape)) return;
      for (const [name, member] of Object.entries(shape.properties ?? {})) {
        if (/market/i.test(name) && !(isMarketplaceName(name) && takesText(member, defs)))
          described.add(name);
        look(member, defs, [...seen, shape]);
      }
      if (shape.items !== undefined) look(shape.items, defs, [...seen, shape]);
    };
    for (const { parameters, body, defs } of operations) {
      look({ properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])) }, defs);
      if (body !== undefined) look(body.schema, defs);
    }
    // A channel of a marketplace is FBA or the seller's own.
    expect([...described].sort()).toEqual(['marketplaceAttributes', 'marketplaceChannel']);
  });
});

describe('one call', () => {
  const report = find('reports/createReport');
  const call = (body: unknown, operation = report, parameters = {}, base = EU) =>
    resolveMarketplaces(operation, { parameters, body }, base);

  it('takes ids, codes and names, in lists and in bodies', () => {
    const { body, marketplaces } = call({
      reportType: 'X',
      marketplaceIds: ['Germany', 'fr', 'A1F83G8C2ARO7P'],
    });
    expect(body).toEqual({
      reportType: 'X',
      marketplaceIds: [GERMANY, 'A13V1IB3VIYZZH', 'A1F83G8C2ARO7P'],
    });
    expect(namedMarketplaces(marketplaces)).toEqual([`Germany (${GERMANY})`, 'France (A13V1IB3VIYZZH)']);
    expect(marketplaceWarnings(marketplaces)).toEqual([]);
  });

  it('leaves a body that names none the very same object', () => {
    const body = { reportType: 'X', marketplaceIds: [GERMANY], reportOptions: { marketplaceId: 'Germany' } };
    expect(call(body).body).toBe(body);
  });

  it('the attributes of a listing say where they count', () => {
    const patch = find('listings-items/patchListingsItem');
    const value = [{ marketplace_id: 'UK', currency: 'GBP', country_of_origin: [{ value: 'DE' }] }];
    const { body } = call({ productType: 'X', patches: [{ op: 'replace', path: '/p', value }] }, patch);
    expect(own(Object.fromEntries(Object.entries(body ?? {})), 'patches')).toEqual([
      { op: 'replace', path: '/p', value: [{ ...value[0], marketplace_id: 'A1F83G8C2ARO7P' }] },
    ]);
    const put = find('listings-items/putListingsItem');
    const attributes = { item_name: [{ value: 'DE', marketplace_id: 'DE' }], marketplace: [{ value: 'DE' }] };
    expect(call({ productType: 'X', attributes }, put).body).toMatchObject({
      attributes: { item_name: [{ value: 'DE', marketplace_id: GERMANY }], marketplace: [{ value: 'DE' }] },
    });
  });

  it('each doubtful one is told once, a word that is no country is refused by its place', () => {
    const doubtful = call({ marketplaceIds: ['12345', '12345', 'US'] });
    expect(marketplaceWarnings(doubtful.marketplaces)).toEqual([
      '"12345" is no marketplace known here and is sent as it is.',
      "United States (ATVPDKIKX0DER) belongs to the region North America (na), but this account's address is that of Europe (eu), which may refuse it.",
    ]);
    expect(call({ marketplaceIds: ['DE', 'Germny'] }).problems).toEqual([
      { path: 'body.marketplaceIds.1', message: expect.stringContaining('Did you mean Germany (DE)?') },
    ]);
    expect(call({ marketplaceIds: ['US'] }, report, {}, 'https://service.example').marketplaces).toEqual([
      { segments: ['body', 'marketplaceIds', 0], given: 'US', id: 'ATVPDKIKX0DER' },
    ]);
  });

  it('many doubtful ones are counted', () => {
    const { marketplaces } = call({ marketplaceIds: Array.from({ length: 40 }, (_, i) => `X${i}`) });
    expect(marketplaceWarnings(marketplaces)).toHaveLength(6);
    expect(marketplaceWarnings(marketplaces).at(-1)).toBe(
      '35 more marketplaces are doubtful in the same way.',
    );
  });

  it('what is no text is left to the check of shapes, and a member called __proto__ stays a member', () => {
    const body: unknown = JSON.parse(
      '{"marketplaceIds":["DE",7,null],"__proto__":{"marketplaceIds":["FR"]}}',
    );
    const resolved = call(body).body;
    expect(JSON.stringify(resolved)).toBe(
      `{"marketplaceIds":["${GERMANY}",7,null],"__proto__":{"marketplaceIds":["FR"]}}`,
    );
  });
});

describe('in an operation of any shape', () => {
  const text = { type: 'string' } as const;
  const holding: JsonSchema = { type: 'object', properties: { marketplaceId: text, country: text } };
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      one: holding,
      list: { type: 'array', items: { type: 'array', items: holding } },
      map: { type: 'object', additionalProperties: holding },
      texts: { type: 'object', additionalProperties: text },
      open: { type: 'object', additionalProperties: true },
      marketplaceIds: { type: 'array', items: text },
      marketplaceId: { type: 'string', enum: ['DE'] },
    },
  };
  const shaped = anyOperation({
    parameters: [
      { name: 'marketplaceIds', in: 'query', required: false, schema: { type: 'array', items: text } },
      { name: 'MarketplaceId', in: 'query', required: false, schema: { type: 'string', enum: ['DE'] } },
      { name: 'country', in: 'query', required: false, schema: text },
    ],
    body: { required: false, schema },
  });
  const resolve = (body: unknown, parameters = {}) => resolveMarketplaces(shaped, { parameters, body }, EU);
  const sentIn = (body: unknown) => resolve(body).body;

  it('each is found where the definition has one, and told by its place', () => {
    const { body, marketplaces } = resolve({
      one: { marketplaceId: 'DE', country: 'DE' },
      list: [[{ country: 'DE' }], [{}, { marketplaceId: 'DE' }]],
      map: { marketplaceId: { marketplaceId: 'DE' } },
    });
    expect(body).toEqual({
      one: { marketplaceId: GERMANY, country: 'DE' },
      list: [[{ country: 'DE' }], [{}, { marketplaceId: GERMANY }]],
      map: { marketplaceId: { marketplaceId: GERMANY } },
    });
    expect(marketplaces.map(({ segments }) => segments)).toEqual([
      ['body', 'one', 'marketplaceId'],
      ['body', 'list', 1, 1, 'marketplaceId'],
      ['body', 'map', 'marketplaceId', 'marketplaceId'],
    ]);
  });

  it.each([
    { texts: { marketplaceId: 'DE' } },
    { open: { marketplaceId: 'DE' } },
    { other: { marketplaceId: 'DE' } },
    { marketplaceId: 'DE' },
    { marketplaceIds: [] },
    { marketplaceIds: ['', ' ', 7, null] },
    { marketplaceIds: [GERMANY, 7] },
    { marketplaceIds: { 0: 'DE' } },
    { marketplaceIds: null },
    { one: 'DE', list: ['DE', ['DE']], map: ['DE'] },
    { list: [[{ marketplaceId: GERMANY }]], one: null },
    ['DE'],
    'DE',
    null,
    undefined,
  ])('%j is sent as the very same value', (body) => {
    expect(sentIn(body)).toBe(body);
  });

  it('what holds none stays the very same beside what is replaced', () => {
    const one = { marketplaceId: GERMANY };
    const list = [[{ country: 'x' }]];
    const body = { one, list, marketplaceIds: ['DE', GERMANY] };
    const sent = sentIn(body);
    expect(sent).toEqual({ ...body, marketplaceIds: [GERMANY, GERMANY] });
    expect(own({ ...Object(sent) }, 'one')).toBe(one);
    expect(own({ ...Object(sent) }, 'list')).toBe(list);
    expect(body.marketplaceIds).toEqual(['DE', GERMANY]);
  });

  it('parameters are a copy, of which only those that hold marketplaces are others', () => {
    const given = { marketplaceIds: ['DE'], MarketplaceId: 'DE', country: 'DE', marketplaceId: 'DE' };
    expect({ ...resolve(undefined, given).parameters }).toEqual({ ...given, marketplaceIds: [GERMANY] });
    expect(given.marketplaceIds).toEqual(['DE']);
    expect(resolve(undefined, given).marketplaces).toEqual([
      { segments: ['marketplaceIds', 0], given: 'DE', id: GERMANY },
    ]);
    expect(Object.keys(resolve(undefined, {}).parameters)).toEqual([]);
    const absent = resolve(undefined, { marketplaceIds: undefined });
    expect({ ...absent.parameters }).toEqual({ marketplaceIds: undefined });
  });

  it('a body that the operation does not take is let be', () => {
    const body = { marketplaceIds: ['DE'] };
    expect(resolveMarketplaces(anyOperation(), { parameters: {}, body }, EU).body).toBe(body);
  });

  it('an empty one is no marketplace, and none to doubt', () => {
    expect(resolve({ marketplaceIds: ['', ' '] })).toMatchObject({ marketplaces: [], problems: [] });
  });

  it('one that is none stays as it is, and is told by its place', () => {
    const body = { list: [[{}, { marketplaceId: 'Germny' }]] };
    const resolved = resolve(body, { marketplaceIds: ['Frnce'] });
    expect(resolved.body).toBe(body);
    expect(resolved.marketplaces).toEqual([]);
    expect(resolved.problems.map(({ path }) => path)).toEqual([
      'marketplaceIds.0',
      'body.list.0.1.marketplaceId',
    ]);
  });
});

describe('what is told of marketplaces', () => {
  const doubtful = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ segments: [i], given: 'x', id: 'x', warning: `w${i}` }));

  it('is every doubt once, up to five, and how many more there are', () => {
    const sure = { segments: ['m'], given: GERMANY, id: GERMANY };
    expect(marketplaceWarnings([sure, ...doubtful(2), ...doubtful(2)])).toEqual(['w0', 'w1']);
    expect(marketplaceWarnings(doubtful(5))).toEqual(['w0', 'w1', 'w2', 'w3', 'w4']);
    expect(marketplaceWarnings(doubtful(6))).toEqual([
      ...['w0', 'w1', 'w2', 'w3', 'w4'],
      '1 more marketplaces are doubtful in the same way.',
    ]);
  });

  it('is each country once that was given by another name than its id', () => {
    const named = [
      { segments: ['a'], given: GERMANY, id: GERMANY },
      { segments: ['b'], given: 'DE', id: GERMANY },
      { segments: ['c'], given: 'Germany', id: GERMANY },
      { segments: ['d'], given: 'x', id: 'not-in-the-table' },
    ];
    expect(namedMarketplaces(named)).toEqual([`Germany (${GERMANY})`, 'not-in-the-table']);
  });
});
