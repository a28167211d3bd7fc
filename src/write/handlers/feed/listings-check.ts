/** Checks that the service accepts a JSON_LISTINGS_FEED before its approval is requested. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject } from '../../../base/json.ts';
import { count } from '../../../base/text/format-value.ts';
import { LISTINGS_FEED } from '../document/content-type.ts';
import { MAX_FEED_MESSAGES } from './limits.ts';

const OPERATIONS = ['UPDATE', 'PARTIAL_UPDATE', 'PATCH', 'DELETE'] as const;

const messageSchema = z.looseObject({
  messageId: z.int('must be a whole number').min(1, 'must be 1 or more'),
  sku: z.string('must be a text').min(1, 'must not be empty'),
  operationType: z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(', ')}`),
  productType: z.string('must be a text').min(1).optional(),
  requirements: z.string('must be a text').optional(),
  patches: z
    .array(z.looseObject({ op: z.string(), path: z.string() }), 'must be a list of patches')
    .optional(),
  attributes: z.record(z.string(), z.unknown(), 'must be an object').optional(),
});
const NO_LIST = 'must be a list';
const NO_MESSAGES = 'is empty: there is nothing to send';
const feedSchema = z.looseObject({
  header: z.looseObject({
    sellerId: z.string('must be a text').min(1),
    version: z.literal('2.0', 'must be "2.0"'),
  }),
  messages: z.array(messageSchema, NO_LIST).min(1, NO_MESSAGES),
});

/** The schema leaves the messages unchecked. */
const frameSchema = feedSchema.extend({ messages: z.array(z.unknown(), NO_LIST).min(1, NO_MESSAGES) });

/**
 * Checks the messages one by one, because a copy of all of them takes as much memory as the list.
 * @param isResolved true where values replace placeholders. A repeated value is no reason to reject the feed
 * then, because that would tell the assistant which values are equal.
 */
export function checkListings(isResolved = false) {
  let total = 0;
  const inside: string[] = [];
  const beside: string[] = [];
  const repeated = isResolved ? [] : [findRepeated('messageId'), findRepeated('sku')];
  return {
    add(one: unknown): void {
      const at = total;
      total += 1;
      if (total > MAX_FEED_MESSAGES) return;
      const { data, error } = messageSchema.safeParse(one);
      for (const issue of error?.issues ?? []) {
        inside.push(formatIssue({ ...issue, path: ['messages', at, ...issue.path] }));
      }
      if (data !== undefined) beside.push(...problemsOfMessage(data, at));
      for (const { add } of repeated) add(one, at);
    },
    /** @param whole the feed around the messages */
    problems(whole: unknown): string[] {
      if (total > MAX_FEED_MESSAGES) {
        return [
          `it has ${count(total)} messages, and a feed takes at most ${count(MAX_FEED_MESSAGES)}: split it`,
        ];
      }
      const frame = frameSchema.safeParse(whole).error?.issues.map(formatIssue) ?? [];
      const shape = frame.length + inside.length > 0 ? [...frame, ...inside] : beside;
      return [...shape, ...repeated.flatMap(({ found }) => found)];
    },
  };
}

const formatIssue = ({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>) =>
  `${path.join('.') || 'it'} ${message}`;

function problemsOfMessage(
  { operationType, productType, patches, attributes }: z.output<typeof messageSchema>,
  at: number,
): string[] {
  const prefix = `messages.${at}`;
  if (operationType === 'DELETE') return [];
  return [
    ...(productType === undefined ? [`${prefix}.productType is required`] : []),
    ...(operationType === 'PATCH' && (patches ?? []).length === 0
      ? [`${prefix}.patches is required for PATCH`]
      : []),
    ...(operationType !== 'PATCH' && attributes === undefined
      ? [`${prefix}.attributes is required for ${operationType}`]
      : []),
  ];
}

/**
 * Finds repeated members, because the service takes one message for each listing in a feed, and which of two
 * would count is not known.
 */
function findRepeated(member: 'messageId' | 'sku') {
  const seen = new Map<unknown, number>();
  const found: string[] = [];
  return {
    found,
    add(message: unknown, at: number): void {
      const value = isJsonObject(message) ? message[member] : undefined;
      if (value === undefined) return;
      const before = seen.get(value);
      if (before === undefined) {
        seen.set(value, at);
        return;
      }
      // The message leaves out the value, which may be a buyer's.
      found.push(`messages.${at}.${member} is the same as that of messages.${before}`);
    },
  };
}

/** The maximum number of problems to list. */
const MAX_PROBLEMS = 20;

/** @param problems all problems with the feed, of which the first 20 are listed */
export function listingsRefusal(problems: readonly string[]): InputError {
  const listed = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - listed.length;
  return new InputError(
    `The ${LISTINGS_FEED} was not sent: ${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    'Correct what is named, then call again.',
    listed.map((message) => ({ path: 'document', message })),
  );
}
