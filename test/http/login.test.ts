/** A person logs in with a real OpenID provider, by the whole flow of the SDK's client: found, registered, agreed to, and asked for more. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectAs } from '../../scripts/demo/agency-client.ts';
import { startDemoProvider } from '../../scripts/demo/openid-provider.ts';
import { startHttpProgram } from '../helpers/http-program.ts';

it('lets a person in after a login, and has them asked for more where a call needs it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-login-'));
  const anna = { login: 'anna', name: 'Anna Berg', groups: ['agency'] };
  const provider = await startDemoProvider([anna]);
  const program = await startHttpProgram({
    SELLER_SANDBOX: 'true',
    SELLER_ISSUER: provider.issuer,
    SELLER_STATE_DIR: join(folder, 'state'),
    SELLER_DATA_DIR: join(folder, 'data'),
  });
  provider.resource = program.endpoint.href;
  const { client, askedFor, call, close } = await connectAs(anna, program.endpoint);
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  expect(askedFor).toEqual(['seller:read offline_access']);
  const preview = await call('write_operation', { operation: 'createReport', dryRun: true, body: {} });
  expect(JSON.stringify(preview)).toContain('reportType');
  expect(askedFor).toEqual(['seller:read offline_access', 'seller:read seller:write offline_access']);
  await close();
  await program.stop();
  await provider.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});
