import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  PERSONAL_KINDS,
  type PersonalKind,
  type Treatment,
  type ValueSource,
} from '../../../src/privacy/personal/kinds.ts';
import type { MemberRule } from '../../../src/privacy/personal/members.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { createPlaceholderMaker, PLACEHOLDER_PARTS } from '../../../src/privacy/personal/placeholders.ts';

const KINDS: Readonly<Record<string, Treatment>> = {
  BuyerEmail: 'e-mail',
  Name: 'buyer name',
  AddressLine1: 'address',
  PostalCode: 'postcode',
  Phone: 'phone',
  TaxId: 'tax number',
  GiftMessage: 'buyer text',
  Comment: 'free text',
};
/** A kind holds for everything below. */
const ruleOf = (treatment: Treatment | undefined, isOwn: boolean): MemberRule => ({
  treatment,
  ofText: treatment,
  isOwn,
  child: (name) =>
    isOwn || name === 'shipFrom' ? ruleOf(undefined, true) : ruleOf(treatment ?? KINDS[name], false),
});
const rules = ({ operation = '' }: ValueSource) => ruleOf(undefined, operation.startsWith('supply-sources/'));
const create = (isMasking = true) => createPersonalData({ isMasking, rules });
const source = { operation: 'orders/getOrders' };
const ACCOUNT = 'default';

/** A member whose value is of a kind. */
const member = (kind: PersonalKind) =>
  Object.entries(KINDS).find(([, treatment]) => treatment === kind)?.[0] ?? '';

function mask(value: unknown, personal = create()) {
  return personal.maskAnswer(ACCOUNT, source, value);
}

function markOf(value: string | number, kind: PersonalKind = 'buyer name', personal = create()): string {
  const masked = personal.maskAnswer(ACCOUNT, source, [{ [member(kind)]: value }]);
  return PLACEHOLDER_PARTS.exec(JSON.stringify(masked))?.[0] ?? '';
}

it('members of a kind become marks, the same value the same mark; empty, null and yes or no stay', () => {
  const masked = mask({
    Orders: [
      { Name: 'Anna Schmidt', Phone: 4_930_123, City: 'Berlin' },
      { Name: 'Anna Schmidt', Phone: null, PostalCode: '10115' },
      { Name: '', Phone: false, BuyerEmail: '  ' },
    ],
  });
  expect(masked).toEqual({
    Orders: [
      {
        Name: expect.stringMatching(/^«buyer name \w{8}»$/),
        Phone: expect.stringMatching(/^«phone \w{8}»$/),
        City: 'Berlin',
      },
      {
        Name: expect.any(String),
        Phone: null,
        PostalCode: expect.stringMatching(/^«postcode 101\.\. \w{8}»$/),
      },
      { Name: '', Phone: false, BuyerEmail: '  ' },
    ],
  });
  expect(masked).toHaveProperty('Orders.1.Name', JSON.parse(JSON.stringify(masked)).Orders[0].Name);
});

it('a kind holds for everything below, names of members too where they are addresses', () => {
  const masked = JSON.stringify(
    mask({ Name: { given: 'Anna', more: [{ family: 'Schmidt' }] }, 'anna@example.com': 1 }),
  );
  expect(masked).not.toMatch(/Anna|Schmidt|anna@/);
});

it('prose is searched for addresses and numbers, and for what was masked elsewhere in the same answer', () => {
  const masked = JSON.stringify(
    mask({
      note: 'Bitte bei anna SCHMIDT klingeln, Tel. 030 1234567, oder a.b@example.com',
      Comment: 'call 612 345 678',
      contact: '+49 30 7654321',
      Name: 'Anna Schmidt',
      shipTo: 'Anna Schmidt',
      city: 'Anna Schmidt',
      order: '028-1234567-1234567',
    }),
  );
  expect(masked).not.toMatch(/1234567,|7654321|612 345|a\.b@|SCHMIDT/);
  // A town stays a town.
  expect(JSON.parse(masked)).toMatchObject({ order: '028-1234567-1234567', city: 'Anna Schmidt' });
  expect(JSON.parse(masked).shipTo).toBe(JSON.parse(masked).Name);
});

