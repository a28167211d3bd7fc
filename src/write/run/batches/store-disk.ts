/** Lists of writes in the store that replicas share, as the disk has them in files: whichever process works on one, the store says so, and each item is claimed there before it is sent. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { ConfigError } from '../../../base/errors.ts';
import type { Script } from '../../../replicas/script.ts';
import { keyOf, type SharedStore, StoreAway } from '../../../replicas/shared-store.ts';
import { BatchWaitsError } from './batch.ts';
import type { BatchDisk } from './batch-table.ts';
import { type Line, lineText, parseLine } from './lines.ts';
import {
  APPEND,
  DRAFT,
  HOLD,
  IS_HELD,
  KEEP,
  LIST,
  LOOK_AT,
  PUBLISH,
  READ,
  RELEASE,
  TELL,
} from './list-scripts.ts';

/** All lists have one hash tag: what is under way, and begun, is asked in one step. */
const listKey = (id: string) => keyOf('lists', `list:${id}`);
const INDEX = keyOf('lists', 'index');

const ID = /^[0-9a-f]{8}$/;
/** Whoever is not heard of for so long has lost the list: milliseconds of the store’s clock. */
const LEASE_MS = 10_000;
/** What is sent to the store in one step, in characters. */
const PIECE_LENGTH = 131_072;

const IN_DOUBT =
  'The store that replicas share was started again, restored or replaced, or has lost lines of this list, so what has no outcome may have been sent. Nothing more of it is sent; what can be read tells what became of each. Call again for the rest: it is shown anew.';

interface StoreDiskOptions {
  store: SharedStore;
  clock: Clock;
  leaseMs?: number;
}

/** @throws BatchWaitsError from each of its steps while the store is away */
export function openStoreDisk({ store, clock, leaseMs = LEASE_MS }: StoreDiskOptions): BatchDisk {
  const writer = randomBytes(8).toString('hex');
  let written = 0;
  /** How many lines this process has seen of each. */
  const seen = new Map<string, number>();

  const run = async (step: Script, keys: readonly string[], args: readonly (string | number)[]) => {
    const answer = await store.run(step, keys, args).catch(throwWaits);
    return Array.isArray(answer) ? answer.map(String) : [];
  };
  /** @returns undefined where there is no such list, and `held` or `late`, or what follows the number of its lines */
  const onList = async (id: string, step: Script, args: readonly (string | number)[], isSure = false) => {
    const doubt: Line = { t: 'doubt', at: clock.wallClock(), why: IN_DOUBT };
    const known = [store.generation, isSure ? 1 : 0, seen.get(id) ?? 0, lineText(doubt)];
    const [how, lines = '', ...rest] = await run(step, [listKey(id), INDEX], [...known, ...args]);
    if (how === 'generation') {
      await store.look().catch(throwWaits);
      return onList(id, step, args, true);
    }
    if (how === 'none') return undefined;
    if (how === 'unknown') throw mayNotAsk();
    if (how !== 'lines') return how ?? 'held';
    seen.set(id, Math.max(seen.get(id) ?? 0, Number(lines)));
    return rest;
  };

  return {
    async create(id, text, known) {
      const pieces = cut(text);
      for (const [at, piece] of pieces.entries()) {
        const [how] = await run(DRAFT, [listKey(id)], [at + 1, piece]);
        if (how !== 'done') throw new Error(`there is a list ${id} already`);
      }
      const args = [store.generation, pieces.length, id, ...known];
      const [how] = await run(PUBLISH, [listKey(id), INDEX], args);
      if (how === 'unknown') throw mayNotAsk();
      if (how === 'other') return false;
      if (how !== 'done')
        throw new BatchWaitsError('It took too long to write the list to the store.', AGAIN);
      seen.set(id, pieces.length);
      return true;
    },
    async append(id, text) {
      const lines = text.split('\n').slice(0, -1).flatMap(claimOf);
      const how = await onList(id, APPEND, [writer, ++written, id, ...lines]);
      if (how === undefined) throw new Error('the list is not in the store');
      if (typeof how === 'string') throw new BatchWaitsError('The store took it too late.', AGAIN);
    },
    async *read(id, from) {
      let half = '';
      for (let place = from; ; ) {
        const found = await onList(id, READ, [place]);
        if (found === undefined || typeof found === 'string' || found.length === 0) return;
        for (let at = 0; at < found.length; at += 2) {
          place = Number(found[at]);
          const lines = `${half}${found[at + 1] ?? ''}`.split('\n');
          half = lines.pop() ?? '';
          for (const line of lines) yield { line, next: place };
        }
      }
    },
    async list() {
      const found = await run(LIST, [INDEX], []);
      const listed = found.filter((id) => ID.test(id));
      if (listed.length === 0) return [];
      const kept = await run(LOOK_AT, [INDEX, ...listed.map(listKey)], listed);
      return listed.flatMap((id, at) => {
        const [server = '', told = ''] = kept.slice(2 * at, 2 * at + 2);
        return server === '' ? [] : [{ id, isTold: told !== '' }];
      });
    },
    async markTold(id) {
      await run(TELL, [listKey(id)], []);
    },
    // By the store itself.
    sweep: async () => undefined,
    async hold(id) {
      // What was restored a moment ago somebody knows by now.
      await store.look().catch(throwWaits);
      const mark = randomBytes(8).toString('hex');
      const how = await onList(id, HOLD, [mark, leaseMs]);
      if (how === undefined) throw new Error('the list is not in the store');
      if (typeof how === 'string') return undefined;
      const [silent = ''] = how;
      return {
        mark,
        silent: silent === '' ? undefined : silent,
        // While the store is away nobody else takes it; what is to be sent is claimed there all the same.
        isOurs: async () => {
          const kept = await onList(id, KEEP, [mark, leaseMs]).catch(() => []);
          return kept !== undefined && typeof kept !== 'string';
        },
        release: async () => void (await run(RELEASE, [listKey(id)], [mark]).catch(() => undefined)),
      };
    },
    isHeld: async (id) => (await onList(id, IS_HELD, [])) === 'held',
  };
}

