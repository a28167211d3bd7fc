/** One line of the journal's file: written masked, bounded and safe to print, and found again behind a torn one. */

import { isDeeperThan, parseJson } from '../../../base/json.ts';
import { escapeInJson } from '../../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import {
  type Intent,
  type JournalLine,
  lineSchema,
  type ReadBackDifference,
  type WriteOutcome,
} from './entry.ts';
import { isSensitivePath, maskAndShorten, ROOMS, type Room, shrink } from './mask.ts';

/** Longest line in bytes, newline included. */
export const MAX_LINE_BYTES = 16_384;
const MAX_ERROR = 500;
const MAX_NAME = 200;
const MAX_WHAT = 500;

/** What a line is about. */
export interface LineInput {
  kind: JournalLine['kind'];
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  intent?: Intent & { bodySha256?: string };
  outcome?: WriteOutcome;
}

/**
 * How every line begins, and only a line: the space is not what JSON.stringify writes between members, and inside a
 * string the quotes would be escaped. So a reader finds a whole line behind a torn one, whatever a body holds.
 */
const LINE_START = '{ "v":1,';

/** One line without its newline. */
export function encodeLine(input: LineInput): string {
  for (const room of ROOMS) {
    const line = write(input, room);
    if (Buffer.byteLength(line) < MAX_LINE_BYTES) return line;
  }
  return write(input, undefined);
}

/** Without room, only what is bounded by itself is written. */
function write({ kind, id, time, intent, outcome }: LineInput, room: Room | undefined): string {
  const line = {
    kind,
    id,
    time: new Date(time).toISOString(),
    ...(intent && describeIntent(intent, room)),
    ...(outcome && describeOutcome(outcome, room)),
  };
  return escapeInJson(`${LINE_START}${JSON.stringify(line).slice(1)}`);
}

function describeIntent(intent: NonNullable<LineInput['intent']>, room: Room | undefined): object {
  const { account, owner, operation, parameters, bodySha256, body, idempotencyKey } = intent;
  const { batch, undoes, what, by } = intent;
  return {
    account: shortenToCharacters(account, MAX_NAME),
    owner: owner && shortenToCharacters(owner, MAX_NAME),
    by: by && { name: shortenToCharacters(by.name, MAX_NAME), id: shortenToCharacters(by.id, MAX_NAME) },
    operation: shortenToCharacters(operation, MAX_NAME),
    parameters: room && shrink(parameters, room),
    bodySha256,
    body: room && shrink(body, room),
    idempotencyKey: idempotencyKey && shortenToCharacters(idempotencyKey, MAX_NAME),
    batch: batch && shortenToCharacters(batch, MAX_NAME),
    undoes: undoes && shortenToCharacters(undoes, MAX_NAME),
    what: what && maskAndShorten(what, MAX_WHAT),
  };
}

function describeOutcome(outcome: WriteOutcome, room: Room | undefined): object {
  const { error, requestId, idempotencyKey, differences } = outcome;
  return {
    outcome: outcome.outcome,
    status: outcome.status,
    error: error && maskAndShorten(error, MAX_ERROR),
    requestId: requestId && shortenToCharacters(requestId, MAX_NAME),
    ...(idempotencyKey && { idempotencyKey: shortenToCharacters(idempotencyKey, MAX_NAME) }),
    differences: differences
      ?.slice(0, room?.items ?? 0)
      .map((difference) => describeDifference(difference, room)),
  };
}

function describeDifference({ path, sent, found }: ReadBackDifference, room: Room | undefined): object {
  const hidden = isSensitivePath(path);
  return {
    path: shortenToCharacters(path, MAX_NAME),
    sent: room && shrink(sent, room, hidden),
    found: room && shrink(found, room, hidden),
  };
}

/**
 * The record that a line of a file holds: usually the whole of it; behind the torn start of a killed process's line,
 * another. No record where the line is torn, or not ours.
 */
export function parseLine(text: string): { record?: JournalLine; isWhole: boolean } {
  for (let at = 0; at !== -1; at = text.indexOf(LINE_START, at + 1)) {
    const value = parseJson(text.slice(at));
    const parsed = isDeeperThan(value) ? undefined : lineSchema.safeParse(value);
    if (parsed?.success) return { record: parsed.data, isWhole: at === 0 };
  }
  return { isWhole: false };
}