it("a contact that the rules leave is the seller's own; so is everything of a supply source, in errors too", () => {
  const personal = create();
  const shop = { shipFrom: { email: 'shop@example.com', phone: '+49 30 1234567' } };
  expect(mask(shop, personal)).toEqual(shop);
  expect(personal.maskText('shop@example.com')).toBe('shop@example.com');
  expect(create().maskText('shop@example.com')).toMatch(/^«e-mail \w{8}»$/);
  const stores = {
    contact: { BuyerEmail: 'store@example.com', phone: '030 1234567' },
    alias: 'Store, tel. 030 1',
  };
  expect(personal.maskAnswer(ACCOUNT, { operation: 'supply-sources/getSupplySource' }, stores)).toBe(stores);
  const text = 'store@example.com and 030 1234567 are not right';
  expect(personal.maskText(text)).toBe(text);
});

it('what has nothing personal in it is given back as it is, and tells nothing', () => {
  const personal = create();
  const listing = { sku: 'LAMP', title: 'A lamp, 20 cm', price: 12.5, when: '2026-11-22T10:00:00Z' };
  expect(personal.maskAnswer(ACCOUNT, source, listing)).toBe(listing);
  expect(mask(listing, personal)).toBe(listing);
  expect(personal.firstNote()).toBeUndefined();
});

it('the first thing that is masked is told once', () => {
  const personal = create();
  mask({ Name: 'Anna Schmidt' }, personal);
  expect(personal.firstNote()).toMatch(/--personal-data=show/);
  mask({ Name: 'Bert Schmidt' }, personal);
  expect(personal.firstNote()).toBeUndefined();
});

it('with show nothing is masked anywhere', () => {
  const personal = create(false);
  const answer = { Name: 'Anna Schmidt', note: 'a.b@example.com' };
  expect(mask(answer, personal)).toBe(answer);
  expect(personal.maskText('a.b@example.com')).toBe('a.b@example.com');
  expect(personal.sweep(answer)).toBe(answer);
  expect(personal.firstNote()).toBeUndefined();
  // The value of an earlier placeholder is known, and stays in clear too.
  const mark = createPlaceholderMaker(personal.key, ACCOUNT).mark('buyer name', 'Anna Schmidt');
  personal.remember(ACCOUNT, new Map([[mark, 'Anna Schmidt']]));
  expect(personal.resolve(ACCOUNT, mark).value).toBe('Anna Schmidt');
  expect(personal.sweep(answer)).toBe(answer);
  expect(personal.maskTexts(answer)).toBe(answer);
  expect(personal.broughtBy(answer).size).toBe(0);
});

const SPELLINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => JSON.stringify(value).slice(1, -1),
  encodeURIComponent,
  (value) => Buffer.from(value).toString('base64').replace(/=+$/, ''),
  (value) => value.toUpperCase(),
];

it('an error that repeats a value in any spelling shows its mark', () => {
  const personal = create();
  const values = [
    'Jürgen Müller-Lüdenscheidt',
    'anna.schmidt@example.com',
    'Straße des 17. Juni 135',
    '田中太郎 様',
  ];
  for (const value of values) markOf(value, 'buyer name', personal);
  for (const value of values) {
    for (const spell of SPELLINGS) {
      const text = personal.maskText(`it says "${spell(value)}" here`);
      expect(text).toMatch(PLACEHOLDER_PARTS);
      expect(text).not.toContain(spell(value));
    }
  }
});

it('an error that repeats what a mark stood for in the call shows the mark, however short the value is', () => {
  const personal = create();
  const mark = markOf('Bo', 'buyer name', personal);
  expect(personal.maskText('There is no Bo here.')).toBe('There is no Bo here.');
  personal.resolve(ACCOUNT, { name: mark });
  expect(personal.maskText('There is no Bo here.')).toBe(`There is no ${mark} here.`);
});

it('an answer made of masked parts is swept for what can be nothing else, and our own words stay', () => {
  const personal = create();
  markOf('Anna Schmidt', 'buyer name', personal);
  markOf('Nothing', 'buyer name', personal);
  expect(personal.sweep({ text: 'Nothing was sent to Anna Schmidt' })).toEqual({
    text: expect.stringMatching(/^Nothing was sent to «buyer name \w{8}»$/),
  });
});

it('what the service sends like a mark is shown in other quotes, and never sent as what it imitates', () => {
  const personal = create();
  const real = markOf('Anna Schmidt', 'buyer name', personal);
  const masked = mask({ title: `see ${real} now` }, personal);
  expect(masked).toEqual({ title: `see ‹${real.slice(1, -1)}› now` });
  expect(() => personal.resolve(ACCOUNT, masked)).toThrow(/lost the « and »/);
});

