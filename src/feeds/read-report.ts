/** A processing report as text becomes issues by message, whatever form its feed type gives it. */

import { nestsDeeperThan, parseJson } from '../json.ts';
import { readJsonReport } from './report-forms/json-report.ts';
import { readTableReport } from './report-forms/table-report.ts';
import { readXmlReport } from './report-forms/xml-report.ts';
import type { ProcessingReport, UnknownReport } from './types.ts';

/** Of a report that is not understood. */
const BEGINNING = 1_000;

export function readReport(text: string): ProcessingReport | UnknownReport {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart();
  const unknown = (why: string): UnknownReport => ({
    form: 'unknown',
    why,
    beginning: trimmed.slice(0, BEGINNING),
  });
  if (trimmed === '') return unknown('it is empty');
  if (/^[{[]/.test(trimmed)) {
    if (nestsDeeperThan(Buffer.from(trimmed))) return unknown('it is nested too deeply');
    const whole = parseJson(trimmed);
    if (whole === undefined) return unknown('it begins like JSON, and is none');
    return readJsonReport(whole) ?? unknown('it is JSON of another form');
  }
  if (trimmed.startsWith('<')) return readXmlReport(trimmed) ?? unknown('it is XML or HTML of another form');
  return readTableReport(trimmed) ?? unknown('it is neither JSON nor a table that is known');
}
