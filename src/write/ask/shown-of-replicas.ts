/** Any replica finds what was shown here: a code that one gave is then as good at another. */

import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { letOthersRunEach } from '../../base/event-loop.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { dropValue, keepValue, type Replicas, readValue } from '../../replicas/sealed.ts';
import { StoreAway } from '../../replicas/shared-step.ts';
import { digest, nameOf } from '../../replicas/shared-store.ts';
import type { BatchWrite } from '../plan/prepared-batch.ts';
import { toStoredItem } from '../run/items/stored-write.ts';
import { codesOfReplicas } from './codes-of-replicas.ts';
import { CODE_LIFETIME_MS, type IssuedCodes } from './confirmation.ts';
import type { KeptShown, SharedBatch, ShownBatch, ShownBatches, ShownCall } from './shown-before.ts';

/** A session keeps what it has asked where others can answer it too. */
export interface SharedAsking {
  /** @param kind keeps those that the assistant carries apart from those of questions */
  codes(kind: 'code' | 'question', alone: IssuedCodes): IssuedCodes;
  calls(alone: KeptShown<ShownCall, never>): KeptShown<ShownCall>;
  lists(alone: KeptShown<ShownBatch, never>): ShownBatches;
}

/** @param whose the person: what one was shown is nobody else's @param personal what the marks of the session stand for */
export function askedByReplicas(
  whose: string,
  personal: () => Promise<Pick<PersonalData, 'resolve'>>,
  replicas: Replicas,
): SharedAsking {
  return {
    codes: (kind, alone) => codesOfReplicas({ whose, kind, alone }, replicas),
    calls: (alone) => shownOfReplicas({ whose, kind: 'call', alone, ...callText }, replicas),
    lists: (alone) => shownOfReplicas({ whose, kind: 'list', alone, ...listText(personal) }, replicas),
  };
}

/** Characters of one, sealed in a quarter of a second over any network. What is longer stays here: elsewhere it is read anew. */
const MOST_CHARACTERS = 2_000_000;
/** Writes of a list: beyond that the same. */
const MOST_WRITES = 5_000;

interface OfReplicas<Shown, Stored> {
  whose: string;
  kind: 'call' | 'list';
  alone: KeptShown<Shown, never>;
  /** Undefined for what stays here. */
  toText(shown: Shown): Promise<string | undefined>;
  fromText(text: string): Stored | undefined;
}

/** The one that was shown last counts, wherever that was; where the store is away, the one of this replica. */
function shownOfReplicas<Shown extends object, Stored>(
  { whose, kind, alone, toText, fromText }: OfReplicas<Shown, Stored>,
  replicas: Replicas,
): KeptShown<Shown, Stored> {
  const nameIn = (key: string) => nameOf(whose, `${kind}:${digest(key)}`);
  /** As what the store has them; what it was never told of is newer than what it has. */
  const ids = new WeakMap<Shown, string>();
  const own = (key: string) => alone.find(key, async () => undefined);
  return {
    async find(key, restore) {
      const known = await own(key);
      const knownId = known && ids.get(known);
      if (known !== undefined && knownId === undefined) return known;
      const found = await orAway(readValue(nameIn(key), replicas, knownId));
      const stored = found && fromText(found.text);
      const made = stored === undefined ? undefined : await restore(stored);
      if (made === undefined || found === undefined) return known;
      ids.set(made, found.id);
      await alone.keep(key, made);
      return made;
    },
    async keep(key, shown) {
      const isKnown = (await own(key)) === shown;
      await alone.keep(key, shown);
      if (isKnown) return;
      const name = nameIn(key);
      const text = await toText(shown);
      if (text === undefined || text.length > MOST_CHARACTERS) {
        // An older one in its place would be found by another replica.
        if (await orAway(dropValue(name, replicas).then(() => true))) ids.set(shown, '');
        return;
      }
      const id = await orAway(keepValue(name, text, CODE_LIFETIME_MS, replicas));
      if (id !== undefined) ids.set(shown, id);
    },
    async forget(key) {
      await alone.forget(key);
      await orAway(dropValue(nameIn(key), replicas));
    },
  };
}

/** Undefined where the store is away: then there is what this replica has. */
async function orAway<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof StoreAway) return undefined;
    throw error;
  }
}

const callSchema = z.object({ tool: z.string(), args: z.custom<ShownCall['args']>(isJsonObject) });

const callText = {
  toText: async (call: ShownCall) => JSON.stringify(call),
  fromText: (text: string) => callSchema.safeParse(parseJson(text)).data,
};

const itemsSchema = z.array(z.object({ key: z.string(), value: z.unknown() }));
const listSchema = z.object({
  writes: itemsSchema,
  items: itemsSchema.optional(),
  mustAsk: z.boolean().optional(),
  remarks: z.array(z.string()),
  digest: z.string(),
  shownAt: z.number(),
  marks: z.array(z.tuple([z.string(), z.string()])),
});

/** A list that changes something is kept so. */
const listText = (personal: () => Promise<Pick<PersonalData, 'resolve'>>) => ({
  async toText({ list, digest: sha256, shownAt, preview }: ShownBatch): Promise<string | undefined> {
    if (list.writes.length === 0 || preview === undefined || list.writes.length > MOST_WRITES)
      return undefined;
    const known = await personal();
    const marks = new Map<string, string>();
    const writes: unknown[] = [];
    for (const write of list.writes) {
      await letOthersRunEach(A_TURN, writes.length);
      writes.push(toStoredItem(write));
      for (const { mark, original } of marksIn(write, known)) marks.set(mark, original);
    }
    const { items, mustAsk } = list;
    const { remarks } = preview;
    const all = { writes, items, mustAsk, remarks, digest: sha256, shownAt, marks: [...marks] };
    return (await deflate(JSON.stringify(all), { level: 1 })).toString('base64');
  },
  fromText(text: string): SharedBatch | undefined {
    const json = inflateRawSync(Buffer.from(text, 'base64')).toString('utf8');
    return listSchema.safeParse(parseJson(json)).data;
  },
});

function marksIn({ input, shown }: BatchWrite, { resolve }: Pick<PersonalData, 'resolve'>) {
  try {
    return resolve(input.account, shown).replaced;
  } catch {
    // One that stands for nothing here stands for nothing there.
    return [];
  }
}

const deflate = promisify(deflateRaw);
const A_TURN = 50;
