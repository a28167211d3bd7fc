/** How an operation pages, as far as its definition tells: a token that goes in, one that comes out, one list beside it. */

import type { OperationDraft } from '../../src/definitions/read/operation-draft.ts';
import type { Paging } from '../../src/service/facts/operation.ts';
import { type AnswerMember, lastOf, parentOf } from './answer-members.ts';

/** The recognized fact, or the problem that a reviewer has to decide. */
export type Recognised<T> = { found: T } | { problem: string } | undefined;

const IN = /^(next|page|pagination|nextPage)Token(For\w+)?$/i;
const OUT = /^next(Page)?Token(For\w+)?$/i;

/** Undefined where nothing looks like pages. */
export function findPaging(draft: OperationDraft, members: readonly AnswerMember[]): Recognised<Paging> {
  const inputs = draft.parameters.filter((one) => one.in === 'query' && IN.test(one.name));
  const outputs = members.filter(({ path }) => OUT.test(lastOf(path)) && !path.includes('[]'));
  const [input, secondInput] = inputs;
  const [output, secondOutput] = outputs;
  if (input === undefined && output === undefined) return undefined;
  if (input === undefined || output === undefined || secondInput !== undefined || secondOutput !== undefined)
    return { problem: `${inputs.length} tokens go in, ${outputs.length} come out` };
  const lists = listsBeside(output.path, members);
  const [list, another] = lists;
  if (list === undefined || another !== undefined)
    return { problem: `${lists.length} lists stand beside the token: ${lists.join(', ')}` };
  const key = keyOf(list, members);
  return {
    found: {
      by: 'token',
      input: { in: 'query', name: input.name },
      output: output.path,
      list,
      ...(key && { key }),
      ...waysOf(draft),
    },
  };
}

/** A value such as NEXT_TOKEN is one of several ways to choose what is listed, so the filters of the others are left out. */
function waysOf({ parameters }: OperationDraft): Pick<Paging, 'alone' | 'with'> {
  for (const { name, schema } of parameters) {
    const value = schema.enum?.find((one) => typeof one === 'string' && /^next_?token$/i.test(one));
    if (value !== undefined) return { alone: true, with: { [name]: String(value) } };
  }
  return {};
}

/** Lists at the level of the token, or of the object `pagination` that holds it; problems are no items. */
function listsBeside(token: string, members: readonly AnswerMember[]): string[] {
  const holder = parentOf(token);
  const level = lastOf(holder) === 'pagination' ? parentOf(holder) : holder;
  return members
    .filter(({ path, schema }) => schema.type === 'array' && parentOf(path) === level && !path.includes('[]'))
    .map(({ path }) => path)
    .filter((path) => !/^(errors|warnings)$/i.test(lastOf(path)));
}

/** The member called after the list (`orders` -> `orderId`), or `id`, or the only required one that reads like a name. */
function keyOf(list: string, members: readonly AnswerMember[]): string | undefined {
  const names = members
    .filter(({ path, schema }) => parentOf(path) === `${list}[]` && isNaming(schema.type))
    .map(({ path, required }) => ({ name: lastOf(path), required }));
  const singular = lastOf(list).replace(/list$/i, '').replace(/ies$/, 'y').replace(/s$/, '');
  const called = names.find(({ name }) => name.toLowerCase() === `${singular}id`.toLowerCase());
  if (called !== undefined) return called.name;
  if (names.some(({ name }) => name === 'id')) return 'id';
  const likely = names.filter(({ name, required }) => required && /(Id|Number|sku|asin)$/i.test(name));
  const [only, another] = likely;
  return another === undefined ? only?.name : undefined;
}

function isNaming(type: string | undefined): boolean {
  return type === 'string' || type === 'integer';
}
