/** Reads the resources; whatever goes wrong is told in the same words as a tool tells it. */

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { InputError } from '../../base/errors.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { readBound } from '../../call/read-bound.ts';
import { rejectPlaceholders } from '../../privacy/personal/unmask.ts';
import { errorText } from '../../render/error-result.ts';
import { describeItem } from '../../render/listing/item.ts';
import { fitValue } from '../../render/value/fit-value.ts';
import { describeOperation, reportLinesOf } from '../../service/describe/describe-operation.ts';
import { listOperations } from '../../service/describe/list-operations.ts';
import { marketplaceName } from '../../service/facts/marketplaces.ts';
import type { Session } from '../../write/session.ts';
import { DECISIONS } from '../generated/decisions.ts';

const LISTING = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];

export async function readOperations(session: Session): Promise<string> {
  return (await listOperations(await session.program.registry())).text;
}

export const readDecisions = async () => DECISIONS;

export async function readOperation(id: string, session: Session): Promise<string> {
  const registry = await session.program.registry();
  const operation = registry.find(decode(id));
  const { describeExpected } = await import('../../render/describe-expected.ts');
  const [reportLines, tables] = await Promise.all([
    reportLinesOf(operation),
    describeExpected(operation, registry),
  ]);
  return describeOperation(operation, { reportLines, tableLines: tables?.lines }).text;
}

export async function readReportTypes(): Promise<string> {
  const { allReportTypes } = await import('../../service/describe/report-lines.ts');
  return allReportTypes();
}

export async function readReportType(encoded: string): Promise<string> {
  const { nearestReportTypes, reportType } = await import('../../service/facts/report-types.ts');
  const name = decode(encoded);
  const type = reportType(name);
  if (type === undefined) throw unknownReportType(name, nearestReportTypes(name));
  const { describeReportType } = await import('../../service/describe/report-lines.ts');
  const { describeReportTables } = await import('../../render/describe-expected.ts');
  return [describeReportType(type), ...(await describeReportTables(name))].join('\n');
}

function unknownReportType(name: string, near: readonly string[]): InputError {
  const meant = near.length === 0 ? '' : `Near it are: ${near.join(', ')}. `;
  return new InputError(
    `The report type ${quoteName(name.slice(0, 100))} is not known here.`,
    `${meant}seller://report-types lists those that are; createReport takes others too.`,
  );
}

/** The same call, through the same client, as read_operation with getListingsItem makes. */
export async function readItem(sku: string, session: Session, signal: AbortSignal): Promise<string> {
  const { account, answerTokens: maxTokens } = session.settings();
  const operation = (await session.program.registry()).find('listings-items/getListingsItem');
  const personal = await session.personal();
  const parameters = { sku: decode(sku), includedData: LISTING };
  rejectPlaceholders('A resource', parameters);
  const bound = readBound({ operation, parameters });
  const client = await session.client();
  const answer = await client.call({ operation, account, parameters }, { signal, bound });
  const masked = personal.maskAnswer(account, { operation: operation.id }, answer.body);
  const body = session.redactor.redactJson(masked);
  const options = { whole: body, now: session.program.now(), marketplaceName, complete: true };
  const describe = (value: unknown, room: number) => describeItem(value, { ...options, maxTokens: room });
  return fitValue(body, { maxTokens, describe }).text;
}

export async function listAnswers(session: Session): Promise<ListResourcesResult> {
  const kept = (await session.answers()).list();
  return {
    resources: kept.map(({ uri, name }) => ({ uri, name, mimeType: 'application/json' })),
  };
}

export async function readAnswer({ href }: URL, session: Session): Promise<string> {
  const kept = (await session.answers()).read(href);
  if (kept !== undefined) return kept;
  throw new ResourceNotFoundError(
    href,
    'This answer is no longer kept: only the last 20 are. Make the call again.',
  );
}

/** @throws InputError for an address that is not percent-encoded text. */
export function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new InputError(
      'The address is not percent-encoded UTF-8.',
      'Encode what is no letter or digit, as in a%20b.',
    );
  }
}

/** @throws ProtocolError for whatever goes wrong */
export async function withToolErrors(session: Session, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const code =
      error instanceof InputError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    const { maskText } = await session.personal();
    const clean = (text: string) => maskText(session.redactor.redact(text));
    throw new ProtocolError(code, clean(errorText(error, clean)));
  }
}
