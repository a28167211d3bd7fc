/** Completes the facts of each operation beyond its request, from its definition and from the review. */

import { effectOf } from '../../src/service/facts/effects.ts';
import { workStates } from '../../src/service/facts/generated/work-states.ts';
import type {
  Method,
  Paging,
  PreviewMode,
  RefusalSign,
  RelatedRead,
} from '../../src/service/facts/operation.ts';
import type { AnswerMember } from './answer-members.ts';
import { findPaging } from './find-paging.ts';
import { findReadings, type Known } from './find-readings.ts';
import { findRefusals, suspects } from './find-refusals.ts';
import { reviewedPaging, reviewedReadings, reviewedRefusals } from './reviewed.ts';

export interface Recognised {
  paging?: Paging;
  state?: RelatedRead;
  progress?: RelatedRead;
  refusals?: RefusalSign[];
  previewMode?: PreviewMode;
  /** The decisions that a reviewer has to make. */
  problems: string[];
}

/** @param readers the reading operations of the same file. */
export function recognise(one: Known, readers: readonly Known[]): Recognised {
  const members = one.answers.flatMap((answer) => answer.members);
  const problems: string[] = [];
  const paging = pagingOf(one, members, problems);
  const { state, progress } = readingsOf(one, readers, problems);
  checkWorkStates(one, members, problems);
  const refusals = refusalsOf(one, members, problems);
  const previewMode = previewModeOf(one);
  return {
    ...(paging && { paging }),
    ...(state && { state }),
    ...(progress && { progress }),
    ...(refusals.length > 0 && { refusals }),
    ...(previewMode && { previewMode }),
    problems,
  };
}

function pagingOf(
  { id, draft }: Known,
  members: readonly AnswerMember[],
  problems: string[],
): Paging | undefined {
  const reviewed = reviewedPaging[id]?.paging;
  if (reviewed === null) return undefined;
  const found = findPaging(draft, members);
  if (found === undefined && reviewed === undefined) return undefined;
  const base = found !== undefined && 'found' in found ? found.found : undefined;
  const { by, input, output, list, key, alone, with: others } = { ...base, ...reviewed };
  if (by === undefined || input === undefined || output === undefined || list === undefined) {
    problems.push(`paging: ${found !== undefined && 'problem' in found ? found.problem : 'incomplete'}`);
    return undefined;
  }
  if (key === undefined) problems.push(`paging: no key of an item of ${list}`);
  return {
    by,
    input,
    output,
    list,
    ...(key && { key }),
    ...(alone && { alone }),
    ...(others && { with: others }),
  };
}

function readingsOf(one: Known, readers: readonly Known[], problems: string[]) {
  const { id, draft } = one;
  const effect = effectOf(id, draft.method);
  if (effect === 'read') return {};
  const reviewed = reviewedReadings[id];
  const found = findReadings(one, readers);
  const changed = reviewed?.state === undefined ? found.state : (reviewed.state ?? undefined);
  const state = effect === 'request' ? undefined : changed;
  const progress = reviewed?.progress === undefined ? found.progress : (reviewed.progress ?? undefined);
  if (effect !== 'request' && state === undefined && progress === undefined && reviewed === undefined)
    problems.push('readings: nothing shows what it changes');
  if (progress === undefined && reviewed === undefined && startsWork(one))
    problems.push('readings: it only starts work, and nothing tells how far that has come');
  if (progress !== undefined && workStates[progress.operation] === undefined)
    problems.push(`readings: work-states.yaml does not say how ${progress.operation} tells the end`);
  return { state, progress };
}

/** The status 202, or the id of work in the answer. */
function startsWork({ answers }: Known): boolean {
  return answers.some(
    ({ status, members }) =>
      status === 202 ||
      members.some(({ path }) => /(^|\.)(operation|transaction|query|report|feed|export)Id$/.test(path)),
  );
}

/** The values that the definition lists have to be those that work-states.yaml sorts. */
function checkWorkStates({ id }: Known, members: readonly AnswerMember[], problems: string[]): void {
  const states = workStates[id];
  if (states === undefined) return;
  const path = states.status.replace(/\.\d+/g, '[]');
  const listed = members.find((member) => member.path === path)?.schema.enum;
  const sorted = [...states.done, ...states.failed, ...states.working];
  if (listed === undefined || [...listed].sort().join() !== sorted.sort().join())
    problems.push(`readings: ${states.status} is ${listed?.join(', ')}, and work-states.yaml has ${sorted}`);
}

function refusalsOf(
  { id, draft }: Known,
  members: readonly AnswerMember[],
  problems: string[],
): RefusalSign[] {
  const reviewed = reviewedRefusals[id];
  const refusals = [...findRefusals(members), ...(reviewed?.refusals ?? [])];
  const known = [...refusals.map(({ member }) => member.replace(/\[\]$/, '')), ...(reviewed?.none ?? [])];
  const open = suspects(members, known);
  // A GET that reports failures answers the question that it was asked.
  if (open.length > 0 && draft.method !== 'GET') problems.push(`refusals: is ${open.join(', ')} one?`);
  return refusals;
}

/** A query parameter whose only value asks for a preview. */
function previewModeOf({ draft }: { draft: Known['draft'] & { method: Method } }): PreviewMode | undefined {
  for (const { name, in: place, schema } of draft.parameters) {
    const [value, another] = schema.enum ?? [];
    if (place === 'query' && another === undefined && typeof value === 'string' && /PREVIEW/.test(value))
      return { parameter: name, value };
  }
  return undefined;
}
