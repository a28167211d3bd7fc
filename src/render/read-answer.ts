/** Builds the answer of an operation that reads, from the parsed body to both forms. */

import { tokensOf } from '../base/text/shorten.ts';
import { elementsMissing, roleMembersMissing } from '../data/collections/omitted-parts.ts';
import { memberAt } from '../data/collections/parse-page.ts';
import type { Reviewed } from '../service/facts/effects.ts';
import { reviewed } from '../service/facts/generated/reviewed.ts';
import { marketplaceName } from '../service/facts/marketplaces.ts';
import type { Operation } from '../service/facts/operation.ts';
import { collectDocumentKind } from './documents/document-members.ts';
import type { SaveDocuments } from './documents/save-documents.ts';
import { describeItem, rankIssues } from './listing/item.ts';
import { maskServiceAnswer } from './mask-answer.ts';
import type { ReadingSession } from './reading-session.ts';
import { type AnswerFacts, fitServiceAnswer, toToolAnswer, wholeUnlessSelected } from './service-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';

/** Describes the call that was answered. */
export interface ReadAnswerParts {
  operation: Operation;
  account: string;
  result: AnswerFacts;
  select: readonly string[] | undefined;
  /** Lines after the answer. */
  remarks: readonly string[];
  /** Omitted parameters for which the tool set a default. */
  defaults: Readonly<Record<string, string>>;
  /** The requested parts (`includedData`), as the call names them. */
  includedData?: unknown;
  /** True for one listing, whose issues are explained. */
  isListing?: boolean;
}

export type ReadAnswer = ToolAnswer<{
  operation: string;
  status: number;
  value: unknown;
  account: string;
  note: string;
}>;

/** @param body the answer, without secrets that this session does not disclose */
export async function buildReadAnswer(
  body: unknown,
  parts: ReadAnswerParts,
  session: ReadingSession,
  saveAll: SaveDocuments,
): Promise<ReadAnswer> {
  const { operation, account, result, select, remarks, defaults } = parts;
  if (operation.group === 'Supply Sources') (await session.answers()).noteSupplySources(body);
  const saved = await maskServiceAnswer({ operation, account, result, whole: body, session, saveAll });
  const { whole } = saved;
  const fitted = await fitServiceAnswer({
    session,
    name: operation.name,
    account,
    result,
    whole,
    saved,
    select,
    remark: [...remarks, describeCollecting(operation, body) ?? '', describeMissing(parts, body, session)]
      .filter((notice) => notice !== '')
      .join(' '),
    defaults,
    takeOutShared: true,
    ...(parts.isListing === true ? describeListing(whole, session.program.now(), parts) : {}),
  });
  return toToolAnswer(fitted, { operation: operation.id, status: result.status, value: fitted.value });
}

/** Returns nothing if the selection is unrelated, or if the notice would take the room of the values. */
function describeMissing(
  { operation, result, select = [], includedData }: ReadAnswerParts,
  body: unknown,
  { settings }: ReadingSession,
): string {
  if (select.length > 0 && !/buyer|recipient|address/i.test(select.join())) return '';
  const notice =
    elementsMissing(operation, body, result.personalData) ??
    roleMembersMissing(operation, body, includedData) ??
    '';
  return tokensOf(notice) > settings().answerTokens / 10 ? '' : notice;
}

/** Returns a notice if the answer is one page of many, or an address that no assistant can open. */
function describeCollecting(operation: Operation, body: unknown): string | undefined {
  const of = collectDocumentKind(operation);
  if (of !== undefined) return `To read it: collect_data with document {"id": ..., "of": "${of}"}.`;
  const { paging } = operation;
  const rest = reviewed[operation.id]?.rest;
  if (rest !== undefined) return describeRest(rest, body);
  const token = paging?.by === 'token' ? memberAt(body, paging.output) : undefined;
  return typeof token === 'string' && token !== ''
    ? 'There are more pages: collect_data reads all of them into a table.'
    : undefined;
}

/** Names the call for the rest if the answer is full and only another operation takes its page token. */
function describeRest(
  { after, list, token, call }: NonNullable<Reviewed['rest']>,
  body: unknown,
): string | undefined {
  const [items, next] = [memberAt(body, list), memberAt(body, token)];
  return Array.isArray(items) && items.length >= after && typeof next === 'string' && next !== ''
    ? `NOT ALL, perhaps: it gives ${after} items at most and takes no page token. The rest: read_operation ${call}.`
    : undefined;
}

function describeListing(whole: unknown, now: number, { select, includedData }: ReadAnswerParts) {
  const areIssuesRequested = String(includedData).includes('issues');
  const whyAbsent = areIssuesRequested ? {} : { whyAbsent: 'includedData does not ask for them' };
  const options = { now, marketplaceName, select, ...whyAbsent, ...wholeUnlessSelected(whole, select) };
  return {
    rank: (value: unknown) => rankIssues(value, options),
    aside: ['attributes'],
    // The text names issues by their index and their members, which have to stay.
    takeOutShared: false,
    describe: (value: unknown, maxTokens: number) => describeItem(value, { maxTokens, ...options }),
  };
}