const someKind = fc.constantFrom(...PERSONAL_KINDS);
const someValue = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.emailAddress(),
  fc.integer({ min: 1 }),
  fc.constantFrom(
    'Anna Schmidt',
    '10115',
    'SW1A 1AA',
    'O\'Neil "x" \\ \u00ab',
    '$& $1',
    '__proto__',
    '\u202Eabc',
  ),
);
/** The spellings in which a model may write a placeholder that it has read in either form. */
const someSpelling = fc.constantFrom<(mark: string) => string>(
  (mark) => mark,
  (mark) => mark.replace('«', '\\u00ab').replace('»', '\\u00bb'),
  (mark) => mark.replace('«', '\\u00AB').replace('»', '\\u00BB'),
  (mark) => mark.replace('«', '\\u{AB}').replace('»', '\\u{BB}'),
  (mark) => mark.replace('«', '\\u{ab}'),
);
/** The positions in the arguments, and the amount of text around it. */
const somePosition = fc.constantFrom<(text: string | number) => unknown>(
  (text) => text,
  (text) => ({ a: text }),
  (text) => ({ a: [{ b: [1, text] }] }),
  (text) => ({ [text]: { c: null } }),
  (text) => [text, text],
);
const someText = fc.string({ unit: fc.constantFrom(...'ab "\\{}u0.,äß漢\n'), maxLength: 10 });
const hasText = (value: string | number) => String(value).trim() !== '';

it('a value that was masked and comes back is the original again, wherever it stands', () => {
  fc.assert(
    fc.property(
      someKind,
      someValue.filter(hasText),
      someSpelling,
      somePosition,
      someText,
      someText,
      (kind, value, spell, place, before, behind) => {
        const personal = create();
        const mark = markOf(value, kind, personal);
        const whole = personal.resolve(ACCOUNT, place(spell(mark)));
        expect(whole.value).toEqual(place(value));
        expect(whole.replaced).toEqual([{ mark, original: String(value) }]);
        const within = personal.resolve(ACCOUNT, place(`${before}${spell(mark)}${behind}`));
        const isWhole = before === '' && behind === '';
        const expected = isWhole ? place(value) : place(`${before}${value}${behind}`);
        expect(within.value).toEqual(expected);
      },
    ),
  );
});

it('a mark of another account, of another session, one that was changed or cut: all refused', () => {
  fc.assert(
    fc.property(someKind, someValue.filter(hasText), somePosition, fc.nat(7), (kind, value, place, at) => {
      const personal = create();
      const mark = markOf(value, kind, personal);
      const letters = mark.slice(-9, -1);
      const other = letters[at] === '0' ? '1' : '0';
      const forged = mark.replace(letters, letters.slice(0, at) + other + letters.slice(at + 1));
      const kinds = PERSONAL_KINDS.filter((each) => each !== kind).map((each) => mark.replace(kind, each));
      expect(() => personal.resolve('other', place(mark))).toThrow(/stands for nothing/);
      expect(() => create().resolve(ACCOUNT, place(mark))).toThrow(/stands for nothing/);
      for (const wrong of [forged, ...kinds])
        expect(() => personal.resolve(ACCOUNT, place(wrong))).toThrow(/nothing was sent/);
      expect(() => personal.resolve(ACCOUNT, place(mark.slice(1, -1)))).toThrow(/lost the « and »/);
      expect(() => personal.resolve(ACCOUNT, place(mark.slice(0, -1)))).toThrow(/not the whole of a mark/);
      expect(() => personal.resolve(ACCOUNT, place(`${mark.slice(0, -4)}...`))).toThrow(
        /not the whole of a mark/,
      );
    }),
  );
});

it('letters of a mark in a text of their own are left alone, and so is a text that only speaks of a kind', () => {
  const personal = create();
  const letters = markOf('Anna Schmidt', 'buyer name', personal).slice(-9, -1);
  const texts = { a: `code ${letters}`, b: '«phone case»', c: 'buyer name and address' };
  expect(personal.resolve(ACCOUNT, texts)).toEqual({ value: texts, replaced: [] });
});

it('two values with one mark stand for neither', () => {
  const personal = create();
  const mark = createPlaceholderMaker(personal.key, ACCOUNT).mark('phone', '1');
  personal.remember(ACCOUNT, new Map([[mark, '1']]));
  personal.remember(ACCOUNT, new Map([[mark, '2']]));
  expect(() => personal.resolve(ACCOUNT, mark)).toThrow(/stands for two values/);
});

