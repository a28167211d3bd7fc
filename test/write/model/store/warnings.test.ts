/** Probable mistakes are told, sound bodies are not. */

import { describe, expect, it } from 'vitest';
import { warnAboutSupplySource } from '../../../../src/write/model/store/warnings.ts';
import { buildCurrentState } from '../../handlers/store/fixture.ts';

const hours = (...spans: string[]) =>
  spans.map((span) => {
    const [startTime, endTime] = span.split('-');
    return { startTime, endTime };
  });
const onMonday = (monday: unknown) => ({ operatingHoursByDay: { monday } });
const texts = (body: unknown) =>
  warnAboutSupplySource(body).map(({ path, message }) => `${path}: ${message}`);

describe('warnAboutSupplySource', () => {
  it('has nothing to say about a sound supply source', () => {
    expect(texts(buildCurrentState())).toEqual([]);
  });

  it.each([
    ['a closed day', onMonday([])],
    ['hours that touch', onMonday(hours('09:00-12:00', '12:00-18:00'))],
    ['a day that ends at midnight', onMonday(hours('00:00-24:00'))],
    ['the empty span that the public sandbox answers', onMonday(hours('00:00-00:00'))],
    ['empty contacts', { primary: { email: '', phone: '' } }],
    ['nothing', {}],
    ['no object', 'text'],
  ])('accepts %s', (_name, body) => {
    expect(texts(body)).toEqual([]);
  });

  it.each([
    ['reversed', hours('18:00-09:00'), 'operatingHoursByDay.monday[0]: 18:00-09:00 closes before it opens'],
    [
      'empty',
      hours('09:00-09:00'),
      'operatingHoursByDay.monday[0]: 09:00-09:00 opens and closes at the same time',
    ],
    [
      'overlapping',
      hours('13:00-18:00', '09:00-13:01'),
      'operatingHoursByDay.monday: 09:00-13:01 and 13:00-18:00 overlap',
    ],
    [
      'contained, not next to each other',
      hours('08:00-20:00', '09:00-10:00').concat(hours('20:00-21:00')),
      'operatingHoursByDay.monday: 08:00-20:00 and 09:00-10:00 overlap',
    ],
    [
      'contained, behind another that is',
      hours('08:00-20:00', '09:00-10:00', '11:00-12:00'),
      [
        'operatingHoursByDay.monday: 08:00-20:00 and 09:00-10:00 overlap',
        'operatingHoursByDay.monday: 08:00-20:00 and 11:00-12:00 overlap',
      ],
    ],
    [
      'in another notation',
      hours('9am-18:00'),
      'operatingHoursByDay.monday[0].startTime: "9am" is not a time such as 09:00 (HH:mm, 24 hours)',
    ],
    [
      'after midnight',
      hours('09:00-24:01'),
      'operatingHoursByDay.monday[0].endTime: "24:01" is not a time such as 09:00 (HH:mm, 24 hours)',
    ],
    ['open-ended', [{ startTime: '09:00' }], 'operatingHoursByDay.monday[0].endTime: is missing'],
    ['not a list', 'closed', 'operatingHoursByDay.monday: is not a list of opening hours'],
  ])('tells hours that are %s', (_name, monday, expected) => {
    expect(texts(onMonday(monday))).toEqual([expected].flat());
  });

  it('tells a day that is none', () => {
    expect(texts({ operatingHoursByDay: { Sunday: [] } })[0]).toMatch(
      /Sunday: is not a day; the days are monday,/,
    );
  });

  it.each([
    ['Europe/Berln', 'timezone: "Europe/Berln" is not an IANA time zone; did you mean "Europe/Berlin"?'],
    ['europe/berlin', 'timezone: "europe/berlin" is spelled "Europe/Berlin" in the IANA time zones'],
    ['+02:00', /^timezone: "\+02:00" is not an IANA time zone/],
    ['', /^timezone: "" is not an IANA time zone/],
  ])('tells the time zone %j', (timezone, expected) => {
    expect(texts({ timezone })).toEqual([
      expected instanceof RegExp ? expect.stringMatching(expected) : expected,
    ]);
  });

  it.each(['Europe/Berlin', 'Africa/Accra', 'Asia/Kolkata', 'America/Los_Angeles', 'UTC'])(
    'knows the time zone %s',
    (timezone) => {
      expect(texts({ timezone })).toEqual([]);
    },
  );

  it('tells numbers that count nothing', () => {
    expect(texts({ handlingTime: { value: -1 }, list: [{ numberOfParkingSpots: 1.5 }] })).toEqual([
      'handlingTime.value: -1 is negative',
      'list[0].numberOfParkingSpots: 1.5 is not a whole number; the public definition takes whole numbers only',
    ]);
  });

  it.each(['shop', 'shop@', '@shop.example', 'a b@shop.example', 'a@b', 'a@b@c.example', 'a@shop..com'])(
    'tells that %j cannot be an e-mail address',
    (email) => {
      expect(texts({ email })).toEqual([`email: ${JSON.stringify(email)} cannot be an e-mail address`]);
    },
  );

  it('tells an e-mail address that the public definition does not take', () => {
    expect(texts({ email: 'shop+north@shop.com' })).toEqual([expect.stringMatching(/may be refused/)]);
    expect(texts({ email: 'shop@shop.museum' })).toEqual([expect.stringMatching(/may be refused/)]);
    expect(texts({ email: 'shop.north-1@shop.co.uk' })).toEqual([]);
  });

  it.each(['call us', '123', '1234567890123456', '12345abc', '+', '49+301234567'])(
    'tells that %j cannot be a phone number',
    (phone) => {
      expect(texts({ primary: { phone } })).toHaveLength(1);
      expect(texts({ address: { phoneNumber: phone } })).toHaveLength(1);
    },
  );

  it.each(['12345 x 77', '12345 EXT. 123456', '12345  #  1', '+49 (30) 123-45.6/7', ' 12345 '])(
    'accepts %j, with its extension',
    (phone) => expect(texts({ primary: { phone } })).toEqual([]),
  );
  it.each(['12345 x 77 b', '12345 x 1234567', 'x 12345', 'tel 12345', '1234 x 77', '++12345', '12345+'])(
    'does not accept %j',
    (phone) =>
      expect(texts({ primary: { phone } })).toEqual([
        `primary.phone: ${JSON.stringify(phone)} cannot be a phone number (5 to 15 digits)`,
      ]),
  );
  it.each([
    ['a@b.cd', true],
    ['a@b.c', 'may be refused'],
    ['a@b.cdefgh', 'may be refused'],
    ['a@b.c1', 'may be refused'],
    ['ü@b.cd', 'may be refused'],
    ['a@b', 'cannot be'],
    ['a@b.', 'cannot be'],
    ['a@@b.cd', 'cannot be'],
    ['a b@c.de', 'cannot be'],
    ['a@b.cd e', 'cannot be'],
    ['a@b..cd', 'cannot be'],
  ])('of the e-mail %j: %j', (email, told) => {
    expect(texts({ email })).toEqual(told === true ? [] : [expect.stringContaining(String(told))]);
  });

  it.each(['+49 30 1234567', '(206) 555-0100 ext. 12', '4281937491', '206.555.0100'])(
    'accepts the phone %s',
    (phone) => {
      expect(texts({ primary: { phone } })).toEqual([]);
    },
  );

  it('tells a channel that is supported and never open, unless hours come from what encloses it', () => {
    const channel = { isSupported: true };
    const opened = { operationalConfiguration: onMonday(hours('09:00-18:00')) };
    const closed = { operationalConfiguration: onMonday([]) };
    expect(texts({ capabilities: { services: channel } })).toEqual([
      'capabilities.services.isSupported: is true, but no opening hours are given for it',
    ]);
    expect(texts({ configuration: opened, capabilities: { services: { ...channel, ...closed } } })).toEqual([
      'capabilities.services.isSupported: is true, but its opening hours are empty on every day',
    ]);
    expect(texts({ configuration: opened, capabilities: { services: channel } })).toEqual([]);
    expect(texts({ capabilities: { outbound: { ...opened, pickupChannel: channel } } })).toEqual([]);
    expect(texts({ capabilities: { services: { isSupported: false } } })).toEqual([]);
  });

  it('takes time in proportion to the size of a body, and names long values in short', () => {
    const long = ` x${' '.repeat(500_000)}y`;
    const many = Array.from({ length: 50_000 }, () => ({ startTime: '09:00', endTime: '18:00' }));
    const warnings = warnAboutSupplySource({ email: long, phone: long, timezone: long, ...onMonday(many) });
    expect(warnings).toHaveLength(3 + 49_999);
    expect(Math.max(...warnings.map(({ message }) => message.length))).toBeLessThan(200);
  });
});
