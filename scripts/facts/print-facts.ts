/** The printed list of what was recognised of every operation beyond its request, for a reviewer's eye. */

import { formatEnding } from '../../src/service/facts/endings.ts';
import { reviewed } from '../../src/service/facts/generated/reviewed.ts';
import { olderVersionReason, olderVersions } from '../../src/service/facts/groups.ts';
import type { Operation, Reading } from '../../src/service/facts/operation.ts';
import { reviewedPaging, reviewedReadings, reviewedRefusals } from './reviewed.ts';

/** One block of lines per operation, then what is left out. */
export function printFacts(operations: readonly Operation[]): string[] {
  const left = olderVersions.flatMap(({ operations: names }) => names).length;
  return [
    ...operations.flatMap(linesOf),
    '',
    ...olderVersions.map(
      ({ file, operations: names, group, newer }) =>
        `left out  ${file}: ${names.join(', ')} (${olderVersionReason}: ${group}, ${newer})`,
    ),
    ...countsOf(operations),
    `${operations.length} operations, ${left} left out`,
  ];
}

function linesOf(operation: Operation): string[] {
  const { id, method, effect, paging, state, progress, refusals, previewMode, ending } = operation;
  const lines = [
    ...(paging === undefined
      ? []
      : [
          `pages: ${paging.input.in} ${paging.input.name} (${paging.by}${paging.alone ? ', alone' : ''}${paging.with ? `, with ${JSON.stringify(paging.with)}` : ''}) <- ${paging.output}; list ${paging.list}, key ${paging.key ?? 'none'}${because(reviewedPaging[id])}`,
        ]),
    ...(state === undefined ? [] : [`state: ${readingText(state)}${because(reviewedReadings[id])}`]),
    ...(progress === undefined ? [] : [`progress: ${readingText(progress)}${because(reviewedReadings[id])}`]),
    ...(state === undefined && progress === undefined && reviewedReadings[id] !== undefined
      ? [`nothing to read back${because(reviewedReadings[id])}`]
      : []),
    ...(refusals ?? []).map(
      ({ member, when }) =>
        `not accepted: ${member} ${typeof when === 'string' ? when : `is ${when.join(' or ')}`}${because(reviewedRefusals[id])}`,
    ),
    ...(previewMode === undefined ? [] : [`a request with ${previewMode.parameter}=${previewMode.value}`]),
    ...(ending === undefined ? [] : [formatEnding(ending)]),
  ];
  return [`${id}  ${method}  ${effect}${effectReason(id)}`, ...lines.map((line) => `    ${line}`)];
}

function because(reviewed: { reason: string } | undefined): string {
  return reviewed === undefined ? '' : `  [reviewed: ${reviewed.reason}]`;
}

function effectReason(id: string): string {
  const { read, request, delete: ends } = reviewed[id] ?? {};
  const reason = read ?? request ?? ends;
  return reason === undefined ? '' : `  [reviewed: ${reason}]`;
}

function readingText({ operation, parameters }: Reading): string {
  const values = Object.entries(parameters).map(
    ([name, { from, name: source }]) => `${name} <- ${from} ${source}`,
  );
  return `${operation} (${values.join(', ')})`;
}

function countsOf(operations: readonly Operation[]): string[] {
  const count = (is: (one: Operation) => boolean) => operations.filter(is).length;
  return [
    `${count(({ paging }) => paging !== undefined)} page, ${count(({ state }) => state !== undefined)} have a state to read, ` +
      `${count(({ progress }) => progress !== undefined)} a progress, ${count(({ refusals }) => refusals !== undefined)} a way to say no in a 2xx`,
    (['read', 'request', 'write', 'delete'] as const)
      .map((effect) => `${count((one) => one.effect === effect)} ${effect}`)
      .join(', '),
  ];
}
