/** The columns that are told of reports: of types that are known, and none that nobody has reviewed for personal data. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeReportTables } from '../../../src/render/describe-expected.ts';
import { reportColumns } from '../../../src/service/facts/generated/report-columns.ts';
import { columnsOfReport } from '../../../src/service/facts/report-columns.ts';
import { mostUsedReportTypes, reportType } from '../../../src/service/facts/report-types.ts';

const reviewed = readFileSync(new URL('../../privacy/personal/columns.txt', import.meta.url), 'utf8');

/** Returns the reviewed columns of one type, whatever is noted about them. */
function reviewedOf(type: string): Set<string> {
  const lines = reviewed.split('\n');
  const from = lines.findIndex((line) => /^[A-Z]/.test(line) && line.split(' ').includes(type));
  const to = lines.findIndex((line, at) => at > from && !line.startsWith('  '));
  return new Set(lines.slice(from + 1, to).flatMap((line) => (line.split(': ')[1] ?? '').split(' | ')));
}

test.each(Object.keys(reportColumns))('%s', (type) => {
  expect(reportType(type)).toBeDefined();
  const { headings = [] } = columnsOfReport(type) ?? {};
  const known = reviewedOf(type);
  expect(headings.filter((heading) => !known.has(heading))).toEqual([]);
  expect(new Set(headings).size).toBe(headings.length);
});

test('most of those that are used most are told, and of the others that they are not known', async () => {
  const described = mostUsedReportTypes().filter(({ id }) => columnsOfReport(id) !== undefined);
  expect(described.length).toBeGreaterThanOrEqual(12);
  for (const type of ['GET_LEDGER_SUMMARY_VIEW_DATA', 'constructor', 'GET_NO_SUCH'])
    expect(await describeReportTables(type)).toEqual([expect.stringContaining('not known here')]);
});
