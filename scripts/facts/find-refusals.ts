/** Members of 2xx answers that say that a call, or one of its items, was not accepted, as far as their names tell. */

import type { RefusalSign } from '../../src/service/facts/operation.ts';
import { type AnswerMember, lastOf } from './answer-members.ts';

/** Recognised by name and shape alone: these mean the same wherever they stand. */
export function findRefusals(members: readonly AnswerMember[]): RefusalSign[] {
  return members.flatMap(({ path, schema }): RefusalSign[] => {
    if (path === 'errors') return [{ member: path, when: 'filled' }];
    if (path === 'status' && schema.enum?.includes('INVALID')) return [{ member: path, when: ['INVALID'] }];
    if (/^\w+\[\]\.status\.statusCode$/.test(path)) return [{ member: path, when: 'status' }];
    return [];
  });
}

/** Names that may speak of a refusal: a reviewer has to have said of each whether it does. */
const SUSPECT = /error|fail|invalid|reject|unsuccess|actionable/i;
const SUSPECT_VALUE = /^(INVALID|FAIL\w*|REJECTED|ERROR|FATAL|\w*Error|FAILURE)$/i;

/** Paths that look like a refusal and are not in `known`, outermost first. */
export function suspects(members: readonly AnswerMember[], known: readonly string[]): string[] {
  const found = members
    .filter(
      ({ path, schema }) =>
        SUSPECT.test(lastOf(path)) || schema.enum?.some((value) => SUSPECT_VALUE.test(String(value))),
    )
    .map(({ path }) => path.replace(/\[\]$/, ''));
  const outermost = found.filter(
    (path, i) =>
      found.indexOf(path) === i &&
      !found.some(
        (other) => other !== path && (path.startsWith(`${other}.`) || path.startsWith(`${other}[]`)),
      ),
  );
  return outermost.filter((path) => !known.some((one) => path === one || path.startsWith(`${one}[]`)));
}
