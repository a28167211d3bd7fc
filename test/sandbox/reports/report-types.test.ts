import { expect, it } from 'vitest';
import { findReportType } from '../../../sandbox/reports/report-types.ts';
import { reportType, reportTypes } from '../../../src/service/facts/report-types.ts';

const FORMATS = { tab: 'text/plain', csv: 'text/csv', json: 'application/json' } as const;

const PLAYED = reportTypes.map(({ id }) => id).filter((id) => findReportType(id) !== undefined);

it.each(PLAYED)('%s is played as the facts have it', (name) => {
  const played = findReportType(name);
  const facts = reportType(name);
  const format = Object.entries(FORMATS).find(([, type]) => played?.contentType.startsWith(type))?.[0];
  expect(played?.isRestricted).toBe(facts?.restricted);
  expect(played?.canBeRequested ?? true).toBe(facts?.origin !== 'service');
  // One that is always fatal has no rows to write.
  if (name !== 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT') expect(format).toBe(facts?.format);
});