const AGAIN = 'Call again.';

function throwWaits(error: unknown): never {
  if (!(error instanceof StoreAway)) throw error;
  const { message } = error;
  throw new BatchWaitsError(
    message.includes('WRONGTYPE')
      ? 'The store that replicas share holds something else under a key of this program: nothing is sent that cannot be written down there.'
      : `The store that replicas share is away (${message}): nothing is sent that cannot be written down there.`,
    'It goes on by itself once the store is back; whoever runs this server sees it in the log.',
  );
}

function mayNotAsk(): ConfigError {
  return new ConfigError(
    'The user of the store may not call INFO, which tells whether the store was started again.',
    'Allow it: ACL SETUSER … +info.',
  );
}

/** Of a line, what the store looks at before it takes it. */
function claimOf(text: string): [string, string, string, string] {
  const line = parseLine(text);
  const isOfItem = line !== undefined && 'by' in line && 'i' in line;
  return isOfItem ? [`${text}\n`, line.t, line.by, String(line.i)] : [`${text}\n`, '', '', ''];
}

/** Whole lines together, and long ones in pieces of their own, so that each piece ends what it begins or goes on in the next. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  let some = '';
  for (const line of text.split(/(?<=\n)/)) {
    if (some.length + line.length > PIECE_LENGTH && some !== '') {
      pieces.push(some);
      some = '';
    }
    if (line.length <= PIECE_LENGTH) {
      some += line;
      continue;
    }
    for (let at = 0; at < line.length; ) {
      let end = Math.min(line.length, at + PIECE_LENGTH);
      // Not within one character.
      if (end < line.length && /[\uD800-\uDBFF]/.test(line[end - 1] ?? '')) end -= 1;
      pieces.push(line.slice(at, end));
      at = end;
    }
  }
  return some === '' ? pieces : [...pieces, some];
}
