/** Tests how the current state becomes a body that can be written. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { InputError } from '../../../../src/base/errors.ts';
import { toObject } from '../../../../src/base/json.ts';
import { supplySourceSchema } from '../../../../src/service/shapes/supply-source.ts';
import { describeDifferences } from '../../../../src/write/model/format/describe-difference.ts';
import {
  applyMergePatch,
  changeSupplySource,
  toWritableSupplySource,
} from '../../../../src/write/model/store/body.ts';
import { compareSupplySources } from '../../../../src/write/model/store/state.ts';
import { buildCurrentState } from '../../handlers/store/fixture.ts';

const closeOnSundays = {
  configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } },
};

describe('toWritableSupplySource', () => {
  it('drops what can only be read, at the top and nowhere else', () => {
    const writable = toWritableSupplySource(buildCurrentState());
    expect(Object.keys(writable)).toEqual(['alias', 'configuration', 'capabilities', 'loyaltyProgram']);
    expect(writable).toMatchObject({
      capabilities: {
        outbound: {
          returnLocation: { supplySourceId: 'ss-2', addressWithContact: { address: { city: 'Berlin' } } },
        },
      },
    });
  });
});

/** Each object that the body lists, by its path, with the names that it lists there. */
function objectsOf(
  schema: unknown,
  path: readonly string[] = [],
): { path: readonly string[]; names: string[] }[] {
  if (schema instanceof z.ZodOptional) return objectsOf(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject)) return [];
  const inner = Object.entries(schema.shape).flatMap(([name, member]) => objectsOf(member, [...path, name]));
  return [{ path, names: Object.keys(schema.shape) }, ...inner];
}
const ONLY_READ = [
  'supplySourceId',
  'supplySourceCode',
  'status',
  'address',
  'createdAt',
  'updatedAt',
  'details',
];
const at = (path: readonly string[], value: object) =>
  path.reduceRight<object>((inner, name) => ({ [name]: inner }), value);

it.each(objectsOf(supplySourceSchema))(
  'drops what only reads have from $path, and keeps the rest',
  ({ path, names }) => {
    const [read, kept] = [ONLY_READ, ONLY_READ.filter((name) => names.includes(name))].map((all) =>
      Object.fromEntries([...all, 'unknownMember'].map((name) => [name, { status: 'x' }])),
    );
    // The objects in the body have none of these members either.
    const isObject = (name: string) =>
      objectsOf(supplySourceSchema).some((one) => one.path.join() === [...path, name].join());
    const wanted = Object.fromEntries(
      Object.entries(kept ?? {}).map(([name, value]) => [name, isObject(name) ? {} : value]),
    );
    expect(toWritableSupplySource(toObject(at(path, read ?? {})))).toEqual(at(path, wanted));
  },
);

describe('changeSupplySource', () => {
  it('closes on Sundays and changes nothing else, unknown members included', () => {
    const current = buildCurrentState();
    const body = changeSupplySource(current, closeOnSundays);
    const differences = compareSupplySources(toWritableSupplySource(current), body);
    expect(describeDifferences(differences).map(({ text }) => text)).toEqual([
      'configuration.operationalConfiguration.operatingHoursByDay: Sundays 09:00-18:00 -> closed',
    ]);
    expect(body).toMatchObject({ configuration: { holidayPlan: 'plan-7' }, loyaltyProgram: { level: 3 } });
    expect(current).toEqual(buildCurrentState());
  });

  const hoursOf = (saturday: unknown, given: object) => {
    const state = (day: unknown) => ({
      configuration: { operationalConfiguration: { operatingHoursByDay: { saturday: day } } },
    });
    return changeSupplySource(state(saturday), state([given]));
  };

  it('an end alone keeps the beginning that the day has, and the other way round', () => {
    const ten = [{ startTime: '10:00', endTime: '20:00' }];
    expect(hoursOf(ten, { endTime: '14:00' })).toMatchObject({
      configuration: {
        operationalConfiguration: {
          operatingHoursByDay: { saturday: [{ startTime: '10:00', endTime: '14:00' }] },
        },
      },
    });
    expect(JSON.stringify(hoursOf(ten, { startTime: '11:00' }))).toContain(
      '[{"startTime":"11:00","endTime":"20:00"}]',
    );
  });

  it.each([
    ['closed', []],
    [
      'open twice',
      [
        { startTime: '08:00', endTime: '12:00' },
        { startTime: '13:00', endTime: '20:00' },
      ],
    ],
    ['not known', undefined],
  ])('an end alone is refused for a day that is %s', (_case, saturday) => {
    expect(() => hoursOf(saturday, { endTime: '14:00' })).toThrow(
      /operatingHoursByDay\.saturday gives one time, and the day has not exactly one opening/,
    );
  });

  it.each([
    [[{ startTime: '08:00' }, { startTime: '13:00', endTime: '20:00' }]],
    [[{ endTime: '12:00' }, { endTime: '20:00' }]],
    [[]],
    ['closed'],
  ])('openings that are not one opening of a day are sent as they were given: %j', (given) => {
    const day = { configuration: { operationalConfiguration: { operatingHoursByDay: { saturday: given } } } };
    const target = {
      configuration: {
        operationalConfiguration: {
          operatingHoursByDay: { saturday: [{ startTime: '09:00', endTime: '17:00' }] },
        },
      },
    };
    expect(applyMergePatch(target, day)).toEqual(day);
  });

  it('refuses members that cannot be written, each with what changes it', () => {
    const attempt = () =>
      changeSupplySource(buildCurrentState(), { status: 'Inactive', address: {}, alias: 'x' });
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(/can only be read: status, address/);
    try {
      attempt();
    } catch (error) {
      const problems = error instanceof InputError ? error.problems : [];
      expect(problems[0]).toEqual({
        path: 'status',
        message: 'cannot be changed here: updateSupplySourceStatus and archiveSupplySource change it',
      });
    }
  });

  it.each([null, [], 'close on Sundays', {}])('refuses %j as changes', (changes) => {
    expect(() => changeSupplySource(buildCurrentState(), changes)).toThrow(InputError);
  });
});
