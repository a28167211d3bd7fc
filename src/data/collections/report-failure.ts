/** Explains why a report could not be had, with known causes and the service's own message. */

import { ApiError, AppError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { showText } from '../../base/text/escape-text.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import { nearestReportTypes, reportType } from '../../service/facts/report-types.ts';
import type { DocumentBatch } from '../documents/document.ts';
import { readDocument } from '../documents/read-document.ts';
import type { ReportRequest } from './report-request.ts';

/** The error for a report that does not exist and will not come, with the reason and a remedy. */
export class ReportError extends AppError {
  override readonly name = 'ReportError';
}

/** Adds similar names to the error about a type that the service does not accept. */
export function explainType(error: unknown, type: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 400 || reportType(type) !== undefined) return error;
  const near = nearestReportTypes(type);
  return near.length === 0 ? error : error.withHint(`Report types near ${type}: ${near.join(', ')}.`);
}

/** The service made no document, which often means that it has no data. */
export class EmptyReportError extends ReportError {}

export function cancelled(request: ReportRequest, reportId: string): EmptyReportError {
  const { type, facts, start } = request;
  const apart = facts?.minutesApart;
  const often =
    apart === undefined
      ? 'or that it was asked for again too soon: wait half an hour, or use the one before'
      : `or that it was asked for again too soon (a new one is made at most every ${formatDuration(apart * 60_000)}): wait, or use the one before`;
  const range = start === undefined ? 'these marketplaces' : 'this time and these marketplaces';
  return new EmptyReportError(
    `The service cancelled report ${showText(reportId)} (${type}).`,
    `That means that it has no data for ${range} (try a longer time, or check the marketplaces), ${often}.`,
  );
}

/** Builds the error with the service's message, if there is one. */
export function fatal({ type, facts }: ReportRequest, said: ServiceText | undefined): ReportError {
  const words = said === undefined ? '' : ` It says: ${said.quoted(500)}`;
  const limits = facts?.limits === undefined ? '' : ` Of this type is known: ${facts.limits}.`;
  return new ReportError(
    `The service could not make the report ${type} (FATAL).${words}`,
    said === undefined
      ? `Check start, end, marketplaces and options; a shorter time often helps.${limits} The same request may work in half an hour.`
      : `Put right what it says, in start, end, marketplaces or options.${limits}`,
  );
}

/** Max characters of the message that are read. */
const REASON_CHARACTERS = 1_000;

/** Returns undefined for a document without any text. @throws DocumentError */
export async function readReason(
  file: string,
  charset: string | undefined,
): Promise<ServiceText | undefined> {
  const reader = readDocument(file, { format: 'other', charset });
  for await (const batch of reader.batches()) {
    const text = textOf(batch);
    if (text !== '') return new ServiceText(text.slice(0, REASON_CHARACTERS));
  }
  return undefined;
}

function textOf(batch: DocumentBatch): string {
  if (batch.kind === 'text') return batch.text;
  if (batch.kind === 'items') return JSON.stringify(batch.items);
  return batch.kind === 'rows' ? batch.rows.flat().join(' ') : '';
}

export function tooSlow(ms: number): ReportError {
  return new ReportError(
    `The report was not made within ${formatDuration(ms)}.`,
    'Call again later with the same arguments: it is found when it is done.',
  );
}
