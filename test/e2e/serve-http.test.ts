/** The built program over HTTP: starts, refuses what would be unsafe, and ends by SIGTERM once a running call has its answer. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { connectHttp } from '../helpers/http-program.ts';
import { LAUNCH } from '../helpers/launch.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';

it('serves its sandbox at this machine, and ends by SIGTERM once a running call has its answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-http-'));
  const token = 'a-token-of-this-machine-alone-0451';
  const child = spawn(LAUNCH.node, [LAUNCH.program, 'serve-http', '--sandbox', '--listen', '127.0.0.1:0'], {
    env: { ...LAUNCH.env, ...homeEnvironment(folder), SELLER_HTTP_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let endpoint: URL | undefined;
  for await (const line of createInterface(child.stderr)) {
    endpoint = new URL(/Serving (\S+)/.exec(line)?.[1] ?? 'none:');
    break;
  }
  if (endpoint === undefined) throw new Error('not started');
  await expect(connectHttp(endpoint, { kind: 'sdk-v2-modern', token: `${token}x` })).rejects.toThrow();
  const client = await connectHttp(endpoint, { kind: 'sdk-v2-modern', token });
  // Made in some five seconds by the sandbox.
  const collecting = client.callTool({
    name: 'collect_data',
    arguments: { report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA' } },
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill('SIGTERM');
  expect(JSON.stringify(await collecting)).toContain('"state":"done"');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

it('does not start where strangers could come in, and says what to do', async () => {
  const elsewhere = await runProgram(['serve-http', '--sandbox', '--listen', '0.0.0.0:0']);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('--issuer')]);
  const nobody = await runProgram(['serve-http', '--listen', '127.0.0.1:0']);
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('Nobody could be told')]);
});
