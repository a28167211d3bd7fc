/** Turns the current state of a supply source into the body that writes it (section 2.4). */

import * as z from 'zod';
import { InputError, type Problem } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { supplySourceSchema } from '../../../service/shapes/supply-source.ts';
import { isOperatingHours } from './hours.ts';

/**
 * The members of the response of getSupplySource that updateSupplySource does not take, each with the
 * operation that changes it.
 */
const READ_ONLY: Readonly<Record<string, string>> = {
  supplySourceId: 'the service sets it',
  supplySourceCode: 'it is set once, by createSupplySource',
  status: 'updateSupplySourceStatus and archiveSupplySource change it',
  address: 'it is set once, by createSupplySource',
  createdAt: 'the service sets it',
  updatedAt: 'the service sets it',
  details: 'the service sets it',
};

/**
 * Returns the part of the current state that can be written back. It drops the members above, at any depth
 * where the body does not list them too (it lists `returnLocation.supplySourceId` and
 * `addressWithContact.address`). Undocumented members stay whole, so that an edit never loses them;
 * `refuseNumbersAsText` handles those that could not stay unchanged.
 */
export function toWritableSupplySource(current: JsonObject): JsonObject {
  return writableMembers(current, supplySourceSchema.shape);
}

function writableMembers(value: JsonObject, shape: Readonly<Record<string, unknown>>): JsonObject {
  const writable = Object.entries(value).filter(
    ([name]) => Object.hasOwn(shape, name) || !Object.hasOwn(READ_ONLY, name),
  );
  return Object.fromEntries(writable.map(([name, member]) => [name, toWritable(member, own(shape, name))]));
}

/** @param schema undefined if nothing is known of the value */
function toWritable(value: unknown, schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return toWritable(value, schema.unwrap());
  if (Array.isArray(value) && schema instanceof z.ZodArray) {
    return value.map((item) => toWritable(item, schema.element));
  }
  return isJsonObject(value) && schema instanceof z.ZodObject ? writableMembers(value, schema.shape) : value;
}

/**
 * Returns the body after `changes`, a JSON Merge Patch over the writable part of `current`.
 * @throws InputError when the changes are no object, are empty, or touch a member that cannot be written
 */
export function changeSupplySource(current: JsonObject, changes: unknown): JsonObject {
  if (!isJsonObject(changes) || Object.keys(changes).length === 0) {
    throw new InputError(
      'The changes are not an object with at least one member.',
      'Give the members to change in their place, for example {"alias": "New name"}; null removes a member.',
    );
  }
  refuseReadOnly(changes);
  return mergeObjects(toWritableSupplySource(current), changes, []);
}

/**
 * Returns whether the body is given whole or as changes over the current state.
 * @throws InputError if there is neither, or both
 */
export function chooseForm(whole: JsonObject, changes: JsonObject | undefined): 'whole' | 'changes' {
  const names = Object.keys(whole).filter((name) => whole[name] !== undefined);
  if (changes !== undefined && names.length > 0) {
    throw new InputError(
      `"changes" and ${names.join(', ')} were both given.`,
      'Give "changes" alone to edit, or the others alone to replace the whole.',
    );
  }
  if (changes !== undefined) return 'changes';
  if (names.length > 0) return 'whole';
  throw new InputError(
    'There is nothing to write.',
    'Give "changes", or any of alias, configuration, capabilities.',
  );
}

function refuseReadOnly(changes: JsonObject): void {
  const problems: Problem[] = Object.keys(changes)
    .filter((name) => Object.hasOwn(READ_ONLY, name))
    .map((name) => ({ path: name, message: `cannot be changed here: ${READ_ONLY[name]}` }));
  if (problems.length === 0) return;
  throw new InputError(
    `These members of a supply source can only be read: ${problems.map(({ path }) => path).join(', ')}.`,
    'Leave them out of the changes; alias, configuration and capabilities can be changed.',
    problems,
  );
}

/**
 * Applies a JSON Merge Patch (RFC 7396): `null` removes a member, objects merge, everything else replaces.
 * Neither argument is changed. Members stay in the target's order, and new ones follow. `Object.fromEntries`
 * makes every name an own member, so `__proto__` in a patch is only data.
 */
export function applyMergePatch(target: unknown, patch: unknown, segments: Segments = []): unknown {
  if (isJsonObject(patch)) return mergeObjects(toObject(target), patch, segments);
  return segments.at(-2) === 'operatingHoursByDay' ? completeHours(patch, target, segments) : patch;
}

/**
 * Completes a day that has only an end or only a beginning with its other current time, because "close at
 * 14:00" says no more.
 * @throws InputError if the day has no opening, or several, so that the meant one is unknown
 */
function completeHours(patch: unknown, target: unknown, segments: Segments): unknown {
  if (!isOperatingHours(patch) || patch.length !== 1) return patch;
  const [given] = patch;
  if (given === undefined || (given.startTime !== undefined && given.endTime !== undefined)) return patch;
  if (isOperatingHours(target) && target.length === 1) return [{ ...target[0], ...given }];
  const path = formatPath(segments);
  throw new InputError(
    `${path} gives one time, and the day has not exactly one opening now; nothing was sent.`,
    'Give each opening of that day with startTime and endTime.',
    [{ path, message: 'needs startTime and endTime' }],
  );
}

function mergeObjects(target: JsonObject, patch: JsonObject, segments: Segments): JsonObject {
  const members = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), value, [...segments, name]));
  }
  return Object.fromEntries(members);
}

/**
 * Returns a copy without the members that are null, at every depth, because null means absent to the service.
 */
export function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, dropNulls(member)]));
}
