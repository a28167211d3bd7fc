/**
 * Builds the answer of every tool that reads from the service: its value (value/) within the budget, with the
 * facts of the call.
 */

import * as z from 'zod';
import { LARGE_BYTES, yieldToEventLoop } from '../base/event-loop.ts';
import { isJsonObject, jsonText } from '../base/json.ts';
import { DATA_NOTE, showText, VALUES_NOTE } from '../base/text/escape-text.ts';
import { utcMinute } from '../base/text/local-time.ts';
import { shortenToTokens, tokensOf } from '../base/text/shorten.ts';
import type { CallResult } from '../call/client-types.ts';
import {
  describeSentDays,
  describeUnlistedValues,
  marketplaceWarnings,
  namedMarketplaces,
} from '../call/request/describe-request.ts';
import { isMarketplaceName } from '../service/facts/marketplace-members.ts';
import { marketplaceLabel } from '../service/facts/marketplaces.ts';
import type { SavedDocumentsText } from './documents/describe-saved-documents.ts';
import { MAX_HEADER_CHARACTERS } from './error-result.ts';
import type { ReadingSession } from './reading-session.ts';
import type { ResourceLink, ToolAnswer } from './tool-answer.ts';
import { type FittedValue, fitLargeValue, fitValue, type ValueOptions } from './value/fit-value.ts';
import { unknownHints } from './value/not-shown.ts';
import type { SharedMembers } from './value/same-in-all.ts';

const omissionSchema = z.looseObject({ select: z.array(z.string()), what: z.string(), bytes: z.number() });

/** The fields that every such answer has beside its value. */
export const serviceAnswerFields = {
  /** The notice that values are data, the current time, and the limits of the answer. */
  note: z.string(),
  account: z.string(),
  /** The requests per second, as sent. */
  rate_limit: z.string().optional(),
  request_id: z.string().optional(),
  /** Parameters taken from the account, and defaults of ours. */
  filled_in: z.record(z.string(), z.string()).optional(),
  omitted: z.array(omissionSchema).optional().describe('Left out; fetch with select'),
  /** Paths of `select` that do not exist. */
  not_found: z.array(z.string()).optional(),
};

/**
 * Further fields, which are not advertised because they are self-explanatory and would be repeated in three
 * schemas: `same_in_all` (members that the elements of a list share, left out of each), `worst_first` (what
 * is wrong with a listing; [n] is an index of its issues), `not_found_hints` (valid alternatives, in the same
 * order), `selected` (lists of which some elements were selected, by path: `10 of 50`), `whole` (URI of the
 * resource with the omitted parts), and the outcome of its documents (`saved`, `saved_files`, `real_values`,
 * `not_saved`, `save_next`).
 */
const MORE_FIELDS = [
  'same_in_all',
  'worst_first',
  'not_found_hints',
  'selected',
  'whole',
  'saved',
  'saved_files',
  'real_values',
  'not_saved',
  'save_next',
];

/** True for a field of ours beside the service's members. */
export function isOwnField(name: string): boolean {
  return name in serviceAnswerFields || MORE_FIELDS.includes(name);
}

/** The facts of a call beside its value. */
export type AnswerFacts = Pick<
  CallResult,
  | 'bytes'
  | 'days'
  | 'filledIn'
  | 'marketplaces'
  | 'personalData'
  | 'rateLimit'
  | 'requestId'
  | 'status'
  | 'unlistedValues'
>;

interface ServiceAnswerParts extends Pick<ValueOptions, 'select' | 'aside' | 'describe' | 'takeOutShared'> {
  session: ReadingSession;
  /** The operation of the answer: `getListingsItem`. */
  name: string;
  account: string;
  result: AnswerFacts;
  /** The value from which the answer is selected and fitted. */
  whole: unknown;
  /** A notice of one line after the answer; empty for none. */
  remark?: string;
  /** The size of the tool's own additions in tokens, in the longer form. */
  taken?: number;
  /** Documents of the answer; saved ones are reported before its values. */
  saved?: SavedDocumentsText & { hasDocuments: boolean };
  /** Omitted parameters for which the tool set a default. */
  defaults?: Readonly<Record<string, string>>;
  /** Ranks the issues in the fitted value, for the structured form. */
  rank?: (value: unknown) => string | undefined;
}

