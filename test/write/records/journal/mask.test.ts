/** Personal data and secrets stay out; what says nothing about a person stays readable. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenToCharacters } from '../../../../src/base/text/shorten.ts';
import { unknownChange } from '../../../../src/write/model/change.ts';
import {
  hasPersonalValues,
  isSensitive,
  isSensitivePath,
  maskAndShorten,
  maskMember,
  maskText,
  SHRINK_LIMITS,
  shrink,
  withoutPersonal,
} from '../../../../src/write/records/journal/mask.ts';

describe('masking', () => {
  it('masks contacts and addresses of a supply source, and nothing else of it', () => {
    const address = {
      addressLine1: 'Street 1',
      city: 'Berlin',
      name: 'Jo',
      phoneNumber: '123456',
      countryCode: 'DE',
    };
    const masked = {
      addressLine1: '[masked]',
      city: '[masked]',
      name: '[masked]',
      phoneNumber: '[masked]',
      countryCode: '[masked]',
    };
    expect(
      shrink({
        alias: 'North',
        contactDetails: { primary: { email: 'store@example.com', phone: '' } },
        parkingWithAddressConfiguration: { parkingCostType: 'Free', numberOfParkingSpots: 3, address },
        returnLocation: { supplySourceId: 'ss-2', addressWithContact: { address } },
        hours: [{ startTime: '09:00' }],
      }),
    ).toEqual({
      alias: 'North',
      contactDetails: { primary: { email: '[masked]', phone: '' } },
      parkingWithAddressConfiguration: { parkingCostType: 'Free', numberOfParkingSpots: 3, address: masked },
      returnLocation: { supplySourceId: 'ss-2', addressWithContact: { address: masked } },
      hours: [{ startTime: '09:00' }],
    });
  });

  it('masks e-mail addresses inside any text', () => {
    expect(shrink(['ask a.b+c@shop.example, please', { note: '<x@y.zz>' }])).toEqual([
      'ask [masked], please',
      { note: '<[masked]>' },
    ]);
  });

  it('finds what one expression for the whole address finds', () => {
    const whole = /[^\s@<>"'(),;:]{1,64}@[^\s@<>"'(),;:]{1,190}\.[^\s@<>"'(),;:.]{1,63}/g;
    const unit = fc.constantFrom('a', 'b', '@', '.', ' ', '<', 'x'.repeat(40));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        expect(maskText(text)).toBe(text.replace(whole, '[masked]'));
      }),
    );
  });

  it('takes no longer for texts that are all but addresses', () => {
    const almost = [`${'x'.repeat(64)}@${'.'.repeat(190)}`, '@'.repeat(255), `a@${'y'.repeat(253)}`];
    for (const text of almost) expect(maskAndShorten(text.repeat(1_000), 100)).toMatch(/more characters\)$/);
  });

  it('takes time in proportion to the length of a text', () => {
    const text = `${'x'.repeat(2_000_000)} a@b.cc${'@'.repeat(100_000)}`;
    expect(maskText(text)).toHaveLength(text.length - 'a@b.cc'.length + '[masked]'.length);
  });

  it.each([
    'buyerEmail',
    'e-mail',
    'recipient_name',
    'FirstName',
    'shipToAddress',
    'refresh_token',
    'clientSecret',
    'taxId',
    'city',
    'County',
    'district',
    'stateOrRegion',
    'street',
    'surname',
    'name',
    'companyName',
    'postal-code',
    'zipCode',
    'fax',
    'mobileNumber',
    'customerphone',
    'phone_home',
    'shipping_address_2',
    'addressLines',
    'buyer-citizen-id',
    'password',
    'Authorization',
    'cpf',
    'cnpj',
    'passportNumber',
    'nationalId',
    'birthday',
    'iban',
    'bankAccount',
    'giftMessageText',
    'ssn',
    'n'.repeat(201),
  ])('hides %s', (name) => expect(isSensitive(name)).toBe(true));

  it.each([
    'alias',
    'supplySourceId',
    'item_name',
    'productName',
    'timezone',
    'quantity',
    'sellerSku',
    'mailbox',
    'emailbox',
    'capacity',
    'cityCode',
    'streetlight',
    'renamed',
    'addressWithContact',
    'parkingWithAddressConfiguration',
    // Attributes of listings, which only sound like it.
    'headphones_form_factor',
    'microphone_type',
    'compatible_phone_models',
    'phone_talk_time',
    'mobile_operating_system',
    'fax_machine_type',
    'addressable_led',
    'birthstone',
    'capital_cities',
    'n'.repeat(200),
  ])('shows %s', (name) => expect(isSensitive(name)).toBe(false));

  it('never halves an e-mail address at the end of what is kept', () => {
    for (let before = 230; before < 260; before++) {
      expect(JSON.stringify(shrink(`${'- '.repeat(before / 2)}jo@example.com tail`))).not.toMatch(
        /jo|@|example/,
      );
    }
  });

  it('halves none either where the text is too long to be searched to its end', () => {
    for (let before = 2_030; before < 2_060; before++) {
      const text = `${'-'.repeat(before - 300)} ${'- '.repeat(150)}jo@example.com ${'tail '.repeat(9)}`;
      const kept = maskAndShorten(text, 5_000);
      expect(kept).not.toMatch(/jo|@|example/);
    }
  });

  it('counts what is missing', () => {
    expect([
      shortenToCharacters('abc', 3),
      shortenToCharacters('abcd', 3),
      shortenToCharacters('abc', 3, 2),
    ]).toEqual(['abc', 'abc... (1 more characters)', 'abc... (2 more characters)']);
    expect(maskAndShorten('x'.repeat(2_048), 4)).toBe('xxxx... (2044 more characters)');
    expect(maskAndShorten(`${'x '.repeat(1_024)}yy`, 4)).toBe('x x ... (2046 more characters)');
  });

  it('masks whatever stands below a sensitive name, names too', () => {
    expect(
      shrink({
        phones: { home: '1', list: [2, { ok: true, no: null, none: '' }] },
        'jo@example.com': 'x',
        list: { address: 0 },
      }),
    ).toEqual({
      phones: { home: '[masked]', list: ['[masked]', { ok: true, no: null, none: '' }] },
      '[masked]': 'x',
      list: { address: '[masked]' },
    });
  });

  it('follows a dotted path', () => {
    expect(isSensitivePath('a.address.city')).toBe(true);
    expect(isSensitivePath('a["e-mail"][0]')).toBe(true);
    expect(isSensitivePath('operatingHoursByDay.sunday[0]')).toBe(false);
    expect(isSensitivePath(`a.${'b.'.repeat(999)}`)).toBe(false);
    expect(isSensitivePath(`a.${'b.'.repeat(1_000)}`)).toBe(true);
  });
});

it('each room is smaller than the one before, and what is shrunk fits into its room', () => {
  const depthOf = (value: unknown): number =>
    typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
  const leavesOf = (value: unknown): unknown[] =>
    typeof value !== 'object' || value === null ? [value] : Object.values(value).flatMap(leavesOf);
  const widthOf = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : Math.max(Object.keys(value).length, ...Object.values(value).map(widthOf));
  let deep: unknown = 'x'.repeat(1_000);
  for (let level = 0; level < 20; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
  const wide = {
    list: Array(200).fill('y'.repeat(1_000)),
    some: Object.fromEntries(
      Array(200)
        .fill(0)
        .map((_, at) => [`m${at}`, at]),
    ),
  };
  for (const [at, room] of SHRINK_LIMITS.entries()) {
    const before = SHRINK_LIMITS[at - 1];
    if (before !== undefined)
      expect([room.text < before.text, room.items < before.items, room.depth < before.depth]).toEqual([
        true,
        true,
        true,
      ]);
    expect(depthOf(shrink(deep, room))).toBe(room.depth);
    const shrunk = shrink({ wide }, { ...room, depth: 9 });
    expect(widthOf(shrunk)).toBe(room.items + 1);
    for (const leaf of leavesOf(shrunk).filter((one) => String(one).startsWith('y')))
      expect(leaf).toBe(`${'y'.repeat(room.text)}... (${1_000 - room.text} more characters)`);
  }
});

describe('personal is', () => {
  const member = (segments: string[], before: unknown, after?: unknown) => [{ segments, before, after }];
  it.each<[string, ReturnType<typeof member>, boolean]>([
    ['nothing of a title', member(['attributes', 'item_name'], [{ value: 'A' }], [{ value: 'B' }]), false],
    ['an address in the value before', member(['note'], 'to li@example.com', 'x'), true],
    ['an address in the value after', member(['note'], 'x', 'to li@example.com'), true],
    ['what stands under such a name', member(['contact', 'email'], 'x', 'y'), true],
    ['such a name further in', member(['details'], { list: [{ email: 'x' }] }), true],
    ['such a value further in', member(['details'], { list: [{ note: 'li@example.com' }] }), true],
    ['nothing of numbers', member(['details'], { list: [5, null, true] }), false],
  ])('%s', (_what, members, is) => {
    expect(hasPersonalValues(members, members)).toBe(is);
  });

  it('what is shown as another value', () => {
    const one = member(['note'], 'x', 'y');
    expect(hasPersonalValues(one, member(['note'], 'x', 'z'))).toBe(true);
  });
});

it('a change without what is personal has its other differences, and says that it is not whole', () => {
  const difference = (path: string, before: unknown, after: unknown) => ({
    path,
    segments: [path],
    kind: 'changed' as const,
    before,
    after,
  });
  const differences = [
    difference('title', 'A', 'B'),
    difference('email', 'A', 'B'),
    difference('note', 'li@example.com', 'B'),
    difference('remark', 'A', 'li@example.com'),
  ];
  const change = { ...unknownChange(), differences, isWhole: true };
  const kept = withoutPersonal(change);
  expect(kept.differences).toEqual(differences.slice(0, 1));
  expect(kept).toMatchObject({ isWhole: false, subject: change.subject });
  expect(withoutPersonal(unknownChange()).differences).toEqual([]);
});

it('a member that is shown again is masked by its name and by its value', () => {
  expect(maskMember(['title'], 'A')).toBe('A');
  expect(maskMember(['title'], undefined)).toBeUndefined();
  expect(JSON.stringify(maskMember(['contact', 'email'], 'anybody'))).not.toContain('anybody');
  expect(JSON.stringify(maskMember(['note'], 'to li@example.com'))).not.toContain('li@');
  expect(String(maskMember(['title'], 'x'.repeat(1_900)))).toHaveLength(1_900);
});
