/** Stores the last full answers in bounded memory, so that omitted parts can still be read. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { escapeJson } from '../base/text/escape-text.ts';
import { ServiceText } from '../base/text/service-text.ts';

export interface StoredAnswer {
  uri: string;
  /** The name of the answer: `getListingsItem, account default`. */
  name: string;
  /** The size of the answer as it arrived, about that of its text. */
  bytes: number;
}

export type AnswerStore = ReturnType<typeof createAnswerStore>;

const MAX_SUPPLY_SOURCES = 100;
const supplySourceSchema = z.object({ supplySourceId: z.string() });
const answerSchema = z.union([supplySourceSchema, z.object({ supplySources: z.array(supplySourceSchema) })]);

const ANSWER_URI_PREFIX = 'seller://answers/';

export function createAnswerStore({ maxBytes = 32 * 1024 * 1024, maxAnswers = 20 } = {}) {
  const answers = new Map<string, StoredAnswer & { make(): unknown }>();
  const origin = randomBytes(4).toString('hex');
  let count = 0;
  const sourceIds = new Set<string>();
  let total = 0;
  const drop = ({ uri, bytes }: StoredAnswer) => {
    answers.delete(uri);
    total -= bytes;
  };
  return {
    /**
     * Stores an answer, which must not change any more, and drops the oldest ones above the bound. Returns
     * undefined if the answer alone exceeds it. The text is made on reading, because most answers are never
     * read.
     * @param make returns the same answer each time
     */
    keep(name: string, make: () => unknown, bytes: number): StoredAnswer | undefined {
      if (bytes > maxBytes) return undefined;
      count += 1;
      const answer = { uri: `${ANSWER_URI_PREFIX}${origin}-${count}`, name, bytes };
      answers.set(answer.uri, { ...answer, make });
      total += bytes;
      for (const oldest of answers.values()) {
        if (total <= maxBytes && answers.size <= maxAnswers) break;
        drop(oldest);
      }
      return answer;
    },
    /**
     * Returns the answer as JSON, hidden characters spelled out; undefined if it was never stored or has been
     * dropped.
     */
    read(uri: string): string | undefined {
      const answer = answers.get(uri);
      return answer && toText(answer.make());
    },
    /** Lists the answers, newest first. */
    list: (): StoredAnswer[] =>
      [...answers.values()].map(({ uri, name, bytes }) => ({ uri, name, bytes })).reverse(),
    /** Records the ids of supply sources in an answer, for the completion of arguments. */
    noteSupplySources(answer: unknown): void {
      const { data } = answerSchema.safeParse(answer);
      if (data === undefined) return;
      const found = 'supplySources' in data ? data.supplySources : [data];
      for (const { supplySourceId } of found) {
        sourceIds.delete(supplySourceId);
        sourceIds.add(supplySourceId);
      }
      for (const oldest of sourceIds) if (sourceIds.size > MAX_SUPPLY_SOURCES) sourceIds.delete(oldest);
    },
    /** Lists the ids, latest first. */
    supplySources: () => [...sourceIds].reverse().map((id) => new ServiceText(id)),
  };
}

/** Serializes once if nothing is hidden, as in nearly all answers. */
function toText(answer: unknown): string {
  const text = JSON.stringify(answer, undefined, 1);
  // The line ends of this text are no part of the answer.
  const safe = escapeJson(answer, text.replaceAll('\n', ''));
  return safe === answer ? text : JSON.stringify(safe, undefined, 1);
}
