/** `npm run demo:agency`: an OpenID provider, the server (two replicas behind HAProxy, where these are installed), three people and two sellers of the sandbox on this machine; every answer is checked. */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { mayUseStore } from '../test/helpers/postgres.ts';
import { type AgencyClient, connectAs } from './demo/agency-client.ts';
import { type FrontOfReplicas, startFront } from './demo/front-of-replicas.ts';
import { startDemoProvider } from './demo/openid-provider.ts';
import { createStage } from './demo/stage.ts';
import { startServing } from './process/serving.ts';

const PEOPLE = {
  anna: { login: 'anna', name: 'Anna Berg' },
  ben: { login: 'ben', name: 'Ben Ode', groups: ['readers'] },
  cleo: { login: 'cleo', name: 'Cleo Marsh' },
};

const ACCESS = `access:
  - person: anna
    accounts: [lamps, chairs]
    rights: write
    confirm: code
  - group: readers
    accounts: [lamps]
`;

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z.unknown().optional(),
});

const stage = createStage(process.stdout);
const folder = await mkdtemp(join(tmpdir(), 'seller-agency-'));
const sellers = { lamps: await startSandbox(), chairs: await startSandbox({ home: 'DE' }) };
const provider = await startDemoProvider(Object.values(PEOPLE));
const missing = ['haproxy'].filter((name) => spawnSync(name, ['-v']).error !== undefined);
if (!mayUseStore) missing.push('a PostgreSQL server');
const front = missing.length === 0 ? await startFront() : undefined;
const servers: { close(): Promise<void> }[] = [];
const endpoint = await startServers();
provider.resource = endpoint.href;

try {
  process.exitCode = await play();
} finally {
  for (const server of servers) await server.close();
  await front?.close();
  await Promise.all([provider.close(), ...Object.values(sellers).map((sandbox) => sandbox.close())]);
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function play(): Promise<number> {
  stage.title('An agency: one address, three people, two sellers');
  stage.line(`Server: ${endpoint.href}. Provider: ${provider.issuer}. Sellers: lamps, chairs.`);
  stage.line(
    front === undefined
      ? `One server: for two replicas behind a proxy, install ${missing.join(' and ')}.`
      : 'Two replicas behind HAProxy share limits and tokens on a store; a person comes to the same one.',
  );

  stage.scene('Anna logs in');
  const anna = await connectAs(PEOPLE.anna, endpoint);
  stage.line('Her client was told where to log in, registered there, and she agreed in her browser.');
  stage.check('she was asked for no more than to read', anna.askedFor[0] === 'seller:read offline_access');
  stage.check('she sees all tools', (await anna.client.listTools()).tools.length > 10);

  stage.scene('Anna reads both sellers');
  for (const account of ['lamps', 'chairs']) {
    const stores = await call(anna, 'read_operation', { operation: 'getSupplySources', account });
    stage.check(
      `the stores of ${account} are there`,
      !stores.isError && stores.text.includes('supplySourceId'),
    );
  }

  stage.scene('Ben may read the lamps, and nothing else');
  const ben = await connectAs(PEOPLE.ben, endpoint);
  const tools = (await ben.client.listTools()).tools.map(({ name }) => name);
  stage.check('what only writes is not listed for him', !tools.includes('change_listings'));
  const chairs = await call(ben, 'read_operation', { operation: 'getSupplySources', account: 'chairs' });
  stage.check(
    'chairs are told like an account that does not exist',
    chairs.isError && /no account/.test(chairs.text),
  );
  const refused = await call(ben, 'write_operation', {
    operation: 'deleteListingsItem',
    parameters: { sku: 'STOL-OAK-S' },
    account: 'lamps',
  });
  stage.check('his write is refused', refused.isError);

  stage.scene('Cleo has a login, and no access');
  const cleo = await connectAs(PEOPLE.cleo, endpoint).then(
    () => 'let in',
    (error: unknown) => String(error),
  );
  stage.line(cleo);
  stage.check('she is told so', cleo.includes('denied access'));

  stage.scene('Anna changes a price, which needs one more scope');
  const change = { items: [{ sku: 'STOL-OAK-S', set: { price: 57.49 } }], account: 'lamps' };
  const preview = await call(anna, 'change_listings', change);
  stage.check(
    'she was asked for it, beside the one that she has',
    anna.askedFor[1]?.includes('seller:read seller:write') === true,
  );
  const confirmationCode = /"confirmation_code":"([^"]+)"/.exec(preview.structured)?.[1];
  stage.check(
    'her client cannot ask her here, so it gets a code for exactly this',
    confirmationCode !== undefined,
  );
  const done = await call(anna, 'change_listings', { ...change, confirmationCode });
  stage.check(
    'the price is changed',
    !done.isError && /"outcome":"(?:done|accepted_not_visible)"/.test(done.structured),
  );
  const seen = await call(ben, 'undo_change', { account: 'lamps' });
  stage.check('Ben sees who it was', seen.text.includes('Anna Berg'));
  await Promise.all([anna.close(), ben.close()]);
  if (front !== undefined) await lookAtReplicas(front);
  return stage.end();
}

