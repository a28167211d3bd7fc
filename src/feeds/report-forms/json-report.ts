/** The processing report of JSON_LISTINGS_FEED: counts, and issues by messageId. */

import * as z from 'zod';
import type { ProcessingReport, ReportIssue } from '../types.ts';

const count = z.int().min(0).optional().catch(undefined);
const text = z.string().min(1).optional().catch(undefined);
const schema = z.looseObject({
  issues: z.array(z.unknown()).optional(),
  summary: z.looseObject({ messagesProcessed: count, messagesAccepted: count }).optional(),
});
const issueSchema = z.looseObject({
  messageId: z.int().optional().catch(undefined),
  sku: text,
  code: text,
  severity: z.string().optional().catch(undefined),
  message: text,
  attributeName: text,
  attributeNames: z.array(z.string()).optional().catch(undefined),
});

/** Undefined where it is no such report. */
export function readJsonReport(whole: unknown): ProcessingReport | undefined {
  const { data } = schema.safeParse(whole);
  if (data === undefined || (data.issues === undefined && data.summary === undefined)) return undefined;
  const { messagesProcessed, messagesAccepted } = data.summary ?? {};
  return {
    form: 'json',
    ...(messagesProcessed === undefined ? {} : { processed: messagesProcessed }),
    ...(messagesAccepted === undefined ? {} : { accepted: messagesAccepted }),
    issues: (data.issues ?? []).flatMap(toIssue),
  };
}

function toIssue(value: unknown): ReportIssue[] {
  const { data } = issueSchema.safeParse(value);
  if (data === undefined) return [];
  const { messageId, sku, code, message, attributeName, attributeNames = [] } = data;
  const attributes = [
    ...new Set([...(attributeName === undefined ? [] : [attributeName]), ...attributeNames]),
  ];
  return [
    {
      severity: severityOf(data.severity),
      ...(messageId === undefined ? {} : { messageId }),
      ...(sku === undefined ? {} : { sku }),
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
      ...(attributes.length === 0 ? {} : { attributes }),
    },
  ];
}

/** What nobody has described counts as an error: nothing is told as accepted that may not be. */
export function severityOf(severity: string | undefined): ReportIssue['severity'] {
  if (/^warn/i.test(severity ?? '')) return 'WARNING';
  return /^info|^notice/i.test(severity ?? '') ? 'INFO' : 'ERROR';
}
