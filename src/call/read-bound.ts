/** Bounds the answer that one tool call reads, and names the call that reads the same in parts. */

import type { AnswerBound } from './api-request.ts';
import type { CallInput } from './client-types.ts';

/** A larger answer would hold up all other calls, because it is parsed, masked and fitted in the one thread. */
export const MAX_READ_BYTES = 2_000_000;

/** A ready call of more characters is named without its arguments. */
const MAX_CALL_CHARACTERS = 400;

const ASK_FOR_LESS = 'Ask for less: fewer includedData, a smaller pageSize, a narrower date range.';

type Asked = Pick<CallInput, 'operation' | 'parameters' | 'body'> & { account?: string | undefined };

/** @param asked what the tool call asks for, with the account only where it names one */
export function readBound(asked: Asked): AnswerBound {
  return { maxBytes: MAX_READ_BYTES, hint: () => [inPages(asked), ASK_FOR_LESS].join(' ').trim() };
}

/** Returns nothing for an operation without pages, which collect_data cannot read in parts. */
function inPages({ operation: { id, paging }, parameters, body, account }: Asked): string {
  if (paging === undefined) return '';
  // collect_data sets the page token itself and refuses one that is given.
  const own = paging.input.in === 'query' ? paging.input.name : undefined;
  const given = Object.entries(parameters).filter(([name, value]) => name !== own && value !== undefined);
  const call = JSON.stringify({ operation: id, parameters: Object.fromEntries(given), body, account });
  const ready =
    call.length <= MAX_CALL_CHARACTERS ? call : `with operation "${id}" and the same parameters and body`;
  return `To read all pages into a table: collect_data ${ready}.`;
}
