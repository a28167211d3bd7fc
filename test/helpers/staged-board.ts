/** A board to look at: the sandbox's seller after two reviews with changes between them, as a person would find it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Session } from './sessions.ts';

export interface StagedBoard {
  /** Flags of a program that has all of it. */
  args: readonly string[];
  /** The folder of saved files. */
  files: string;
  remove(): Promise<void>;
}

/** Built programs of processes are used: `npm run build` first. @param more is done by the assistant in the end */
export async function stageBoard(
  more: (session: Session) => Promise<void> = async () => {},
): Promise<StagedBoard> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-board-stage-'));
  const files = join(folder, 'files');
  const args = [
    '--sandbox',
    ...['--state-dir', join(folder, 'state')],
    ...['--data-dir', join(folder, 'data')],
    ...['--files-dir', files],
  ];
  const session = await connect({ spawn: true, args: [...args, '--writes', 'allow'] });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { isError, text } = await session.call(name, given);
    if (isError) throw new Error(text);
    return text;
  };
  try {
    await call('review_listings', {});
    await call('change_listings', {
      items: [
        { sku: 'STOL-OAK-S', set: { price: 44.79 } },
        { sku: 'KETL-OAK-L', set: { price: 51.79 } },
        { sku: 'RACK-OAK-S', set: { price: 104.29 } },
      ],
    });
    const written = await call('change_listings', { items: [{ sku: 'RACK-OAK-S', set: { price: 129.99 } }] });
    const [, id = ''] = /(?:Journal entry|Batch) ([\w-]+)/.exec(written) ?? [];
    await call('undo_change', { id });
    const sunday = { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } };
    await call('update_supply_source', {
      supplySourceId: 'shop-pike-01',
      changes: { configuration: sunday },
    });
    await call('review_listings', { fresh: true });
    await more(session);
  } finally {
    await session.close();
  }
  // The sandbox's files are apart from the real ones.
  return { args, files: join(files, 'Sandbox'), remove: () => rm(folder, { recursive: true, force: true }) };
}
