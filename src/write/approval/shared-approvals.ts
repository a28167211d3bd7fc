/** Shares previews between replicas, so that a code that one issued is valid at another. */

import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { yieldEvery } from '../../base/event-loop.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { PersonalData } from '../../privacy/personal/personal-data.ts';
import { dropValue, type Replicas, readValue, storeValue } from '../../replicas/sealed.ts';
import { StoreUnavailable } from '../../replicas/shared-step.ts';
import { digest, nameOf } from '../../replicas/shared-store.ts';
import type { BatchWrite } from '../plan/prepared-batch.ts';
import { toStoredItem } from '../run/items/stored-write.ts';
import { CODE_LIFETIME_MS, type IssuedCodes } from './confirmation.ts';
import { codesOfReplicas } from './shared-codes.ts';
import type { SharedBatch, ShownBatch, ShownBatches, ShownCall, ShownStore } from './shown-store.ts';

/** Wraps a session's codes and previews, so that other replicas can answer them too. */
export interface SharedApprovals {
  /** @param kind separates the assistant's codes from those of questions */
  codes(kind: 'code' | 'question', alone: IssuedCodes): IssuedCodes;
  calls(alone: ShownStore<ShownCall, never>): ShownStore<ShownCall>;
  lists(alone: ShownStore<ShownBatch, never>): ShownBatches;
}

/**
 * @param whose the user; previews are found for this user only
 * @param personal resolves the placeholders of the session
 */
export function createSharedApprovals(
  whose: string,
  personal: () => Promise<Pick<PersonalData, 'resolve'>>,
  replicas: Replicas,
): SharedApprovals {
  return {
    codes: (kind, alone) => codesOfReplicas({ whose, kind, alone }, replicas),
    calls: (alone) => shownOfReplicas({ whose, kind: 'call', alone, ...callText }, replicas),
    lists: (alone) => shownOfReplicas({ whose, kind: 'list', alone, ...listText(personal) }, replicas),
  };
}

/**
 * The max characters of one value, which take a quarter of a second to seal and send over any network. Longer
 * ones stay here, and another replica reads anew.
 */
const MAX_CHARACTERS = 2_000_000;
/** The max writes of a shared batch, for the same reason. */
const MAX_WRITES = 5_000;

interface ReplicaStoreParts<Shown, Stored> {
  whose: string;
  kind: 'call' | 'list';
  alone: ShownStore<Shown, never>;
  /** Returns undefined for a value that stays here. */
  toText(shown: Shown): Promise<string | undefined>;
  fromText(text: string): Stored | undefined;
}

/** Finds the value that was shown last, on any replica; without the store, this replica's own. */
function shownOfReplicas<Shown extends object, Stored>(
  { whose, kind, alone, toText, fromText }: ReplicaStoreParts<Shown, Stored>,
  replicas: Replicas,
): ShownStore<Shown, Stored> {
  const nameIn = (key: string) => nameOf(whose, `${kind}:${digest(key)}`);
  /** The ids under which the store has these values; a value without an id is newer than the stored one. */
  const ids = new WeakMap<Shown, string>();
  const own = (key: string) => alone.find(key, async () => undefined);
  return {
    async find(key, restore) {
      const known = await own(key);
      const knownId = known && ids.get(known);
      if (known !== undefined && knownId === undefined) return known;
      const found = await orAway(readValue(nameIn(key), replicas, knownId));
      const stored = found && fromText(found.text);
      const restored = stored === undefined ? undefined : await restore(stored);
      if (restored === undefined || found === undefined) return known;
      ids.set(restored, found.id);
      await alone.keep(key, restored);
      return restored;
    },
    async keep(key, shown) {
      const isKnown = (await own(key)) === shown;
      await alone.keep(key, shown);
      if (isKnown) return;
      const name = nameIn(key);
      const text = await toText(shown);
      if (text === undefined || text.length > MAX_CHARACTERS) {
        // An older stored value has to go, because another replica would find it.
        if (await orAway(dropValue(name, replicas).then(() => true))) ids.set(shown, '');
        return;
      }
      const id = await orAway(storeValue(name, text, CODE_LIFETIME_MS, replicas));
      if (id !== undefined) ids.set(shown, id);
    },
    async forget(key) {
      await alone.forget(key);
      await orAway(dropValue(nameIn(key), replicas));
    },
  };
}

/** Returns undefined if the store is unavailable, so that this replica's own value counts. */
async function orAway<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
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

/** Encodes a batch that changes something. */
const listText = (personal: () => Promise<Pick<PersonalData, 'resolve'>>) => ({
  async toText({ list, digest: sha256, shownAt, preview }: ShownBatch): Promise<string | undefined> {
    if (list.writes.length === 0 || preview === undefined || list.writes.length > MAX_WRITES)
      return undefined;
    const known = await personal();
    const marks = new Map<string, string>();
    const writes: unknown[] = [];
    for (const write of list.writes) {
      await yieldEvery(A_TURN, writes.length);
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
    // A placeholder that is unknown here is unknown there too.
    return [];
  }
}

const deflate = promisify(deflateRaw);
const A_TURN = 50;
