/** Point 9: bytes of our own code that are loaded before tools/list is answered, next to those before the tables came. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { countLoaded } from '../loaded-files.ts';
import type { Row } from '../report.ts';
import { exactly } from '../statistics.ts';

/** Of commit 6e53ce1, counted in the same way. */
const BYTES_BEFORE = 338_832;
const MOST_RATIO = 1.03;

export async function measureLoadedBytes(context: Context): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-bench-'));
  const env = { HOME: folder, NODE_V8_COVERAGE: join(folder, 'coverage') };
  const session = context.start(context.programs.ours, { env });
  await session.initialize();
  await session.request('tools/list');
  await session.close();
  const { bytes } = await countLoaded(env.NODE_V8_COVERAGE);
  await rm(folder, { recursive: true, force: true });
  const ratio = bytes / BYTES_BEFORE;
  return [
    {
      point: 9,
      measure: 'bytes loaded before tools/list',
      program: context.programs.ours.name,
      value: exactly(bytes),
      unit: 'bytes',
      ratio: { to: `${BYTES_BEFORE} bytes before`, value: exactly(ratio) },
      target: { text: `at most ${MOST_RATIO} x before`, met: ratio <= MOST_RATIO },
    },
  ];
}
