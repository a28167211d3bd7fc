/** Keeps the last full answers in bounded memory, so that what was left out stays one step away. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { escapeJson } from '../base/text/escape-text.ts';
import { ServiceText } from '../base/text/service-text.ts';

export interface KeptAnswer {
  uri: string;
  /** What it is: `getListingsItem, account default`. */
  name: string;
  /** Size as the answer arrived, about that of its text. */
  bytes: number;
}

export type AnswerStore = ReturnType<typeof createAnswerStore>;

const MOST_SUPPLY_SOURCES = 100;
const supplySourceSchema = z.object({ supplySourceId: z.string() });
const answerSchema = z.union([supplySourceSchema, z.object({ supplySources: z.array(supplySourceSchema) })]);

const ANSWER_URI_PREFIX = 'seller://answers/';

export function createAnswerStore({ maxBytes = 32 * 1024 * 1024, maxAnswers = 20 } = {}) {
  const kept = new Map<string, KeptAnswer & { make(): unknown }>();
  const origin = randomBytes(4).toString('hex');
  let count = 0;
  const seen = new Set<string>();
  let total = 0;
  const letGo = ({ uri, bytes }: KeptAnswer) => {
    kept.delete(uri);
    total -= bytes;
  };
  return {
    /**
     * Keeps an answer as it is (nobody changes it any more), letting the oldest go where the bound asks for it;
     * undefined when it alone is over the bound. Most are never read, so that their text is made when one is.
     * @param make gives the answer, the same each time
     */
    keep(name: string, make: () => unknown, bytes: number): KeptAnswer | undefined {
      if (bytes > maxBytes) return undefined;
      count += 1;
      const answer = { uri: `${ANSWER_URI_PREFIX}${origin}-${count}`, name, bytes };
      kept.set(answer.uri, { ...answer, make });
      total += bytes;
      for (const oldest of kept.values()) {
        if (total <= maxBytes && kept.size <= maxAnswers) break;
        letGo(oldest);
      }
      return answer;
    },
    /** The answer as JSON, hidden characters spelled out; undefined when it was never kept or has been let go. */
    read(uri: string): string | undefined {
      const answer = kept.get(uri);
      return answer && textOf(answer.make());
    },
    /** Newest first. */
    list: (): KeptAnswer[] =>
      [...kept.values()].map(({ uri, name, bytes }) => ({ uri, name, bytes })).reverse(),
    /** Remembers the ids of supply sources that stand in an answer, to complete arguments with. */
    noteSupplySources(answer: unknown): void {
      const { data } = answerSchema.safeParse(answer);
      if (data === undefined) return;
      const found = 'supplySources' in data ? data.supplySources : [data];
      for (const { supplySourceId } of found) {
        seen.delete(supplySourceId);
        seen.add(supplySourceId);
      }
      for (const oldest of seen) if (seen.size > MOST_SUPPLY_SOURCES) seen.delete(oldest);
    },
    /** Latest first. */
    supplySources: () => [...seen].reverse().map((id) => new ServiceText(id)),
  };
}

/** Written once where nothing is hidden, as in nearly all of them. */
function textOf(answer: unknown): string {
  const text = JSON.stringify(answer, undefined, 1);
  // The ends of its own lines are no part of the answer.
  const safe = escapeJson(answer, text.replaceAll('\n', ''));
  return safe === answer ? text : JSON.stringify(safe, undefined, 1);
}
