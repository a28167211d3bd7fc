/** Gets a whole answer from a tool: what was shown, and everything that was left out for lack of room. */

import * as z from 'zod';
import { tokensOf } from '../../src/base/text/shorten.ts';
import { parsePath } from '../../src/tell/value/select/path.ts';
import { AnswerCopy } from '../../test/helpers/answer-copy.ts';
import { putBackShared } from '../../test/helpers/put-back-shared.ts';
import type { CallOutcome, Session } from '../../test/helpers/sessions.ts';

const answerSchema = z.looseObject({
  status: z.int(),
  value: z.unknown().optional(),
  omitted: z.array(z.looseObject({ select: z.array(z.string()) })).default([]),
  not_found: z.array(z.string()).default([]),
  same_in_all: z
    .array(z.object({ list: z.string(), elements: z.int(), members: z.record(z.string(), z.unknown()) }))
    .default([]),
});

export interface WholeAnswer {
  status: number;
  value: unknown;
  /** Members that had been left out and were fetched. */
  fetched: number;
  problems: string[];
}

const MOST_FETCHES = 2_000;

/** @param select calls again for these members; undefined where calling again would write again. */
export async function fetchWhole(
  session: Session,
  first: CallOutcome,
  budget: number,
  select: ((path: string) => Promise<CallOutcome>) | undefined,
): Promise<WholeAnswer> {
  const answer = answerSchema.parse(first.structured);
  const problems = overBudget(first, budget);
  if (answer.omitted.length === 0)
    return { status: answer.status, value: wholeOf(answer), fetched: 0, problems };
  const kept = await readKept(session, first);
  if (select === undefined || answer.omitted.some(isOutOfReach))
    return { status: answer.status, value: kept, fetched: answer.omitted.length, problems };
  const copy = new AnswerCopy();
  copy.put(wholeOf(answer), []);
  const todo = answer.omitted.flatMap((each) => each.select);
  let fetched = 0;
  for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
    const part = await select(path);
    const inner = answerSchema.parse(part.structured);
    problems.push(
      ...overBudget(part, budget),
      ...inner.not_found.map((one) => `select ${one} leads nowhere`),
    );
    if (inner.omitted.some(isOutOfReach))
      return { status: answer.status, value: kept, fetched: answer.omitted.length, problems };
    copy.put(wholeOf(inner), parsePath(path) ?? []);
    todo.unshift(...inner.omitted.flatMap((each) => each.select));
    fetched += 1;
    if (fetched > MOST_FETCHES) throw new Error('fetching what was left out does not end');
  }
  return { status: answer.status, value: copy.root, fetched, problems };
}

const wholeOf = ({ value, same_in_all }: z.output<typeof answerSchema>): unknown =>
  putBackShared(value, same_in_all);

/** What no path can fetch is only in the full answer. */
function isOutOfReach({ select }: { select: readonly string[] }): boolean {
  return select.length === 0;
}

/** The full answer, from the address that the tool gives with a shortened one. */
async function readKept(session: Session, { links }: CallOutcome): Promise<unknown> {
  const [uri] = links;
  if (uri === undefined) throw new Error('the answer was shortened, and no address of the whole was given');
  const { contents } = await session.client.readResource({ uri });
  const [content] = contents;
  const value: unknown = JSON.parse(content !== undefined && 'text' in content ? content.text : 'null');
  return value;
}

/** Each of the two forms has its own budget. */
export function overBudget({ text, structured }: CallOutcome, budget: number): string[] {
  const sizes = { text: tokensOf(text), 'structured content': tokensOf(JSON.stringify(structured)) };
  return Object.entries(sizes).flatMap(([form, size]) =>
    size > budget ? [`${form} takes ${size} tokens of ${budget}`] : [],
  );
}
