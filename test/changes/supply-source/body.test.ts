/** From the current state to a body that can be written. */

import { describe, expect, it } from 'vitest';
import { describeDifferences } from '../../../src/changes/describe-difference.ts';
import { changeSupplySource, toWritableSupplySource } from '../../../src/changes/supply-source/body.ts';
import { compareSupplySources } from '../../../src/changes/supply-source/state.ts';
import { InputError } from '../../../src/errors.ts';
import { buildCurrentState } from './fixture.ts';

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

describe('changeSupplySource', () => {
  it('closes on Sundays and changes nothing else, unknown members included', () => {
    const current = buildCurrentState();
    const body = changeSupplySource(current, closeOnSundays);
    const differences = compareSupplySources(toWritableSupplySource(current), body);
    expect(describeDifferences(differences, (text) => text).map(({ text }) => text)).toEqual([
      'configuration.operationalConfiguration.operatingHoursByDay: Sunday 09:00-18:00 -> closed',
    ]);
    expect(body).toMatchObject({ configuration: { holidayPlan: 'plan-7' }, loyaltyProgram: { level: 3 } });
    expect(current).toEqual(buildCurrentState());
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
