/** Which store is meant by what a person calls it, and the calls that find it by that name. */

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import {
  callFindingStore,
  findStore,
  type ListedStore,
  listStores,
  storeOf,
} from '../../src/call/find-store.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import type { Handler } from '../helpers/http-service.ts';
import { failureOf, setUp, type TestSetup } from '../helpers/test-client.ts';

const store = (id: string, alias: string, code = id): ListedStore => ({ id, alias, code });
const STORES = [
  store('s1', 'Hamburg Altona'),
  store('s2', 'Köln Süd, Ladenlokal'),
  store('s3', 'Berlin Mitte'),
  store('s4', 'Berlin'),
  store('s5', 'Lager Berlin-Tegel', 'Tegel'),
];

/** The error of a name that means no store, or several. */
function refusalOf(given: string, stores: readonly ListedStore[]): unknown {
  try {
    return storeOf(given, stores).id;
  } catch (error) {
    return error;
  }
}

it.each([
  ['Hamburg', 's1'],
  ['altona hamburg', 's1'],
  ['süd', 's2'],
  ['Berlin', 's4'],
  ['berlin', 's4'],
  [' Berlin\t', 's4'],
  ['Ｂerlin', 's4'],
  ['BERLIN   mitte', 's3'],
  ['Berlin Tegel', 's5'],
  ['tegel', 's5'],
])('%s is the one of that name, or with these words', (given, id) => {
  expect(storeOf(given, STORES).id).toBe(id);
});

it.each([
  ['Lager Mitte', 'No store has the ID, alias or code'],
  ['Ham', 'No store has the ID, alias or code'],
  ['-', 'No store has the ID, alias or code'],
  ['', 'No store has the ID, alias or code'],
])('%j is none', (given, words) => {
  expect(() => storeOf(given, STORES)).toThrow(words);
});

it('a word of several is none of them, and they are named', () => {
  const stores = STORES.filter(({ id }) => id !== 's4');
  expect(() => storeOf('Berlin', stores)).toThrow('2 stores are called something with Berlin');
  expect(() => storeOf('Berlin', stores)).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/s3 .*s5/) }),
  );
});

describe('a name of several stores', () => {
  it('in its own spelling is the one that is spelled so, and in none of theirs no store', () => {
    const stores = [store('a', 'Nord'), store('b', 'NORD'), store('c', 'Nord West')];
    expect(storeOf('Nord', stores).id).toBe('a');
    expect(storeOf('NORD', stores).id).toBe('b');
    expect(refusalOf('nord', stores)).toMatchObject({
      message: '2 stores are called nord; nothing was changed.',
      hint: 'Give the ID of one of these: a (Nord), b (NORD).',
    });
  });

  it('with other spaces comes before the words of a longer one', () => {
    expect(storeOf('nord  west', [store('a', 'Nord West'), store('b', 'Nord West Mitte')]).id).toBe('a');
  });
});

it('any store is found by its id, alias or code, and by the words of its alias where no other has them all', () => {
  const word = fc.constantFrom('Nord', 'Süd', 'Mitte', 'Lager', 'Markt', '7');
  const alias = fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  const world = fc.uniqueArray(alias, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(world, fc.nat(), fc.array(word, { minLength: 1, maxLength: 3 }), (aliases, pick, words) => {
      const stores = aliases.map((name, i) => store(`id-${i}`, name, `code-${i}`));
      const one = stores[pick % stores.length] ?? store('', '');
      for (const name of [one.id, one.alias, one.code]) {
        expect(storeOf(name, stores)).toBe(one);
        expect(storeOf(` ${name.toUpperCase()} `, stores)).toBe(one);
      }
      const given = words.join(' - ');
      const named = stores.filter(({ alias: name }) => name === given);
      const holding = stores.filter(({ alias: name }) =>
        words.every((each) => name.split(' ').includes(each)),
      );
      const meant = named.length > 0 ? named : holding;
      const found = refusalOf(given, stores);
      if (meant.length === 1) expect(found).toBe(meant[0]?.id);
      else expect(found).toBeInstanceOf(InputError);
    }),
  );
});

describe('where no store is meant', () => {
  const hintOf = (count: number) =>
    refusalOf(
      'x',
      Array.from({ length: count }, (_, i) => store(`s${i}`, '')),
    );

  it('those that there are are told, ten at most, with an alias where they have one', () => {
    expect(refusalOf('x', STORES.slice(0, 2))).toMatchObject({
      message: 'No store has the ID, alias or code x; nothing was changed.',
      hint: 'Give the ID of one of these: s1 («Hamburg Altona»), s2 («Köln Süd, Ladenlokal»).',
    });
    const ten = 's0, s1, s2, s3, s4, s5, s6, s7, s8, s9';
    expect(hintOf(10)).toHaveProperty('hint', `Give the ID of one of these: ${ten}.`);
    expect(hintOf(12)).toHaveProperty(
      'hint',
      `Give the ID of one of these: ${ten}, and 2 more (getSupplySources lists them).`,
    );
  });

  it('an account without any is told how one is made', () => {
    expect(hintOf(0)).toHaveProperty('hint', 'The account has no stores; createSupplySource makes one.');
  });

  it('long names are shortened', () => {
    const long = 'n'.repeat(500);
    const error = refusalOf(long, [store('i'.repeat(500), 'a'.repeat(500))]);
    expect(error).toHaveProperty('message', expect.stringMatching(/^.{20,200}$/));
    expect(error).toHaveProperty('hint', expect.stringMatching(/^.{20,260}$/));
  });
});

