/** The work of one collection, done once for all processes of this computer; of what it did not finish nothing is left. */

import type { Clock } from '../client/clock.ts';
import { sourceKey } from '../tables/collection-file.ts';
import type { CollectionSource, Loader, Tables } from '../tables/types.ts';
import { oncePerMachine } from './once-per-machine.ts';
import type { Made, RunProgress, Work, WorkParts } from './work.ts';

export interface CollectOnceParts extends Omit<WorkParts, 'open'> {
  tables: Tables;
  source: CollectionSource;
  work: Work;
  /** Under which name the work saves what it reads. */
  saveAs?: string | undefined;
  clock: Clock;
  /** How far it is, for the other processes. */
  progress(): RunProgress;
}

/** The same work for whoever wants the same tables, and the same file. */
export function workKey({ source, saveAs }: Pick<CollectOnceParts, 'source' | 'saveAs'>): string {
  return saveAs === undefined ? sourceKey(source) : `${sourceKey(source)}\n${saveAs}`;
}

/** What another process has made meanwhile is as good. @throws what the work throws; what the signal was aborted with */
export async function collectOnce(parts: CollectOnceParts): Promise<Made> {
  const { tables, source, work, saveAs, clock, progress, tell, signal, idle } = parts;
  const opened: Loader[] = [];
  const open = async () => {
    signal.throwIfAborted();
    const loader = await tables.open(source);
    opened.push(loader);
    return loader;
  };
  return oncePerMachine<Made>({
    folder: tables.folder,
    key: workKey(parts),
    signal,
    clock,
    tell,
    idle,
    progress,
    async find(since) {
      // What another process has saved went to a caller of its own.
      if (saveAs !== undefined) return undefined;
      const found = await tables.find(source);
      return found !== undefined && Date.parse(found.collectedAt) >= since ? found : undefined;
    },
    async run() {
      try {
        return await work({ open, signal, tell, idle });
      } finally {
        await Promise.all(opened.map((loader) => loader.abandon()));
      }
    },
  });
}
