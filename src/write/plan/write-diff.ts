/** Works out what a write changes before anybody is asked: it reads the state and applies the write to it. */

import { isJsonObject } from '../../base/json.ts';
import { formatPath, type Segments } from '../../base/json-difference.ts';
import { nearestName } from '../../base/text/nearest-name.ts';
import type { CallOptions } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { own, resolveSchema, type SchemaDefs } from '../../service/facts/schema-parts.ts';
import { unknownChange, type Warning, type WriteDiff } from '../model/change.ts';
import { plannerOf } from '../model/find-adapter.ts';
import { planGeneric } from '../model/generic-adapter.ts';
import { createStateReader, type ReadState, type StateParts, type WrittenCall } from '../model/read-state.ts';
import type { OtherMarketplaces, WritePlanner } from '../model/subject-adapter.ts';

/**
 * Plans the write. It reads nothing for a request, which is sent without a question. A state that cannot be
 * read becomes a warning, and approval is still possible.
 * @param known the state as the reading operation would show it, if it was read already
 * @throws AppError for anything that would hinder the write too
 */
export async function readStateAndDiff(
  written: WrittenCall,
  parts: StateParts,
  call: CallOptions,
  known?: ReadState,
): Promise<WriteDiff> {
  const planned = await planState(written, parts, call, known);
  const unknowns = warnAboutUnknown(written.operation, written.body);
  const { change } = planned;
  // Members of a store that the definition does not name are compared like any other.
  const isWhole = change.isWhole && (change.subject.kind === 'store' || unknowns.length === 0);
  return { ...planned, change: { ...change, isWhole, warnings: [...change.warnings, ...unknowns] } };
}

async function planState(
  written: WrittenCall,
  parts: StateParts,
  call: CallOptions,
  known: ReadState | undefined,
): Promise<WriteDiff> {
  const { operation, parameters } = written;
  if (effectOfCall(operation, parameters) === 'request') return { change: unknownChange() };
  const planner = plannerOf(operation.id);
  const reader = createStateReader(written, parts, planner?.more);
  if (typeof reader === 'string') return { change: unknownChange(reader) };
  const [read, elsewhere] = await Promise.all([
    known ?? reader.read(call),
    readElsewhere(planner, written, parts, call),
  ]);
  return { ...(planner?.plan ?? planGeneric)(written, read, reader, elsewhere), isAbsent: 'absent' in read };
}

/** Reads the other marketplaces separately, so that one that cannot be read leaves the others known. */
async function readElsewhere(
  planner: WritePlanner | undefined,
  written: WrittenCall,
  parts: StateParts,
  call: CallOptions,
): Promise<OtherMarketplaces | undefined> {
  const ids = planner?.elsewhere?.(written) ?? [];
  if (ids.length === 0) return undefined;
  const parameters = { ...written.parameters, marketplaceIds: ids };
  const reader = createStateReader({ ...written, parameters }, parts, planner?.more);
  return typeof reader === 'string' ? undefined : { places: ids, reader, read: await reader.read(call) };
}

// Members of a body that its definition does not name are sent all the same. They become warnings, since most
// are misspelled.

/** The max number of such warnings, because a body of another kind is one mistake, not thousands. */
const MAX_WARNINGS = 20;

function warnAboutUnknown({ body, defs = {} }: Operation, sent: unknown): Warning[] {
  if (body === undefined) return [];
  const found: Warning[] = [];
  visit(body.schema, sent, [], defs, found);
  return found;
}

function visit(
  schema: JsonSchema,
  value: unknown,
  segments: Segments,
  defs: SchemaDefs,
  found: Warning[],
): void {
  if (found.length >= MAX_WARNINGS) return;
  const { properties, additionalProperties, items } = resolveSchema(schema, defs);
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const [at, one] of value.entries()) visit(items, one, [...segments, at], defs, found);
    return;
  }
  if (!isJsonObject(value)) return;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  for (const [name, member] of Object.entries(value)) {
    const inner = own(properties, name);
    const path = [...segments, name];
    if (inner !== undefined) visit(inner, member, path, defs, found);
    else if (typeof additionalProperties === 'object') visit(additionalProperties, member, path, defs, found);
    else if (properties !== undefined && !isOpen && found.length < MAX_WARNINGS) {
      found.push({
        path: formatPath(path),
        segments: path,
        message: unknownMember(name, Object.keys(properties)),
      });
    }
  }
}

function unknownMember(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  return `is not a member that the definition names${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
}