interface FittedAnswer {
  value: unknown;
  /** The notices that a reader needs before the values, such as that they are data, not instructions. */
  note: string;
  /** Members that all elements of a list share, placed before the value. */
  shared: readonly SharedMembers[] | undefined;
  worstFirst: string | undefined;
  facts: Readonly<Record<string, unknown>> & { account: string };
  text: string;
  links: ResourceLink[];
}

export async function fitServiceAnswer(parts: ServiceAnswerParts): Promise<FittedAnswer> {
  const { session, name, account, result, taken = 0, defaults = {}, rank, select, aside, describe } = parts;
  const { takeOutShared } = parts;
  const { saved = NOTHING_SAVED } = parts;
  // Redaction comes before anything is cut, because half a secret would not be recognized.
  const json = jsonText(parts.whole);
  const isLarge = json.length >= LARGE_BYTES;
  if (isLarge) await yieldToEventLoop();
  const whole = session.redactor.redactJson(parts.whole, json);
  if (isLarge) await yieldToEventLoop();
  const { answerTokens } = session.settings();
  const limits = describeLimits(result);
  const remarks = [parts.remark ?? '', (await session.personal()).firstNote() ?? ''].filter(
    (notice) => notice !== '',
  );
  const frame = frameOf(parts, limits, remarks);
  const rankWithin = (value: unknown, tokens: number) => {
    const ranked = rank?.(value);
    return ranked === undefined ? undefined : shortenToTokens(ranked, tokens);
  };
  const ranking = rankWithin(whole, answerTokens / 5);
  const facts = { ...saved.facts, ...factsOf(account, result, defaults) };
  const words = [VALUES_NOTE, ...saved.lines, ...limits, frame.head(true)].join('\n');
  const own =
    Math.max(
      tokensOf(JSON.stringify({ note: frame.note(true), worst_first: ranking, ...facts })),
      tokensOf(words),
    ) + tokensOf(JSON.stringify(saved.links));
  const options: ValueOptions = {
    select,
    aside,
    describe,
    takeOutShared,
    json: whole === parts.whole ? json : undefined,
    maxTokens: answerTokens - taken - own - LINK_TOKENS,
  };
  const answer = isLarge ? await fitLargeValue(whole, options) : fitValue(whole, options);
  // The shown parts come from the whole, so a date in them is in this text too.
  const isDated = DATE.test(json) && (hasDate(answer.value) || hasDate(answer.shared));
  const links =
    answer.omitted.length + answer.aside.length === 0
      ? []
      : await linkToWhole(
          `${name}, account ${account}`,
          { value: whole, bytes: saved.hasDocuments ? json.length : result.bytes },
          session,
        );
  const uris = links.map(({ uri }) => uri);
  return {
    value: answer.value,
    note: `${frame.note(isDated)}${answer.shared === undefined ? '' : SHARED_NOTE}`,
    shared: answer.shared,
    worstFirst: answer.value === whole ? ranking : rankWithin(answer.value, tokensOf(ranking ?? '')),
    facts: {
      ...facts,
      ...leftOut(answer),
      ...(uris[0] === undefined ? {} : { whole: uris[0] }),
    },
    text: [
      answer.text.startsWith(DATA_NOTE) ? DATA_NOTE : VALUES_NOTE,
      ...saved.lines,
      ...limits,
      answer.text.startsWith(DATA_NOTE) ? answer.text.slice(DATA_NOTE.length + 1) : answer.text,
      ...uris.map((uri) => `The whole answer is the resource ${uri}`),
      frame.head(isDated),
    ].join('\n'),
    links: [...saved.links, ...links],
  };
}

/** Renders the text around the values in both forms, with the current time if they have a date. */
function frameOf(
  { session, name, account, result, defaults = {} }: ServiceAnswerParts,
  limits: readonly string[],
  remarks: readonly string[],
) {
  const now = utcMinute(session.program.now());
  const limited = [VALUES_NOTE, ...limits].join(' ');
  const noted = remarks.map((words) => ` ${words}`).join('');
  const call = [...describeDefaults(defaults), ...describeCall(result)].map((words) => `, ${words}`).join('');
  const added = remarks.map((words) => `\n(${words})`).join('');
  return {
    note: (isDated: boolean) => `${limited}${isDated ? ` Now ${now}.` : ''}${noted}`,
    head: (isDated: boolean) =>
      `(${name}: account ${account}${isDated ? `, now ${now}` : ''}${call})${added}`,
  };
}

/** The minimum saving of `same_in_all` accounts for the bytes of this text. */
const SHARED_NOTE = ' Members in same_in_all hold for each element of their list and are left out there.';