it('a mark of a text with a mark in it is refused: nobody saw what that one stands for', () => {
  const personal = create();
  const inner = markOf('Anna Schmidt', 'buyer name', personal);
  for (const text of [inner, `for ${inner}`, '«phone 3f2ak9xq»', 'to \\u00abphone 3f2ak9xq\\u00bb']) {
    const mark = createPlaceholderMaker(personal.key, ACCOUNT).mark('buyer text', text);
    personal.remember(ACCOUNT, new Map([[mark, text]]));
    expect(() => personal.resolve(ACCOUNT, { note: mark })).toThrow(/a text with another mark in it/);
  }
});

it('members whose names become the same are refused, so that none is lost', () => {
  const personal = create();
  const mark = markOf('Anna Schmidt', 'buyer name', personal);
  expect(() => personal.resolve(ACCOUNT, { [mark]: 1, 'Anna Schmidt': 2 })).toThrow(/same name/);
});

it('a record of the journal keeps its marks and what is masked there, and loses the rest', () => {
  const record = { Name: '«buyer name 3f2ak9xq»', Phone: '[masked]', BuyerEmail: 'anna@example.com' };
  expect(create().maskRecord(ACCOUNT, source, record)).toEqual({
    ...record,
    BuyerEmail: expect.stringMatching(/^«e-mail \w{8}»$/),
  });
});

it("what was recorded of the seller's own stores is no buyer's: new contacts stay, wherever they stand", () => {
  const personal = create();
  const own = { contactDetails: { primary: { email: 'desk@own.example', phone: '+1 206 555 0100' } } };
  const stores = { operation: 'supply-sources/updateSupplySource' };
  expect(personal.maskRecord(ACCOUNT, stores, own)).toEqual(own);
  expect(personal.maskText('desk@own.example or +1 206 555 0100')).toBe(
    'desk@own.example or +1 206 555 0100',
  );
});

it('what is personal in JSON within a text, in an address of a page or in writing without blanks is masked', () => {
  const personal = createPersonalData({ isMasking: true });
  const mask = (value: unknown) =>
    JSON.stringify(personal.maskAnswer('default', { operation: 'orders/getOrder' }, value));
  const inside = JSON.stringify({ list: [{ buyerName: 'Anna Schmidt', sku: 'LAMP', quantity: 2 }] });
  const masked = mask({ extra: inside, link: 'https://x.example/?n=Anna%20Schmidt&m=Anna+Schmidt' });
  expect(masked).not.toMatch(/Anna|Schmidt/);
  expect(masked).toContain(String.raw`\"sku\":\"LAMP\",\"quantity\":2`);
  expect(mask({ x: '電話は090-1234-5678です' })).not.toContain('1234');
  expect(mask({ x: '['.repeat(100_000) + ']'.repeat(100_000) })).toContain('[[[');
  expect(mask({ buyerName: 'half \uD800' })).toContain('«buyer name');
});

it('what is sold keeps its name, whoever is called like it', () => {
  const personal = createPersonalData({ isMasking: true });
  const item = { Title: 'Cushion, Black', SellerSKU: 'Black', Color: 'Black', ProductName: 'Black Lamp' };
  const value = personal.maskAnswer(
    'default',
    { operation: 'orders/getOrderItems' },
    { buyer: { lastName: 'Black' }, item, note: 'for Mr Black' },
  );
  expect(value).toMatchObject({ item, note: expect.stringMatching(/^for Mr «buyer name \w{8}»$/) });
});

it('a mark in another spelling is refused whatever its letters are', () => {
  const personal = createPersonalData({ isMasking: true });
  const marker = createPlaceholderMaker(personal.key, 'default');
  for (let at = 0; at < 500; at += 1) {
    const mark = marker.mark('buyer name', `Anna ${at}`);
    for (const text of [encodeURIComponent(mark), mark.replace('buyer name', 'Buyer-Name')]) {
      expect(() => personal.resolve('default', { text }), text).toThrow(/nothing was sent/);
    }
  }
});

it('numbers of parts and parcels are none of telephones', () => {
  const personal = createPersonalData({ isMasking: true });
  const items = {
    Title: 'Spark plug 0986-494-123, also 0 986 494 123',
    'item-name': 'Hose 0415 555 2671',
    trackingNumber: '1Z 999 AA1 01 2345 6784',
  };
  expect(personal.maskAnswer('default', { operation: 'orders/getOrderItems' }, items)).toEqual(items);
});

