/** The processing report of JSON_LISTINGS_FEED: counts, and issues by messageId. */

import * as z from 'zod';
import type { ProcessingReport, ReportIssue } from '../types.ts';

/** As a text too: `"messageId": "2"`. */
const number = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const count = number.optional().catch(undefined);
const text = z.string().min(1).optional().catch(undefined);
const schema = z.looseObject({
  issues: z.array(z.unknown()).optional(),
  summary: z.looseObject({ messagesProcessed: count, messagesAccepted: count }).optional(),
});
const issueSchema = z.looseObject({
  messageId: count,
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
    issues: (data.issues ?? []).map(toIssue),
  };
}

function toIssue(value: unknown): ReportIssue {
  // One that cannot be read is one nevertheless.
  const {
    messageId,
    sku,
    code,
    severity,
    message,
    attributeName,
    attributeNames = [],
  } = issueSchema.safeParse(value).data ?? {};
  const attributes = [
    ...new Set([...(attributeName === undefined ? [] : [attributeName]), ...attributeNames]),
  ];
  return {
    severity: severityOf(severity),
    ...(messageId === undefined ? {} : { messageId }),
    ...(sku === undefined ? {} : { sku }),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
}

export function severityOf(severity = ''): ReportIssue['severity'] {
  if (/^(error|fatal)$/i.test(severity)) return 'ERROR';
  if (/^warn(ing)?$/i.test(severity)) return 'WARNING';
  return /^(info|information|notice)$/i.test(severity) ? 'INFO' : 'UNKNOWN';
}
