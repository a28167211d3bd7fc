/** Differences in words: what a person reads before saying yes. */

import { describe, expect, it } from 'vitest';
import { describeDifferences } from '../../../../src/write/model/format/describe-difference.ts';
import { compareSupplySources } from '../../../../src/write/model/store/state.ts';
import { describeStorePath } from '../../../../src/write/model/store/store-path.ts';

/** Removes the delimiters of untrusted text. */
const plain = (text: string) => text.replace(/[«»]/g, '');
const describeAll = (before: unknown, after: unknown) =>
  describeDifferences(compareSupplySources(before, after)).map(({ short }) => plain(short));

describe('describeDifferences', () => {
  it('shows a closed Sunday as a person would say it', () => {
    const week = (sunday: unknown) => ({ configuration: { operatingHoursByDay: { sunday, monday: [] } } });
    expect(describeAll(week([{ startTime: '09:00', endTime: '18:00' }]), week([]))).toEqual([
      'configuration.operatingHoursByDay: Sundays 09:00-18:00 -> closed',
    ]);
    expect(
      describeAll(
        week([]),
        week([
          { startTime: '09:00', endTime: '12:00' },
          { startTime: '13:00', endTime: '18:00' },
        ]),
      ),
    ).toEqual(['configuration.operatingHoursByDay: Sundays closed -> 09:00-12:00, 13:00-18:00']);
  });

  it('tells the days of one place together, and a duration as one', () => {
    const at = (saturday: string, sunday: unknown[], handlingTime: unknown) => ({
      configuration: {
        operationalConfiguration: {
          operatingHoursByDay: { saturday: [{ startTime: '10:00', endTime: saturday }], sunday },
          handlingTime,
        },
      },
    });
    const sunday = [{ startTime: '12:00', endTime: '16:00' }];
    const differences = compareSupplySources(
      at('18:00', sunday, { value: 4, timeUnit: 'Hours' }),
      at('20:00', [], { value: 2, timeUnit: 'Days' }),
    );
    expect(describeDifferences(differences, describeStorePath).map(({ text }) => plain(text))).toEqual([
      'opening hours: Saturdays 10:00-18:00 -> 10:00-20:00; Sundays 12:00-16:00 -> closed',
      'handling time: 4 hours -> 2 days',
    ]);
  });

  it('shows what a PUT would remove because it is absent', () => {
    const before = {
      alias: 'North',
      capabilities: { services: { isSupported: true, handlingTime: { value: 2, timeUnit: 'Hours' } } },
    };
    expect(describeAll(before, { alias: 'South', added: [] })).toEqual([
      'alias: "North" -> "South"',
      'capabilities: removed (was { "services": { "isSupported": true, "handlingTime": 2 hours } })',
      'added: added an empty list',
    ]);
  });

  it('names strange members in brackets and compares lists of objects by position', () => {
    expect(
      describeAll({ list: [{ a: 1 }, { b: 2 }] }, { list: [{ a: 1 }, { b: 3 }, { 'x.y z': 1 }] }),
    ).toEqual(['list[1].b: 2 -> 3', 'list[2]: added { "x.y z": 1 }']);
    expect(describeAll({ 'a b': 1 }, { 'a b': 2 })).toEqual(['["a b"]: 1 -> 2']);
  });

  it('marks every foreign text, names included, and never has a raw line break', () => {
    const lines = describeDifferences(
      compareSupplySources({}, { 'na\u202eme\n': 'va\u202elue\n', o: { 'in\n': 1 } }),
    ).map(({ text }) => text);
    expect(lines).toEqual([
      '[«"na\\u{202E}me\\n"»]: added «"va\\u{202E}lue\\n"»',
      'o: added «{ "in\\n": 1 }»',
    ]);
  });

  it('cuts long values between characters and says how much is missing', () => {
    const [line] = describeAll({ a: '' }, { a: '\u{1F600}'.repeat(300) });
    expect(line).toMatch(/^a: "" -> "(\u{1F600}){239}\.\.\. \(62 more characters\)$/u);
  });

  it('opens a long value that comes or goes, so that nothing of it is hidden behind a count', () => {
    const members = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, `value ${at}`]));
    const added = describeAll({}, { capabilities: { services: members }, alias: 'x' });
    expect(added).toHaveLength(41);
    expect(added[39]).toBe('capabilities.services.m39: added "value 39"');
    const removed = describeAll({ list: Array.from({ length: 60 }, (_, at) => ({ at })) }, {});
    expect(removed).toHaveLength(60);
    expect(removed[59]).toBe('list[59]: removed (was { "at": 59 })');
  });

  it('quotes names and whatever is not plainly a time or a duration, so that one member cannot read as three', () => {
    expect(describeAll({}, { a: { 'our_price: 19.99, x': 'ok' } })).toEqual([
      'a: added { "our_price: 19.99, x": "ok" }',
    ]);
    const timeUnit = 'Hours, "price": 1';
    expect(describeAll({}, { a: { value: 4, timeUnit } })).toEqual([
      'a: added { "value": 4, "timeUnit": "Hours, \\"price\\": 1" }',
    ]);
    const monday = [{ startTime: '09:00', endTime: '18:00, closed' }];
    expect(describeAll({ operatingHoursByDay: { monday: [] } }, { operatingHoursByDay: { monday } })).toEqual(
      ['operatingHoursByDay: Mondays closed -> [{ "startTime": "09:00", "endTime": "18:00, closed" }]'],
    );
    expect(describeAll({ x: 1, 'a"]: 5 -> 6 ["b': 1 }, { x: 1, 'a"]: 5 -> 6 ["b': 2 })).toEqual([
      '["a\\"]: 5 -> 6 [\\"b"]: 1 -> 2',
    ]);
  });
});
