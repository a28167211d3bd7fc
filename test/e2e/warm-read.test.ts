/** A warm call reads nothing from the disk: every call would pay for it. */

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { LAUNCH } from '../helpers/launch.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';

const MONITOR = fileURLToPath(new URL('../helpers/fs-monitor.cjs', import.meta.url));
const callsSchema = z.array(z.object({ name: z.string(), of: z.string(), at: z.number() }));

let outside: Outside;
let server: RawServer;
beforeEach(async () => {
  outside = await startOutside();
  server = startRawServer(outside.args, {
    ...outside.env,
    NODE_OPTIONS: `--require ${MONITOR}`,
    FS_CALLS: join(outside.folder, 'fs-calls.json'),
  });
});
afterEach(async () => {
  await server.stop();
  await outside.close();
});

const now = () => performance.timeOrigin + performance.now();

/** Every call of the file system in the life of the program, which ends with this. */
async function endedCalls() {
  await server.stop();
  return callsSchema.parse(JSON.parse(await readFile(join(outside.folder, 'fs-calls.json'), 'utf8')));
}

it('the second read of a listing makes no call of the file system', async () => {
  const read = async () => {
    const from = now();
    const { result } = await server.request('tools/call', {
      name: 'read_operation',
      arguments: { operation: 'getListingsItem', parameters: { sku: 'LAMP-OAK-E27' } },
    });
    expect(result).not.toHaveProperty('isError');
    return { from, to: now() };
  };
  await server.initialize();
  const first = await read();
  // A second after the start ended tables are removed, whatever else goes on; what that loads is no part of a read.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const second = await read();

  const calls = await endedCalls();
  const own = calls.filter(({ of }) => !of.startsWith(join(outside.folder, 'data', 'tables')));
  const during = ({ from, to }: { from: number; to: number }) =>
    own.filter(({ at }) => at >= from && at <= to).map(({ name, of }) => `${name} ${of}`);
  // The first loads the tool and what it needs: that they are seen shows that the others would be.
  expect(during(first)).toContainEqual(expect.stringContaining(dirname(LAUNCH.program)));
  expect(during(second)).toEqual([]);
});
