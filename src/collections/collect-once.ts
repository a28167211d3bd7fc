/** The work of one collection, done once for all processes of this computer; of what it did not finish nothing is left. */

import type { Clock } from '../client/clock.ts';
import { sourceKey } from '../tables/collection-file.ts';
import type { CollectionInfo, CollectionSource, Loader, Tables } from '../tables/types.ts';
import { oncePerMachine } from './once-per-machine.ts';
import type { RunProgress, Work, WorkParts } from './work.ts';

export interface CollectOnceParts extends Omit<WorkParts, 'open'> {
  tables: Tables;
  source: CollectionSource;
  work: Work;
  clock: Clock;
  /** How far it is, for the other processes. */
  progress(): RunProgress;
}

/** What another process has made meanwhile is as good. @throws what the work throws; what the signal was aborted with */
export async function collectOnce(parts: CollectOnceParts): Promise<CollectionInfo> {
  const { tables, source, work, clock, progress, tell, signal, idle } = parts;
  const opened: Loader[] = [];
  const open = async () => {
    signal.throwIfAborted();
    const loader = await tables.open(source);
    opened.push(loader);
    return loader;
  };
  return oncePerMachine<CollectionInfo>({
    ...{ folder: tables.folder, key: sourceKey(source), signal, clock, tell, idle, progress },
    async find(since) {
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