const registry = await loadRegistry();
let setup: TestSetup;
afterEach(() => setup?.close());

const LIST = '/supplySources/2020-07-01/supplySources';
const NOT_THERE = { status: 404, body: { errors: [{ code: 'NotFound', message: 'not there' }] } };
const ACCOUNT = { supplySources: [{ supplySourceId: 's1', alias: 'Altona', supplySourceCode: 'c1' }] };

/** The service of a seller with these stores; `list` answers the listing in its place. */
async function shop(list: Handler = () => ({ body: ACCOUNT })) {
  setup = await setUp((request, response) => {
    if (request.path.startsWith(`${LIST}?`)) return list(request, response);
    if (request.path === `${LIST}/forbidden`) return { status: 403 };
    if (request.path === `${LIST}/gone`) return { status: 410 };
    return request.path === `${LIST}/s1` ? { body: { supplySourceId: 's1' } } : NOT_THERE;
  });
  const { client } = setup;
  const paths = () => setup.calls().map(({ path }) => path.slice(LIST.length));
  const of = { client, registry, account: 'default' };
  const read = (supplySourceId: string, call = {}) => {
    const operation = registry.find('supply-sources/getSupplySource');
    return callFindingStore({ operation, account: 'default', parameters: { supplySourceId } }, of, call);
  };
  return { of, paths, read };
}

describe('a call of a store', () => {
  it('by its id is one request', async () => {
    const { read, paths } = await shop();
    const { result, id } = await read('s1');
    expect({ body: result.body, id }).toEqual({ body: { supplySourceId: 's1' }, id: undefined });
    expect(paths()).toEqual(['/s1']);
  });

  it('by another name finds it, and says which it is', async () => {
    const { read, paths } = await shop();
    const { result, id } = await read('altona');
    expect({ body: result.body, id }).toEqual({ body: { supplySourceId: 's1' }, id: 's1' });
    expect(paths()).toEqual(['/altona', '?pageSize=100', '/s1']);
  });

  it('by a name of none says which there are', async () => {
    const { read } = await shop();
    expect(await failureOf(read('Berlin'))).toMatchObject({
      name: 'InputError',
      hint: 'Give the ID of one of these: s1 (Altona).',
    });
  });

  it.each([
    ['cannot be listed', () => ({ status: 403 })],
    ['are no list', () => ({ body: { supplySources: {} } })],
    ['say that this id is one', () => ({ body: { supplySources: [{ supplySourceId: 's9' }] } })],
  ])('fails as it did where the stores %s', async (_what, list) => {
    const { read, paths } = await shop(list);
    expect(await failureOf(read('s9'))).toMatchObject({ name: 'ApiError', status: 404 });
    expect(paths()).toEqual(['/s9', '?pageSize=100']);
  });

  it.each([
    ['forbidden', 403],
    ['gone', 410],
  ])(
    'that is refused for another reason than that it is not there (%s) lists nothing',
    async (name, status) => {
      const { read, paths } = await shop();
      expect(await failureOf(read(name))).toMatchObject({ name: 'ApiError', status });
      expect(paths()).toEqual([`/${name}`]);
    },
  );

  it('that fails for another reason, or names no store, lists nothing', async () => {
    const { of } = await shop();
    const input = { operation: registry.find('supply-sources/getSupplySources'), account: 'default' };
    const unnamed = { ...input, parameters: {} };
    expect(await failureOf(callFindingStore(unnamed, of, {}))).toMatchObject({ status: 404 });
    expect(setup.calls()).toHaveLength(1);
    const refused = { ...input, parameters: { supplySourceId: 's1' } };
    expect(await failureOf(callFindingStore(refused, of, {}))).toMatchObject({ name: 'InputError' });
    expect(setup.calls()).toHaveLength(1);
  });
});

describe('the stores of an account', () => {
  it('are read to their last page, what is missing of one being empty', async () => {
    const { of, paths } = await shop(({ path }) => ({
      body: path.includes('nextPageToken')
        ? { supplySources: [{ supplySourceId: 's2', alias: 7 }, 'no store'] }
        : { ...ACCOUNT, nextPageToken: 'second' },
    }));
    expect(await listStores(of, {})).toEqual([store('s1', 'Altona', 'c1'), store('s2', '', '')]);
    expect(paths()).toEqual(['?pageSize=100', '?nextPageToken=second&pageSize=100']);
    expect(await findStore('altona', of, {})).toBe('s1');
  });

  it('are unknown where one page cannot be read, so that none is taken for the only one', async () => {
    const { of } = await shop(({ path }) =>
      path.includes('nextPageToken') ? { status: 403 } : { body: { ...ACCOUNT, nextPageToken: 'second' } },
    );
    expect(await listStores(of, {})).toBeUndefined();
    expect(await findStore('Altona', of, {})).toBeUndefined();
  });
});
