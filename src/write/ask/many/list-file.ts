/** The whole list as a file of the person's: a row for each write, what changes in words. */

import { letOthersRun } from '../../../base/event-loop.ts';
import type { PreparedList } from '../../plan/listed-write.ts';
import { isPersonal } from '../../run/many/stored-write.ts';
import type { Session } from '../../tool-context.ts';
import { describeRows, type ManyPreviewParts } from './rows.ts';

/** Rows that are described before others are let run: a few milliseconds. */
const ROWS_A_TURN = 100;
const COLUMNS = ['key', 'name', 'change', 'out_of_the_ordinary'];

/** The path; undefined where none is asked for. @throws InputError | ConfigError where it cannot be saved */
export async function saveList(
  { saveAs, writes }: Pick<PreparedList, 'writes'> & { saveAs: string | undefined },
  clear: ManyPreviewParts,
  session: Session,
): Promise<string | undefined> {
  if (saveAs === undefined) return undefined;
  const [{ exportFormatOf }, { createRowWriter }, { chooseCsvSigns }] = await Promise.all([
    import('../../../data/tables/export-format.ts'),
    import('../../../data/tables/worker/row-format.ts'),
    import('../../../tell/rows/csv-signs.ts'),
  ]);
  const { signs: csv } = await chooseCsvSigns(undefined, session, clear.account);
  const writer = createRowWriter({ format: exportFormatOf(saveAs), csv, name: saveAs }, COLUMNS);
  const { order, wordsOf } = describeRows(clear);
  async function* batches() {
    // In the order in which they come, which is that in which they can be had quickly.
    const cells: string[][] = [];
    for (const row of clear.rows) {
      if (cells.length % ROWS_A_TURN === 0) await letOthersRun();
      const { key, name, change, unusual } = wordsOf(row);
      cells.push([key, name, change.text, unusual.join('; ')]);
    }
    for (const { at } of order) yield [cells[at] ?? []];
  }
  let personal = false;
  for (const write of writes) personal ||= isPersonal(write);
  return (await (await session.files()).save(saveAs, writer.pieces(batches()), { personal })).path;
}
