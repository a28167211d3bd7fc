/** Keeps the last full answers in bounded memory, so that what was left out stays one step away. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';

export interface KeptAnswer {
  uri: string;
  /** What it is: `getListingsItem, account default`. */
  name: string;
  /** The whole answer as JSON. */
  text: string;
  bytes: number;
}

export interface AnswerStore {
  /** Keeps an answer, letting the oldest go where the bound asks for it; undefined when it alone is over the bound. */
  keep(name: string, value: unknown): KeptAnswer | undefined;
  /** Undefined when it was never kept or has been let go. */
  read(uri: string): KeptAnswer | undefined;
  /** Newest first. */
  list(): KeptAnswer[];
  /** Remembers the ids of supply sources that stand in an answer, to complete arguments with. */
  noteSupplySources(answer: unknown): void;
  /** Latest first. */
  supplySources(): string[];
}

const MOST_SUPPLY_SOURCES = 100;
const supplySourceSchema = z.object({ supplySourceId: z.string() });
const answerSchema = z.union([supplySourceSchema, z.object({ supplySources: z.array(supplySourceSchema) })]);

export const ANSWER_URI_PREFIX = 'seller://answers/';

export function createAnswerStore({ maxBytes = 32 * 1024 * 1024, maxAnswers = 20 } = {}): AnswerStore {
  const kept = new Map<string, KeptAnswer>();
  const seen = new Set<string>();
  let total = 0;
  const letGo = (answer: KeptAnswer) => {
    kept.delete(answer.uri);
    total -= answer.bytes;
  };
  return {
    keep(name, value) {
      const text = JSON.stringify(value, undefined, 1);
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes) return undefined;
      const answer = { uri: `${ANSWER_URI_PREFIX}${randomBytes(6).toString('hex')}`, name, text, bytes };
      kept.set(answer.uri, answer);
      total += bytes;
      for (const oldest of kept.values()) {
        if (total <= maxBytes && kept.size <= maxAnswers) break;
        letGo(oldest);
      }
      return answer;
    },
    read: (uri) => kept.get(uri),
    list: () => [...kept.values()].reverse(),
    noteSupplySources(answer) {
      const { data } = answerSchema.safeParse(answer);
      if (data === undefined) return;
      const found = 'supplySources' in data ? data.supplySources : [data];
      for (const { supplySourceId } of found) {
        seen.delete(supplySourceId);
        seen.add(supplySourceId);
      }
      for (const oldest of seen) if (seen.size > MOST_SUPPLY_SOURCES) seen.delete(oldest);
    },
    supplySources: () => [...seen].reverse(),
  };
}