const DATE = /\d{4}-\d\d-\d\d/;

function hasDate(value: unknown): boolean {
  if (typeof value === 'string') return DATE.test(value);
  if (Array.isArray(value)) return value.some(hasDate);
  return isJsonObject(value) && Object.keys(value).some((name) => DATE.test(name) || hasDate(value[name]));
}

const NOTHING_SAVED = { hasDocuments: false, lines: [], facts: {}, links: [] };

/**
 * Returns the marketplaces that limit the answer, taken from the account or named in the call, with all
 * warnings.
 */
function describeLimits({ filledIn, marketplaces = [], days = [], unlistedValues }: AnswerFacts): string[] {
  const own = Object.entries(filledIn)
    .filter(([parameter]) => isMarketplaceName(parameter))
    .map(([, id]) => marketplaceLabel(id) ?? showText(id));
  const named = namedMarketplaces(marketplaces).filter((label) => !own.includes(label));
  return [
    ...own.map((label) => `Only marketplace ${label}.`),
    ...(named.length === 0 ? [] : [`Marketplace${named.length > 1 ? 's' : ''}: ${named.join(', ')}.`]),
    ...marketplaceWarnings(marketplaces),
    ...describeSentDays(days),
    ...describeUnlistedValues(unlistedValues),
  ];
}

function describeDefaults(defaults: Readonly<Record<string, string>>): string[] {
  return Object.entries(defaults).map(([parameter, value]) => `${parameter} ${value} by default`);
}

/** The tokens of the link to the full answer, which some hosts show with the text. */
export const LINK_TOKENS = 80;

function factsOf(
  account: string,
  { rateLimit, requestId, filledIn: taken }: AnswerFacts,
  defaults: Readonly<Record<string, string>>,
) {
  const filledIn = { ...taken, ...defaults };
  return {
    account,
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit.data(MAX_HEADER_CHARACTERS) }),
    ...(requestId === undefined ? {} : { request_id: requestId.data(MAX_HEADER_CHARACTERS) }),
    ...(Object.keys(filledIn).length === 0 ? {} : { filled_in: filledIn }),
  };
}

function describeCall({ rateLimit, requestId, filledIn }: AnswerFacts): string[] {
  const words = Object.entries(filledIn).map(([name, value]) => `${name} ${value} taken from the account`);
  if (rateLimit !== undefined) words.push(`limit ${rateLimit.shown(MAX_HEADER_CHARACTERS)}/s`);
  if (requestId !== undefined) words.push(`request ${requestId.shown(MAX_HEADER_CHARACTERS)}`);
  return words;
}

function leftOut({ omitted, aside, unknown, counts }: FittedValue) {
  const all = [...aside, ...omitted];
  return {
    ...(all.length === 0 ? {} : { omitted: all }),
    ...(unknown.length === 0 ? {} : { not_found: unknown.map(({ path }) => path) }),
    ...(unknown.some(({ valid }) => valid.length > 0) ? { not_found_hints: unknownHints(unknown) } : {}),
    ...(counts === undefined ? {} : { selected: counts }),
  };
}

/** Stores a value as a resource; returns no link if it is too large even for that. */
export async function linkToWhole(
  name: string,
  { value, bytes }: { value: unknown; bytes: number },
  session: Pick<ReadingSession, 'answers'>,
): Promise<ResourceLink[]> {
  const stored = (await session.answers()).keep(name, () => value, bytes);
  if (stored === undefined) return [];
  return [
    {
      uri: stored.uri,
      name: `The whole of ${name}`,
      description: `About ${bytes} bytes of JSON`,
      mimeType: 'application/json',
    },
  ];
}

/**
 * Adds the whole item if nothing is selected: all issues are then counted and explained, including those that
 * the budget cuts from the value.
 */
export function wholeUnlessSelected(whole: unknown, select: readonly string[] | undefined) {
  return select === undefined || select.length === 0 ? { whole, complete: true } : { complete: false };
}

/** Joins facts and value; the value has its own name. */
export function toToolAnswer<Value extends Record<string, unknown>>(
  { note, shared, worstFirst, facts, text, links }: FittedAnswer,
  value: Value,
) {
  // The notices that a reader needs first come before the values.
  const ranking = worstFirst === undefined ? {} : { worst_first: worstFirst };
  const once = shared === undefined ? {} : { same_in_all: shared };
  const structured = { note, ...ranking, ...once, ...value, ...facts };
  return { text, structured, links } satisfies ToolAnswer;
}
