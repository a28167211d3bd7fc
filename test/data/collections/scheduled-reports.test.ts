/** Reports that nobody can ask for: all of a time up to a limit, and what is told about the rest. */

import { expect, it } from 'vitest';
import type { ServiceReport } from '../../../src/data/collections/fitting-report.ts';
import { findScheduledReport, MAX_JOINED_REPORTS } from '../../../src/data/collections/scheduled-reports.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

const DE = 'A1PA6795UKMFR9';
const SETTLEMENTS = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const clock = fakeClock();
const at = (daysAgo: number) => new Date(clock.wallClock() - daysAgo * 86_400_000).toISOString();

const report = (id: number, from: number, to: number, marketplace = DE): ServiceReport => ({
  reportId: `S${id}`,
  processingStatus: 'DONE',
  reportDocumentId: `D${id}`,
  marketplaceIds: [marketplace],
  createdTime: at(to),
  dataStartTime: at(from),
  dataEndTime: at(to),
});

function find(reports: ServiceReport[], times: { start?: string; end?: string }, type = SETTLEMENTS) {
  const request = { type, facts: reportType(type), marketplaces: [DE], notes: [], ...times };
  return findScheduledReport({ request, clock }, async () => reports);
}

it('only those of the time and the marketplaces', async () => {
  const reports = [
    report(1, 14, 1),
    report(2, 30, 15),
    report(3, 60, 31),
    report(4, 14, 1, 'A13V1IB3VIYZZH'),
  ];
  const made = await find(reports, { start: at(25), end: at(16) });
  expect(made.reports.map(({ reportId }) => reportId)).toEqual(['S2']);
  expect(made).toMatchObject({ areJoined: true, complete: true });
});

it('one that ends as the time begins, or begins as it ends, is of it; two seconds beside it is none', async () => {
  const beside = 2 / 86_400;
  const reports = [
    report(1, 30, 25),
    report(2, 30, 25 + beside),
    report(3, 16, 10),
    report(4, 16 - beside, 10),
  ];
  const made = await find(reports, { start: at(25), end: at(16) });
  expect(made.reports.map(({ reportId }) => reportId)).toEqual(['S1', 'S3']);
});

it.each([
  ['of a time', { start: at(30), end: at(20) }, at(30)],
  ['of a time before what the service lists', { start: at(100), end: at(80) }, at(89)],
  ['of no time', {}, at(89)],
])(
  'those %s are listed from its beginning, and from no day that the service does not list',
  async (_what, times, from) => {
    const request = {
      type: SETTLEMENTS,
      facts: reportType(SETTLEMENTS),
      marketplaces: [DE],
      notes: [],
      ...times,
    };
    let asked = Number.NaN;
    const list = async (since: number) => {
      asked = since;
      return [];
    };
    await expect(findScheduledReport({ request, clock }, list)).rejects.toThrow('There is no');
    expect(new Date(asked).toISOString()).toBe(from);
  },
);

it('those beyond the limit are told', async () => {
  const many = Array.from({ length: MAX_JOINED_REPORTS + 1 }, (_, i) => report(i, i / 2 + 1, i / 2 + 0.5));
  const made = await find(many, { start: at(80) });
  expect(made.reports).toHaveLength(MAX_JOINED_REPORTS);
  expect(made.complete).toBe(false);
  expect(made.notes.join(' ')).toMatch(/At most 100 reports .* newest of 101/);
  // The notes name these and say that they are the newest; no third follows, because none covers the time of
  // another.
  expect(made.notes).toHaveLength(2);
});

it('which they are is told, by id and days, the first of many, and by day where it ends', async () => {
  const five = Array.from({ length: 12 }, (_, i) => report(i, i + 2, i + 1));
  const day = (daysAgo: number) => at(daysAgo).slice(0, 10);
  const [note = '', ...others] = (await find(five, { start: at(80) })).notes;
  const named = [...note.matchAll(/S(\d+) \((\S+) to (\S+)\)/g)].map(([, id, from, to]) => [id, from, to]);
  expect(named).toEqual(named.map((_, i) => [String(i), day(i + 2), day(i + 1)]));
  expect(named.length).toBeGreaterThan(2);
  expect(note).toBe(
    `12 reports of this time, by report_id: ${named.map(([id, from, to]) => `S${id} (${from} to ${to})`).join(', ')} and ${12 - named.length} more.`,
  );
  expect(others).toEqual([]);
  const { dataStartTime: _, ...untimed } = report(7, 3, 2);
  expect((await find([untimed], { start: at(80) })).notes).toEqual([
    '1 report of this time, by report_id: S7.',
  ]);
});

it('where the time begins before what the service lists, or is not said to begin, the first day that it lists is told', async () => {
  for (const times of [{ end: at(1) }, { start: at(91) }]) {
    const { notes, complete } = await find([report(1, 14, 2)], times);
    expect(notes).toHaveLength(2);
    expect(notes[1]).toContain(`none before ${at(89).slice(0, 10)} is among them`);
    expect(complete).toBe(false);
  }
  expect((await find([report(1, 14, 2)], { start: at(89) })).notes).toHaveLength(1);
});

it('tells reports that cover the same time only where their rows cannot be counted', async () => {
  const overlapping = [report(1, 20, 1), report(2, 30, 15)];
  const countNotes = async (type: string) => (await find(overlapping, { start: at(40) }, type)).notes.length;
  expect(await countNotes('GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2')).toBe(1);
  expect(await countNotes('GET_ORDER_REPORT_DATA_SHIPPING')).toBe(2);
});

it('none at all is told with who makes them', async () => {
  await expect(find([], {})).rejects.toMatchObject({
    hint: expect.stringMatching(/makes it by itself.*90 days/),
  });
  await expect(find([], {}, 'GST_MTR_B2B')).rejects.toMatchObject({
    hint: expect.stringContaining('schedule'),
  });
});
