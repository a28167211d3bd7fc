/** Point 3: what `tools/list` costs every client. */

import type { Context } from '../context.ts';
import type { Row } from '../report.ts';
import { exactly } from '../statistics.ts';

export async function measureToolList({ start, programs }: Context): Promise<Row[]> {
  const rows: Row[] = [];
  for (const program of [programs.emptyServer, programs.ours]) {
    const session = start(program);
    await session.initialize();
    await session.request('tools/list');
    const value = exactly(session.lastBytes);
    rows.push({ point: 3, measure: 'answer to tools/list', program: program.name, value, unit: 'bytes' });
    await session.close();
  }
  return rows;
}
