/** Tests what collections say of personal data, and how they are described while it is masked. */

import { expect, it } from 'vitest';
import { createTableMasker } from '../../../src/data/tables/masking.ts';
import {
  EXTRA_FIELDS,
  hasMaskable,
  hasPersonalData,
  isMaskable,
  isPersonal,
  maskedTable,
  valueSourceOf,
} from '../../../src/data/tables/personal-tables.ts';
import type { CollectionInfo, CollectionSource, ColumnInfo } from '../../../src/data/tables/table-types.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { createPlaceholderMaker } from '../../../src/privacy/personal/placeholders.ts';

const column = (name: string, more: Partial<ColumnInfo> = {}): ColumnInfo => ({
  name,
  type: 'text',
  ...more,
});
const NAME = column('buyer', { personal: 'buyer name' });
const WORDS = column('words', { personal: 'free text' });
const MEMBERS = column('xml', { members: [] });
const SKU = column('sku');
const EXTRA = column('extra', { note: EXTRA_FIELDS });

const SOURCE: CollectionSource = { kind: 'operation', operation: 'orders/getOrders', parameters: {} };
const info = (columns: ColumnInfo[], source = SOURCE): CollectionInfo => ({
  id: 'x',
  account: 'acme',
  source,
  collectedAt: '2026-11-21T11:00:00Z',
  complete: true,
  tables: [
    { name: 't', rows: 1, columns, notes: [] },
    { name: 'u', rows: 1, columns: [SKU], notes: [] },
  ],
  notes: [],
  bytes: 1,
});

it.each([
  ['buyers, by name', [SKU, NAME], true, true],
  ['free texts, which are searched', [WORDS, SKU], false, true],
  ['texts with members', [MEMBERS], false, true],
  ['nothing of anybody', [SKU, EXTRA], false, false],
])('of %s', (_what, columns, personal, maskable) => {
  expect(columns.some(isPersonal)).toBe(personal);
  expect(columns.some(isMaskable)).toBe(maskable);
  expect(hasPersonalData(info([...columns]))).toBe(personal);
  expect(hasMaskable(info([...columns]))).toBe(maskable);
  expect(maskedTable({ name: 't', columns }, {}) !== undefined).toBe(maskable);
});

it('of a table that is masked, the columns that are, and where a row keeps what is too much of it', () => {
  const columns = [SKU, NAME, WORDS, MEMBERS, EXTRA];
  const masked = [NAME, WORDS, MEMBERS].map(({ name, personal, members }) => ({ name, personal, members }));
  const source = { reportType: 'R' };
  expect(maskedTable({ name: 't', columns }, source)).toEqual({
    name: 't',
    source,
    columns: masked,
    extra: 'extra',
  });
  expect(maskedTable({ name: 't', columns: [WORDS, EXTRA] }, source)).not.toHaveProperty('extra');
  expect(maskedTable({ name: 't', columns: [NAME] }, source)).not.toHaveProperty('extra');
});

it('values are those of an operation, of a type of report, or of nothing known', () => {
  expect(valueSourceOf(SOURCE)).toStrictEqual({ operation: 'orders/getOrders' });
  expect(valueSourceOf({ kind: 'report', reportType: 'R', marketplaces: [] })).toEqual({
    reportType: 'R',
    marketplaceIds: [],
  });
  expect(valueSourceOf({ kind: 'document', id: 'D', of: 'report' })).toStrictEqual({});
});

it('examples have the marks of the session, or the values where nothing is masked; what is not known stays', () => {
  const inFile = createPlaceholderMaker(new Uint8Array(32), '').mark('buyer name', 'Anna');
  const text = `${inFile} «address 3f2ak9xq» x`;
  const given = info([column('a', { sample: { text, marks: { [inFile]: 'Anna' } } }), SKU]);
  const shown = (isMasking: boolean) => {
    const personal = createPersonalData({ isMasking });
    const masks = createTableMasker(personal, 'acme');
    const columns = masks.info(given).tables.flatMap((table) => table.columns);
    expect(columns[1]).toEqual(SKU);
    expect(columns[0]).not.toHaveProperty('sample');
    return { example: columns[0]?.example ?? '', personal };
  };
  expect(shown(false).example).toBe('Anna «address 3f2ak9xq» x');
  const { example, personal } = shown(true);
  expect(example).toMatch(/^«buyer name .{8}» «address 3f2ak9xq» x$/);
  expect(example).not.toContain(inFile);
  const [mark = ''] = example.split(' «address');
  expect(personal.resolve('acme', mark).value).toBe('Anna');
});

it('a query masks what its collections hold, by their files, and nothing where all is shown', () => {
  const collections = [info([SKU]), info([NAME]), info([WORDS])];
  const masks = createTableMasker(createPersonalData({ isMasking: true }), 'acme');
  const masking = masks.forQuery(collections);
  expect(masking).toMatchObject({ account: 'acme', tables: [{ file: 1 }, { file: 2 }] });
  expect(masks.forQuery([])).toMatchObject({ tables: [] });
  const open = createTableMasker(createPersonalData({ isMasking: false }), 'acme');
  expect([masks.isMasking, open.isMasking]).toEqual([true, false]);
  expect(open.forQuery(collections)).toBeUndefined();
});

it('what was asked for is told with marks like none of the data, and as it was where all is shown', () => {
  const source: CollectionSource = {
    ...SOURCE,
    parameters: { BuyerEmail: 'anna@example.com', since: '2026-11-01' },
  };
  const personal = createPersonalData({ isMasking: true });
  const described = createTableMasker(personal, 'acme').source(source);
  expect(described).not.toContain('anna');
  expect(JSON.parse(described)).toMatchObject({ kind: 'operation', parameters: { since: '2026-11-01' } });
  const [mark = ''] = /«[^»]*»/.exec(described) ?? [];
  expect(mark).not.toBe(createPlaceholderMaker(personal.key, 'acme').mark('e-mail', 'anna@example.com'));
  const open = createTableMasker(createPersonalData({ isMasking: false }), 'acme');
  expect(JSON.parse(open.source(source))).toEqual(source);
  const document: CollectionSource = { kind: 'document', id: 'D', of: 'report' };
  expect(JSON.parse(createTableMasker(personal, 'acme').source(document))).toEqual(document);
});

it('marks that a query came upon are remembered for the account', () => {
  const personal = createPersonalData({ isMasking: true });
  const masks = createTableMasker(personal, 'acme');
  const mark = createPlaceholderMaker(personal.key, 'acme').mark('buyer name', 'Bo');
  masks.remember(new Map());
  expect(() => personal.resolve('acme', mark)).toThrow('stands for nothing that is known');
  masks.remember(new Map([[mark, 'Bo']]));
  expect(personal.resolve('acme', mark).value).toBe('Bo');
});
