/** The opening hours of a store that was only changed from here: each day is as it was last written, and only the last write tells what it replaced. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readHours } from '../../src/board/hours.ts';
import { DAYS } from '../../src/write/model/store/hours.ts';
import type { AccountWrite } from '../../src/write/records/account-writes.ts';

const PLACES = ['configuration', 'outbound'];
const hour = fc.integer({ min: 1, max: 11 });
const writes = fc.array(
  fc.record({ place: fc.constantFrom(...PLACES), day: fc.constantFrom(...DAYS), from: hour, to: hour }),
  { minLength: 1, maxLength: 6 },
);
type Written = { place: string; day: string; from: number; to: number };

const openFrom = (from: number) => [{ startTime: `${String(from).padStart(2, '0')}:00`, endTime: '12:00' }];
const spanFrom = (from: number) => [[from * 60, 720]];

const writeOf = ({ place, day, from, to }: Written, at: number): AccountWrite => ({
  id: `w-${at}`,
  time: new Date(at * 1_000).toISOString(),
  account: 'default',
  owner: 'o',
  operation: 'supply-sources/updateSupplySource',
  outcome: 'done',
  isApplied: true,
  whyNot: undefined,
  isSuperseded: false,
  open: async () => ({
    parameters: { supplySourceId: 's-1' },
    members: [{ segments: [place, 'operatingHoursByDay', day], before: openFrom(from), after: openFrom(to) }],
  }),
});

it('each day is as it was last written, and what was there before is told of the last write alone', async () => {
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const { stores } = await readHours({
        collections: [],
        tables: { query: () => Promise.reject(new Error('nothing is collected')) },
        writes: all.map(writeOf),
        timeoutMs: 1_000,
        signal: new AbortController().signal,
        redact: (text) => text,
      });
      const shown = stores.flatMap(({ places: channels }) => channels.map(({ days }) => days));
      const channels = [...new Set(all.map(({ place }) => place))];
      const last = all.at(-1);
      const expected = channels.map((place) =>
        DAYS.map((name) => {
          const written = all.findLast((one) => one.place === place && one.day === name);
          return {
            name,
            ...(written === undefined ? {} : { open: spanFrom(written.to) }),
            ...(written === undefined || written !== last ? {} : { before: spanFrom(written.from) }),
            faults: [],
          };
        }),
      );
      expect(shown).toEqual(expected);
    }),
  );
});
