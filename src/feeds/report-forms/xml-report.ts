/** The processing report of XML feeds: counts, and a Result for each message with something to say. */

import type { ProcessingReport, ReportIssue } from '../types.ts';
import { severityOf } from './json-report.ts';

/** Undefined where it is no such report. Its elements are flat, and read as text: nothing in it is resolved. */
export function readXmlReport(text: string): ProcessingReport | undefined {
  if (!text.includes('<ProcessingReport>') && !text.includes('<ProcessingSummary>')) return undefined;
  const processed = numberIn(text, 'MessagesProcessed');
  const accepted = numberIn(text, 'MessagesSuccessful');
  return {
    form: 'xml',
    ...(processed === undefined ? {} : { processed }),
    ...(accepted === undefined ? {} : { accepted }),
    issues: resultsIn(text),
  };
}

function resultsIn(text: string): ReportIssue[] {
  const pieces = text.split('<Result>').slice(1);
  return pieces.map((piece) => {
    const result = piece.split('</Result>')[0] ?? '';
    const messageId = numberIn(result, 'MessageID');
    const [sku, code] = [textIn(result, 'SKU'), textIn(result, 'ResultMessageCode')];
    const message = textIn(result, 'ResultDescription');
    return {
      severity: severityOf(textIn(result, 'ResultCode')),
      // 0 stands for the feed as a whole.
      ...(messageId === undefined || messageId === 0 ? {} : { messageId }),
      ...(sku === undefined ? {} : { sku }),
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
    };
  });
}

function textIn(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, start);
  if (start < 0 || end < 0) return undefined;
  const raw = xml.slice(start + name.length + 2, end).trim();
  const text = raw
    .replace(/^<!\[CDATA\[([\s\S]*)\]\]>$/, '$1')
    .replace(/&(lt|gt|quot|apos|amp);/g, (all, entity) => ENTITIES[entity] ?? all);
  return text === '' ? undefined : text;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function numberIn(xml: string, name: string): number | undefined {
  const text = textIn(xml, name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
