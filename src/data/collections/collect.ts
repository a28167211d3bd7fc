/** Collects what is planned, or finds it: new enough and kept, under way, or begun now; waits as long as the caller has time. */

import type { Clock } from '../../base/clock.ts';
import { toName } from '../tables/names.ts';
import type { CollectionInfo, Tables } from '../tables/types.ts';
import type { Plan } from './plan.ts';
import type { Runs } from './runs.ts';
import type { SavedRaw } from './save-raw.ts';
import type { RunProgress } from './work.ts';

/** A younger one counts as collected now. */
const WORTH_TELLING_MS = 60_000;

export interface CollectOptions {
  tables: Tables;
  runs: Runs;
  clock: Clock;
  /** Anew, however new the one is that is kept. */
  fresh?: boolean | undefined;
  /** The name that its table must have, where the caller asked for one. */
  as?: string | undefined;
  /** Milliseconds of the clock. */
  until: number;
  /** Ends the waiting, never the work. */
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

export type Collected =
  /** `ageMs`: of one that was kept; absent where it was collected now. */
  | {
      state: 'done';
      info: CollectionInfo;
      ageMs?: number;
      /** Main table of an earlier collection of the same source, which is gone. */
      replaced?: string;
      /** For the person, where that was asked for. */
      saved?: SavedRaw;
      /** The name that was asked for, where it was under way with another one. */
      missedName?: string;
    }
  | { state: 'under way'; progress: RunProgress };

/** @throws what ended the work, once */
export async function collect(plan: Plan, options: CollectOptions): Promise<Collected> {
  const { tables, runs, clock, fresh = false, as, until, signal, onProgress } = options;
  const { source, work, recentMs, saveAs } = plan;
  const accepts = (info: CollectionInfo) => isNamed(info, as);
  const asked = { tables, source, saveAs, fresh, recentMs, accepts };
  // Tables do not hold what they were made of.
  if (saveAs === undefined && !fresh && !runs.has(asked)) {
    const kept = await tables.find(source);
    const ageMs = kept === undefined ? 0 : clock.wallClock() - Date.parse(kept.collectedAt);
    if (kept !== undefined && ageMs <= plan.recentMs && accepts(kept)) {
      return { state: 'done', info: kept, ageMs: Math.max(0, ageMs) };
    }
  }
  const run = runs.open({ ...asked, work });
  // Whoever asks for the first time is told at once that it takes longer; whoever comes again waits.
  const isTooLong = ({ leftMs = 0 }: RunProgress) => run.isNew && clock.now() + leftMs > until;
  const ended = await run.wait({ until, signal, onProgress, isTooLong });
  if (ended === undefined) return { state: 'under way', progress: run.progress() };
  const { info, replaced, saved } = ended;
  // It may have ended long before anybody came back for it.
  const ageMs = clock.wallClock() - Date.parse(info.collectedAt);
  return {
    state: 'done',
    info,
    ...(ageMs < WORTH_TELLING_MS ? {} : { ageMs }),
    ...(replaced === undefined ? {} : { replaced }),
    ...(saved === undefined ? {} : { saved }),
    ...(as === undefined || accepts(info) ? {} : { missedName: toName(as) }),
  };
}

/** `_2` and so on stand behind a name that is taken. */
function isNamed({ tables: [main] }: CollectionInfo, as: string | undefined): boolean {
  if (as === undefined) return true;
  const name = toName(as);
  return main?.name === name || (main?.name.startsWith(`${name}_`) && /_\d+$/.test(main.name)) === true;
}
