/** The values of a list that goes out as a whole: kept in a few writes, each item an entry of its own that is read when it is asked for. */

import * as z from 'zod';
import { shortSha256 } from '../../../base/canonical-json.ts';
import { parseJson } from '../../../base/json.ts';
import { createRecent } from '../../../base/recent.ts';
import type { Recorded } from '../../model/outcome.ts';
import type { Author } from '../author.ts';
import type { HistoryEntry, HistoryFiles, HistoryLine, KeptValues, ListLine } from './history-file.ts';
import { thingOf, valuesSchema, type WriteValues } from './values.ts';

/** One item of it. */
export interface ItemToKeep {
  /** Its number in the list, from 1: `entryIdOf` makes the entry's id of it. */
  n: number;
  values: WriteValues;
  isPersonal: boolean;
  /** Id of the entry that it takes back. */
  undoes?: string | undefined;
  isPart?: boolean | undefined;
  /** Why it cannot be taken back; nothing of its values is kept then. */
  cannot?: string | undefined;
}

export interface ListToKeep {
  account: string;
  /** Mark of the account's owner. */
  owner: string;
  by?: Author | undefined;
  /** Id of the operation that each stands for. */
  operation: string;
  /** Id of the list. */
  batch: string;
  /** What the first changes, in short and without personal values. */
  what?: string | undefined;
  items: Iterable<ItemToKeep>;
}

/** The same item has the same id, however often it is kept: the last counts. */
export const entryIdOf = (batch: string, n: number) => `${batch}-${n}`;

/** What an entry is about, without telling it. */
export const thingDigest = (values: Pick<WriteValues, 'parameters'>) => shortSha256(thingOf(values), 8);

/** For all of one list: more is told before the yes, and not kept. */
export const MAX_LIST_BYTES = 64_000_000;

/** Read together, since one is seldom asked for alone. */
const ITEMS_A_PART = 250;
const PART_BYTES = 1_000_000;

interface KeepListParts {
  files: HistoryFiles;
  stamp(): { v: 1; time: string };
  /** Sealed wherever that is possible. */
  keep(value: unknown): Promise<KeptValues>;
  /** Thrown where something personal could only be kept in clear. */
  keychainGone(): Error;
}

/** Resolves once all are on the disk, or none. @throws the system's error; what `keychainGone` gives */
export async function keepList(
  { account, owner, by, operation, batch, what, items }: ListToKeep,
  { files, stamp, keep, keychainGone }: KeepListParts,
): Promise<void> {
  const file = await files.openValues();
  const lines: HistoryLine[] = [];
  let told = what;
  const put = async (part: readonly ItemToKeep[]) => {
    const kept = await keep(part.map(({ values, cannot }) => (cannot === undefined ? values : null)));
    const isOpen = part.some((one) => one.isPersonal && one.cannot === undefined);
    if ('clear' in kept && isOpen) throw keychainGone();
    const place = await file.put(JSON.stringify(kept));
    lines.push({
      ...stamp(),
      kind: 'kept_list',
      id: batch,
      account,
      owner,
      ...(by === undefined ? {} : { by }),
      operation,
      ...(told === undefined ? {} : { what: told }),
      items: part.map(({ n, values, undoes, isPart, cannot }) => ({
        n,
        thing: thingDigest(values),
        undoes,
        isPart,
        cannot,
      })),
      values: { file: file.name, ...place },
    });
    told = undefined;
  };
  try {
    for (const part of inParts(items)) await put(part);
    await file.finish();
    // What names them comes last: a part that is cut off belongs to nothing.
    await files.add(...lines);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function* inParts(items: Iterable<ItemToKeep>): Generator<readonly ItemToKeep[]> {
  let part: ItemToKeep[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = JSON.stringify(item.values).length;
    if (part.length > 0 && (part.length === ITEMS_A_PART || bytes + size > PART_BYTES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Outcomes that one line names: far less than a reader takes. */
const OUTCOMES_A_LINE = 10_000;

/** By their numbers. @throws the system's error */
export async function endList(
  batch: string,
  outcomes: readonly (readonly [number, Recorded])[],
  { files, stamp }: Pick<KeepListParts, 'files' | 'stamp'>,
): Promise<void> {
  const lines: HistoryLine[] = [];
  for (let at = 0; at < outcomes.length; at += OUTCOMES_A_LINE) {
    const some = outcomes.slice(at, at + OUTCOMES_A_LINE).map(([n, kind]): [number, Recorded] => [n, kind]);
    lines.push({ ...stamp(), kind: 'ended_list', id: batch, outcomes: some });
  }
  if (lines.length > 0) await files.add(...lines);
}

const partSchema = z.array(valuesSchema.nullable());
type Part = z.output<typeof partSchema>;

/** Parts that stay open: entries are asked for in their order, several times. */
const OPEN_PARTS = 8;

/** Reads parts of lists when they are asked for. */
export function createPartReader(
  files: Pick<HistoryFiles, 'readValues'>,
  open: (kept: unknown) => Promise<unknown>,
): (place: ListLine['values']) => Promise<Part | undefined> {
  const parts = createRecent<string, Promise<Part | undefined>>(OPEN_PARTS);
  const read = async (place: ListLine['values']) => {
    const text = await files.readValues(place);
    return text === undefined ? undefined : partSchema.safeParse(await open(parseJson(text))).data;
  };
  return (place) => {
    const key = `${place.file} ${place.at}`;
    return parts.get(key, () => {
      const part = read(place);
      // Another time it may be readable again.
      part.catch(() => parts.forget(key));
      return part;
    });
  };
}

/** Its entries, without an outcome yet. */
export function entriesOf(
  line: ListLine,
  readPart: (place: ListLine['values']) => Promise<Part | undefined>,
): HistoryEntry[] {
  const { id: batch, time, account, owner, by, operation, what, items, values } = line;
  return items.map(({ n, thing, undoes, isPart, cannot }, at) => ({
    id: entryIdOf(batch, n),
    time,
    account,
    owner,
    ...(by === undefined ? {} : { by }),
    operation,
    batch,
    thing,
    ...(at > 0 || what === undefined ? {} : { what }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(isPart === undefined ? {} : { isPart }),
    ...(cannot === undefined ? {} : { cannot }),
    outcome: 'unknown',
    open: async () => (await readPart(values))?.[at] ?? undefined,
  }));
}