it.each(['<!-- 0049', '<![CDATA[ a', '<a', '&lt;!-- &amp;lt;', '{"a":"<!-- ', String.raw`{\"a\":`])(
  'what begins like markup again and again is masked as a text: %s',
  (unit) => {
    const text = `${unit.repeat(2_000)} erika@example.de`;
    const value = createPersonalData({ isMasking: true }).maskAnswer('default', {}, { memo: text });
    const masked = JSON.stringify(value);
    expect(masked).toMatch(/«e-mail [0-9a-z]{8}»/);
    expect(masked).not.toContain('erika@');
  },
);

it('the same value has another mark in another account: nobody can tell that they share a buyer', () => {
  const personal = createPersonalData({ isMasking: true });
  const of = (account: string) =>
    JSON.stringify(
      personal.maskAnswer(account, { operation: 'orders/getOrders' }, { BuyerName: 'Zq Zqlast' }),
    );
  expect(of('one')).toMatch(/«buyer name [0-9a-z]{8}»/);
  expect(of('one')).toBe(of('one'));
  expect(of('two')).not.toBe(of('one'));
});

it('a letter beyond the first plane is one, whatever half a letter came before', () => {
  const personal = createPersonalData({ isMasking: true });
  const refused = () => personal.resolve(ACCOUNT, '«𝐛𝐮𝐲𝐞𝐫 𝐧𝐚𝐦𝐞 3f2ak9xq»');
  expect(refused).toThrow('is no mark as it was given');
  expect(personal.resolve(ACCOUNT, '«\ud835 x»').value).toBe('«\ud835 x»');
  expect(refused).toThrow('is no mark as it was given');
});

it('of a value of many pages each piece is found in other texts', () => {
  const personal = createPersonalData({ isMasking: true });
  const value = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(' ');
  personal.maskAnswer(ACCOUNT, { operation: 'orders/getOrders' }, { giftMessageText: value });
  const masked = String(personal.maskTexts(`it says: ${value}`));
  expect(masked).toMatch(/^it says: «buyer text [0-9a-z]{8}»/);
  expect(masked).not.toMatch(/word\d+ word\d+ word/);
});

it('what stands anywhere in the arguments of a call was brought by it, of long ones the first 32 KB', () => {
  const personal = create();
  const mark = markOf('Anna Schmidt', 'buyer name', personal);
  const number = markOf(4_930_123, 'phone', personal);
  const brought = (value: unknown) => [...personal.broughtBy(value)];
  expect(brought('for anna schmidt')).toEqual([mark]);
  expect(brought({ a: [null, true, { b: ['Anna', 'Schmidt'] }, 4_930_123] })).toEqual([number, mark]);
  expect(brought({ 'Anna Schmidt': 1 })).toEqual([mark]);
  for (const none of [undefined, null, {}, [], 'Anna', { a: 'Anna', b: { c: 'x' }, d: 'Schmidt' }])
    expect(brought(none)).toEqual([]);
  expect(brought(['x '.repeat(10_000), 'Anna Schmidt'])).toEqual([mark]);
  expect(brought(['x '.repeat(20_000), 'Anna Schmidt'])).toEqual([]);
  expect(brought(`${'x '.repeat(20_000)}Anna Schmidt`)).toEqual([]);
  const untouched = { text: 'Anna Schmidt, 4930123' };
  expect(personal.sweep(untouched, personal.broughtBy('Anna Schmidt'))).toEqual({
    text: `Anna Schmidt, ${number}`,
  });
  expect(personal.maskText(untouched.text, personal.broughtBy(4_930_123))).toBe(`${mark}, 4930123`);
});

it('a sweep goes through lists and members, names of members too', () => {
  const personal = create();
  const mark = markOf('Anna Schmidt', 'buyer name', personal);
  const value = { 'of Anna Schmidt': [null, 1, { a: 'Anna Schmidt' }] };
  const swept = { [`of ${mark}`]: [null, 1, { a: mark }] };
  expect(personal.sweep(value)).toEqual(swept);
  expect(personal.maskTexts(value)).toEqual(swept);
});

it("the name of an account stays in what is told, though it looks like a buyer's address", () => {
  const personal = createPersonalData({ isMasking: true, isOwn: (value) => value === 'shop@own.example' });
  expect(personal.maskText('shop@own.example, a@b.example')).toMatch(/^shop@own\.example, «e-mail \w{8}»$/);
});

it('marks that are remembered are told of, and what is none is not', () => {
  const personal = create();
  personal.remember(ACCOUNT, new Map([['no mark', 'x']]));
  expect(personal.firstNote()).toBeUndefined();
  personal.remember(ACCOUNT, new Map([['«phone 1aaaaaaa»', '030 1234567']]));
  expect(personal.firstNote()).toBeDefined();
});
