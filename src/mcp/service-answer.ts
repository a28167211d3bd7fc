/** The answer of every tool that reads from the service: within the budget, the rest one step away. */

import * as z from 'zod';
import { type Answer, type AnswerOptions, buildAnswerInTurns } from '../answers/answer.ts';
import type { CallResult } from '../client/client.ts';
import { letOthersRun } from '../event-loop.ts';
import { jsonText } from '../json.ts';
import { tokensOf } from '../text/shorten.ts';
import type { ResourceLink, ToolAnswer } from './define-tool.ts';
import { MOST_HEADER } from './error-result.ts';
import type { Session } from './session.ts';

const omissionSchema = z.looseObject({ select: z.array(z.string()), what: z.string(), bytes: z.number() });

/** What every such answer says beside its value. */
export const serviceAnswerFields = {
  account: z.string(),
  /** Requests per second, as sent. */
  rate_limit: z.string().optional(),
  request_id: z.string().optional(),
  /** Parameters taken from the account. */
  filled_in: z.record(z.string(), z.string()).optional(),
  omitted: z.array(omissionSchema).optional().describe('Left out; fetch with select'),
  /** Paths of `select` that lead nowhere. */
  not_found: z.array(z.string()).optional(),
};

export interface ServiceAnswerParts extends Pick<AnswerOptions, 'select' | 'aside' | 'describe'> {
  session: Session;
  /** What the answer is of: `getListingsItem`. */
  name: string;
  account: string;
  result: CallResult;
  /** The value that is selected from and fitted. */
  whole: unknown;
  /** A remark of one line that stands behind the answer; none where it is empty. */
  note?: string;
  /** What the tool itself adds, in tokens of its longer form. */
  taken?: number;
}

export interface FittedAnswer {
  value: unknown;
  facts: Readonly<Record<string, unknown>> & { account: string };
  text: string;
  links: ResourceLink[];
}

export async function fitServiceAnswer(parts: ServiceAnswerParts): Promise<FittedAnswer> {
  const { session, name, account, result, note = '', taken = 0, ...options } = parts;
  // Before anything is cut: half a secret would not be known for one.
  const json = jsonText(parts.whole);
  await letOthersRun(json.length);
  const whole = session.redactor.redactJson(parts.whole, json);
  await letOthersRun(json.length);
  const facts = { ...factsOf(account, result), ...(note === '' ? {} : { note }) };
  const head = [headLine(name, account, result), ...(note === '' ? [] : [`(${note})`])].join('\n');
  const maxTokens =
    session.settings().answerTokens - taken - tokensOf(JSON.stringify(facts)) - tokensOf(head) - LINK_TOKENS;
  const answer = await buildAnswerInTurns(
    whole,
    { ...options, ...(whole === parts.whole ? { json } : {}), maxTokens },
    json.length,
  );
  return {
    value: answer.value,
    facts: { ...facts, ...leftOut(answer) },
    text: [answer.text, head].join('\n'),
    links:
      answer.omitted.length + answer.aside.length === 0
        ? []
        : await linkTo(`${name}, account ${account}`, { value: whole, bytes: result.bytes }, session),
  };
}

/** Room for the link to the full answer, which some hosts show with the text. */
export const LINK_TOKENS = 80;

function factsOf(account: string, { rateLimit, requestId, filledIn }: CallResult) {
  return {
    account,
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit.data(MOST_HEADER) }),
    ...(requestId === undefined ? {} : { request_id: requestId.data(MOST_HEADER) }),
    ...(Object.keys(filledIn).length === 0 ? {} : { filled_in: filledIn }),
  };
}

function headLine(name: string, account: string, { rateLimit, requestId, filledIn }: CallResult): string {
  const notes = [
    `account ${account}`,
    ...Object.entries(filledIn).map(([parameter, value]) => `${parameter} ${value} taken from the account`),
    ...(rateLimit === undefined ? [] : [`limit ${rateLimit.shown(MOST_HEADER)}/s`]),
    ...(requestId === undefined ? [] : [`request ${requestId.shown(MOST_HEADER)}`]),
  ];
  return `(${name}: ${notes.join(', ')})`;
}

function leftOut({ omitted, aside, unknown }: Answer) {
  const all = [...aside, ...omitted];
  return {
    ...(all.length === 0 ? {} : { omitted: all }),
    ...(unknown.length === 0 ? {} : { not_found: unknown.map(({ path }) => path) }),
  };
}

/** Keeps a value as a resource; no link where it is too large even for that. */
export async function linkTo(
  name: string,
  { value, bytes }: { value: unknown; bytes: number },
  session: Session,
): Promise<ResourceLink[]> {
  const kept = (await session.answers()).keep(name, value, bytes);
  if (kept === undefined) return [];
  return [
    {
      uri: kept.uri,
      name: `The whole of ${name}`,
      description: `About ${bytes} bytes of JSON`,
      mimeType: 'application/json',
    },
  ];
}

/** Nothing selected: all issues are counted and explained, also those that the budget cuts from the value. */
export function wholeUnlessSelected(whole: unknown, select: readonly string[] | undefined) {
  return select === undefined || select.length === 0 ? { whole, complete: true } : { complete: false };
}

/** Puts facts and value together; the value under its own name. */
export function toToolAnswer<Value extends Record<string, unknown>>(
  { facts, text, links }: FittedAnswer,
  value: Value,
) {
  return { text, structured: { ...value, ...facts }, links } satisfies ToolAnswer;
}