async function lookAtReplicas({ answered }: FrontOfReplicas): Promise<void> {
  stage.scene('Two replicas, one seller');
  const counts = await answered();
  stage.line(`Calls of tools that each has answered: ${counts.join(' and ')}.`);
  stage.check('Anna was at one of them, and Ben at the other', Math.min(...counts) > 0);
  stage.check('they have one token of the lamps between them', sellers.lamps.stats().exchanges === 1);
  stage.check('the seller’s service refused no call for its limit', sellers.lamps.stats().rateLimited === 0);
}

async function call(client: AgencyClient, name: string, args: Record<string, unknown>) {
  stage.line(`→ ${name} ${JSON.stringify(args)}`);
  const result = resultSchema.parse(await client.call(name, args));
  const text = result.content.map((one) => one.text ?? '').join('\n');
  stage.text(text.split('\n').slice(0, 12).join('\n'));
  return {
    text,
    isError: result.isError === true,
    structured: JSON.stringify(result.structuredContent ?? {}),
  };
}

/** Starts the servers as an operator would: read-only files with secrets, a key that seals the state, an access file. */
async function startServers(): Promise<URL> {
  const at = (name: string) => join(folder, name);
  await mkdir(at('secrets'), { mode: 0o700 });
  for (const [name, sandbox] of Object.entries(sellers))
    await writeFile(at(`secrets/${name}.json`), JSON.stringify(secretsOf(sandbox)), { mode: 0o400 });
  await writeFile(at('state.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o400 });
  await writeFile(at('access.yaml'), ACCESS);
  const args = {
    listen: '127.0.0.1:0',
    issuer: provider.issuer,
    'secrets-dir': at('secrets'),
    'state-key-file': at('state.key'),
    access: at('access.yaml'),
    // One folder for both: what one has changed, the other knows and can undo.
    'state-dir': at('state'),
    'data-dir': at('data'),
    'files-dir': at('files'),
    account: 'lamps',
  };
  if (front === undefined) return startServer(args);
  const { publicUrl, store, replicas, begin } = front;
  for (const { listen, monitor } of replicas)
    await startServer({ ...args, listen, monitor, 'public-url': publicUrl, store });
  await begin();
  return new URL('/mcp', publicUrl);
}

/** @returns where people connect to */
async function startServer(args: Readonly<Record<string, string>>): Promise<URL> {
  const given = Object.entries(args).flatMap(([flag, value]) => [`--${flag}`, value]);
  const server = await startServing('dist/main.mjs', ['serve-http', ...given], { HOME: folder });
  servers.push(server);
  return server.endpoint;
}

function secretsOf({ baseUrl, authUrl, credentials, sellerId, marketplaceId }: Sandbox) {
  return { ...credentials, baseUrl, authUrl, sellerId, marketplaceId };
}
