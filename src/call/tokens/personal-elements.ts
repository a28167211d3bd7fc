/** Members of answers that hold buyers' data: which an operation has, and whether an answer holds any. */

import { isJsonObject } from '../../base/json.ts';
import { reviewed } from '../../service/facts/generated/reviewed.ts';

/** The data elements that a restricted data token for the operation can be asked for. */
export const elementsOf = ({ id }: { id: string }): readonly string[] => reviewed[id]?.personalData ?? [];

/** True where any of the elements, in whatever case, is an object that is not empty. */
export function holdsElements(answer: unknown, elements: readonly string[]): boolean {
  const names = new Set(elements.map((element) => element.toLowerCase()));
  return someMember(
    answer,
    (name, member) => names.has(name.toLowerCase()) && isJsonObject(member) && Object.keys(member).length > 0,
  );
}

/** True where a member anywhere in the value is one that is looked for. */
export function someMember(value: unknown, isMeant: (name: string, member: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((each) => someMember(each, isMeant));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => isMeant(name, member) || someMember(member, isMeant));
}
