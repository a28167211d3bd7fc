/** The proof: canary secrets through every tool, every fault and every command; then everything that left is searched. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../sandbox/sandbox.ts';
import { loadTools } from '../../tools/index.ts';
import { type EchoingService, startEchoingService } from '../helpers/echoing-service.ts';
import { startHttpService } from '../helpers/http-service.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { createLeakSearch, type Leak } from '../helpers/leak-search.ts';
import { callModern } from '../helpers/modern-call.ts';
import { homeEnvironment, SHOP, startOutside } from '../helpers/outside-service.ts';
import { type ProcessWatch, watchProcess } from '../helpers/process-watch.ts';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';
import { runProgram } from '../helpers/run-program.ts';

const TOOLS = await loadTools();

/** Characters that change under every encoding; each secret is told apart. */
const odd = (kind: string) => `${kind}7"/${kind}\\Z+${kind}&=% ${kind}<5>é~${kind}_-4`;
const CLIENT_SECRET = `amzn1.oa2-cs.v1.${odd('secret')}`;
const REFRESH_TOKEN = `Atzr|${odd('refresh')}`;
const ISSUED = {
  accessToken: 'Atza|access7"/access\\Z+access&=%access<5>~access_-4',
  rotatedToken: `Atzr|${odd('rotated')}`,
  restrictedToken: 'Atz.sprdt|limited7"/limited\\Z+limited&=%limited<5>~limited_-4',
};
const GIVEN = { refresh_token: `Atzr|${odd('given')}`, client_secret: `amzn1.oa2-cs.v1.${odd('argument')}` };
const secrets = new Map([
  ['client secret', CLIENT_SECRET],
  ['refresh token', REFRESH_TOKEN],
  ['access token', ISSUED.accessToken],
  ['rotated refresh token', ISSUED.rotatedToken],
  ['restricted data token', ISSUED.restrictedToken],
  ['refresh token given as an argument', GIVEN.refresh_token],
  ['client secret given as an argument', GIVEN.client_secret],
]);
const search = createLeakSearch(secrets);
/** The journal has a test of its own. */
const isJournal = ({ where }: Leak) => where.includes('store.db');

let folder: string;
let echoing: EchoingService;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-leak-'));
  echoing = await startEchoingService(ISSUED, [...secrets.values()]);
  env = {
    ...homeEnvironment(folder),
    SELLER_BASE_URL: echoing.url,
    SELLER_AUTH_URL: echoing.url,
    SELLER_CLIENT_ID: 'amzn1.application-oa2-client.not-a-secret',
    SELLER_CLIENT_SECRET: CLIENT_SECRET,
    SELLER_REFRESH_TOKEN: REFRESH_TOKEN,
    SELLER_ID: 'A1SELLER',
    SELLER_MARKETPLACE_ID: 'ATVPDKIKX0DER',
    SELLER_CALL_TIMEOUT_MS: '4000',
  };
});
afterAll(async () => {
  await echoing.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every tool with a secret in each argument, and in every way it is called, wrong ones too. */
const CALLS: readonly { name: string; arguments: Record<string, unknown> }[] = [
  ...TOOLS.map(({ name, input }) => ({
    name,
    arguments: Object.fromEntries(Object.keys(input.shape).map((key) => [key, CLIENT_SECRET])),
  })),
  { name: 'list_known_operations', arguments: { search: CLIENT_SECRET } },
  { name: 'describe_operation', arguments: { operation: REFRESH_TOKEN } },
  { name: 'review_listings', arguments: {} },
  { name: 'review_listings', arguments: { skus: [REFRESH_TOKEN], marketplaces: [CLIENT_SECRET] } },
  { name: 'collect_data', arguments: { operation: 'getSupplySources', as: 'stores' } },
  { name: 'collect_data', arguments: { operation: REFRESH_TOKEN, as: CLIENT_SECRET } },
  { name: 'collect_data', arguments: { report: { type: CLIENT_SECRET, start: REFRESH_TOKEN } } },
  { name: 'collect_data', arguments: { document: { id: CLIENT_SECRET } } },
  { name: 'query_data', arguments: { sql: 'SELECT * FROM stores' } },
  { name: 'query_data', arguments: { sql: `SELECT '${CLIENT_SECRET}' AS "${REFRESH_TOKEN}"` } },
  { name: 'query_data', arguments: { sql: `SELECT "${CLIENT_SECRET}"` } },
  { name: 'exchange_token', arguments: {} },
  ...Array.from({ length: 8 }, () => ({ name: 'get_catalog_item', arguments: { asin: 'B0SBX00001' } })),
  { name: 'get_catalog_item', arguments: { asin: ISSUED.accessToken, [CLIENT_SECRET]: 1 } },
  ...Array.from({ length: 8 }, () => ({
    name: 'read_operation',
    arguments: { operation: 'getSupplySources' },
  })),
  { name: 'read_operation', arguments: { operation: 'getSupplySources', select: [CLIENT_SECRET] } },
  {
    name: 'read_operation',
    arguments: { operation: 'getSupplySources', parameters: { [REFRESH_TOKEN]: 1 } },
  },
  {
    name: 'read_operation',
    arguments: {
      operation: 'createRestrictedDataToken',
      body: { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/1/address' }] },
    },
  },
  { name: 'read_operation', arguments: { operation: 'getOrderAddress', parameters: { orderId: '1' } } },
  ...Array.from({ length: 8 }, (_, at) => ({
    name: 'update_supply_source',
    arguments: { supplySourceId: SHOP, alias: `Edit ${at} ${CLIENT_SECRET}` },
  })),
  {
    name: 'update_supply_source',
    arguments: { supplySourceId: SHOP, alias: ISSUED.accessToken, dryRun: true },
  },
  ...Array.from({ length: 8 }, () => ({
    name: 'write_operation',
    arguments: {
      operation: 'updateSupplySourceStatus',
      parameters: { supplySourceId: SHOP },
      body: { status: 'Active', note: REFRESH_TOKEN },
    },
  })),
  {
    name: 'change_listings',
    arguments: { items: [{ sku: REFRESH_TOKEN, set: { title: CLIENT_SECRET } }], marketplace: 'US' },
  },
  { name: 'update_supply_source', arguments: { supplySourceId: 'all', changes: { alias: REFRESH_TOKEN } } },
  {
    name: 'write_operation',
    arguments: {
      operation: 'updateSupplySourceStatus',
      calls: [CLIENT_SECRET, SHOP].map((id) => ({
        parameters: { supplySourceId: id },
        body: { status: 'Active', note: REFRESH_TOKEN },
      })),
    },
  },
  { name: 'undo_change', arguments: {} },
  { name: 'undo_change', arguments: { id: CLIENT_SECRET } },
  { name: 'read_operation', arguments: { operation: 'getSupplySources', account: 'second' } },
  { name: 'exchange_token', arguments: { account: 'second', ...GIVEN, client_id: 'other' } },
];

describe('a service and an identity provider that repeat every secret', () => {
  let server: RawServer;
  let watch: ProcessWatch;
  beforeAll(async () => {
    server = startRawServer(['--log-level=debug', '--writes=allow'], env);
    watch = watchProcess(server.child.pid ?? 0);
    await server.initialize();
    for (const call of CALLS) await server.request('tools/call', call);
    await server.request('tools/call', {
      name: 'exchange_token',
      arguments: { ...GIVEN, client_id: 'other' },
    });
    echoing.refuseTokens(true);
    await server.request('tools/call', { name: 'exchange_token', arguments: {} });
    for (const call of CALLS.slice(-4)) await server.request('tools/call', call);
    echoing.refuseTokens(false);
    await server.write(
      `${CLIENT_SECRET}\n{"jsonrpc":"2.0","method":"${encodeURIComponent(REFRESH_TOKEN)}"}\n`,
    );
    await callModern(server, { name: 'get_catalog_item', arguments: { asin: 'B0SBX00001' } });
    await server.request('tools/list');
    await server.stop();
  }, 60_000);
  afterAll(() => watch.stop());

  it('was really reached, with every secret', () => {
    const bodies = echoing.requests.map(({ body }) => body).join('\n');
    const tokens = echoing.requests.map(({ headers }) => String(headers['x-amz-access-token']));
    expect(bodies).toContain(JSON.stringify(CLIENT_SECRET));
    expect(bodies).toContain(JSON.stringify(GIVEN.client_secret));
    expect(tokens).toContain(ISSUED.accessToken);
    expect(tokens).toContain(ISSUED.restrictedToken);
    expect(server.lines.length).toBeGreaterThan(CALLS.length);
  });

  it('gets no secret into stdout or any result', () => {
    expect(summary(server.lines.flatMap((line, at) => search.inText(line, `stdout line ${at + 1}`)))).toEqual(
      [],
    );
  });

  it('gets no secret into stderr at debug level', () => {
    expect(server.stderr()).not.toBe('');
    expect(summary(search.inText(server.stderr(), 'stderr'))).toEqual([]);
  });

  it('gets no secret into a file', async () => {
    expect(await readdir(folder, { recursive: true })).toEqual(
      expect.arrayContaining([expect.stringMatching(/store\.db$/)]),
    );
    expect(summary((await search.inFolder(folder)).filter((leak) => !isJournal(leak)))).toEqual([]);
  });

  it('gets no secret into the journal', async () => {
    expect(summary((await search.inFolder(folder)).filter(isJournal))).toEqual([]);
  });

  // Read from /proc, which Linux alone has.
  it.skipIf(process.platform !== 'linux')(
    'gets no secret into a command line, its own or a child’s (read from /proc)',
    () => {
      const lines = watch.commandLines();
      expect(lines.some((line) => line.includes('keychain-child'))).toBe(true);
      expect(summary(lines.flatMap((line) => search.inText(line, line)))).toEqual([]);
    },
  );
});

describe('every fault of the sandbox', () => {
  const own = new Map<string, string>();
  let server: RawServer;
  const FAULTS: readonly Omit<Fault, 'operation'>[] = [
    { reset: true, times: 9 },
    { raw: 'no HTTP\r\n\r\n', times: 9 },
    { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"a":', times: 9 },
    { status: 200, body: '<html>' },
    { status: 302, body: '', headers: { location: 'https://evil.example' } },
    ...[400, 401, 403, 404, 429, 500, 503].map((status) => ({ status, times: 9 })),
    { delayMs: 1_000 },
    { when: 'after', reset: true, times: 9 },
  ];

  it('leaves no secret in stdout, stderr or files', { timeout: 60_000 }, async () => {
    const outside = await startOutside({
      credentials: { clientSecret: CLIENT_SECRET, refreshToken: REFRESH_TOKEN },
    });
    own.set('client secret', CLIENT_SECRET).set('refresh token', REFRESH_TOKEN);
    // A relay in between makes the tokens that the sandbox creates known here.
    const between = await startTokenRelay(outside.sandbox.authUrl, (token) =>
      own.set(`token ${own.size}`, token),
    );
    const settings = { SELLER_AUTH_URL: between.url, SELLER_CALL_TIMEOUT_MS: '800', SELLER_WRITES: 'allow' };
    server = startRawServer([...outside.args, '--log-level=debug'], { ...outside.env, ...settings });
    try {
      await server.initialize();
      // The tokens to be searched for exist before, because a busy machine could end a call within its 800
      // ms.
      const read = { name: 'get_catalog_item', arguments: { asin: 'B0SBX00007' } };
      while (own.size < 5) {
        outside.sandbox.expireTokens();
        await server.request('tools/call', read);
      }
      for (const fault of FAULTS) {
        for (const operation of ['getCatalogItem', 'updateSupplySource', 'exchangeToken']) {
          outside.sandbox.faults.clear();
          outside.sandbox.faults.next({ ...fault, operation });
          if (operation === 'exchangeToken') outside.sandbox.expireTokens();
          const asked = [
            read,
            { name: 'update_supply_source', arguments: { supplySourceId: SHOP, alias: 'x' } },
            { name: 'exchange_token', arguments: {} },
          ];
          await Promise.all(asked.map((call) => server.request('tools/call', call)));
        }
      }
    } finally {
      await server.stop();
      await between.close();
    }
    const ours = createLeakSearch(own);
    const leaks = [
      ...server.lines.flatMap((line) => ours.inText(line, 'stdout')),
      ...ours.inText(server.stderr(), 'stderr'),
      ...(await ours.inFolder(outside.folder)),
    ];
    await outside.close();
    expect(summary(leaks)).toEqual([]);
  });
});

describe('every command that needs nobody', () => {
  const asLines = [
    `SELLER_CLIENT_ID=id-1`,
    `SELLER_CLIENT_SECRET=${CLIENT_SECRET}`,
    `SELLER_REFRESH_TOKEN=${REFRESH_TOKEN}`,
  ];
  const piped = JSON.stringify({
    clientId: 'id-1',
    clientSecret: CLIENT_SECRET,
    refreshToken: REFRESH_TOKEN,
  });
  let home: string;
  let refusing: EchoingService;
  beforeAll(async () => {
    // The output of --json escapes once more; text that is escaped twice already would be escaped three
    // times.
    refusing = await startEchoingService(
      ISSUED,
      [...secrets.values()],
      /^(value|JSON|URL|form|base64 at \d)$/,
    );
    refusing.refuseTokens(true);
    home = await mkdtemp(join(tmpdir(), 'seller-home-'));
  });
  afterAll(async () => {
    await refusing.close();
    await rm(home, { recursive: true, force: true });
  });

  type Given = readonly [command: string, args: readonly string[], input: string];
  const COMMANDS: readonly Given[] = [
    ['--help', [], ''],
    ['status', [], ''],
    ['status', ['--json', '--fresh'], ''],
    ['accounts', ['--json'], ''],
    ['history', ['--json', '--limit=all'], ''],
    ['definitions', [], ''],
    ['install', ['cursor', '--yes'], ''],
    ['uninstall', ['cursor', '--yes'], ''],
    ['login', ['--account=second'], piped],
    ['login', ['--account=second'], asLines.join('\n')],
    ['login', [], `{${piped}`],
    ['login', [`--client-secret=${CLIENT_SECRET}`], ''],
    ['logout', ['--account=second'], ''],
    [`--refresh-token=${REFRESH_TOKEN}`, [], ''],
    ['serve', [`--region=${CLIENT_SECRET}`], ''],
  ];
  /** The same commands otherwise: under `npm run test:all`. */
  const OTHERWISE: readonly Given[] = [
    ['--version', [], ''],
    ['history', [], ''],
    ['install', ['claude-desktop', '--dry-run'], ''],
    ['install', ['claude-code', '--dry-run'], ''],
    ['install', ['vscode', '--dry-run'], ''],
    ['login', ['--account=second', '--no-verify'], `id-1\n${CLIENT_SECRET}\n${REFRESH_TOKEN}\n`],
    ['login', [], `${CLIENT_SECRET}\n${REFRESH_TOKEN}`],
    ['login', [], piped.replace('clientSecret', CLIENT_SECRET.replaceAll(/["\\]/g, ''))],
  ];

  it.each(RUNS_ALL ? [...COMMANDS, ...OTHERWISE] : COMMANDS)('%s %j', async (command, args, input) => {
    const watched: ProcessWatch[] = [];
    const given = [command, ...args];
    const { stdout, stderr } = await runProgram([...given, '--log-level=debug'], {
      env: {
        ...env,
        ...homeEnvironment(home),
        SELLER_BASE_URL: refusing.url,
        SELLER_AUTH_URL: refusing.url,
      },
      input,
      cwd: home,
      onStart: (pid) => watched.push(watchProcess(pid)),
    });
    const lines = watched.flatMap((watch) => watch.commandLines()).filter((line) => !isOwn(line, given));
    for (const watch of watched) watch.stop();
    const leaks = [
      ...search.inText(stdout, 'stdout'),
      ...search.inText(stderr, 'stderr'),
      ...lines.flatMap((line) => search.inText(line, line)),
      ...(await search.inFolder(home)),
    ];
    expect(summary(leaks)).toEqual([]);
  });
});

/** The command line that the test itself made, secrets and all. */
const isOwn = (line: string, given: readonly string[]) => line.includes(given.join(' '));

/** Passes token exchanges on and tells each token that comes back; a broken answer becomes 502. */
async function startTokenRelay(authUrl: string, onToken: (token: string) => void) {
  return startHttpService(async ({ body }) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${authUrl}/auth/o2/token`, { method: 'POST', body, headers }).catch(
      () => undefined,
    );
    const text = await answer?.text().catch(() => '');
    for (const [, token = ''] of (text ?? '').matchAll(/"((?:Atza|Atzr)\|[^"]+)"/g)) onToken(token);
    return { status: answer?.status ?? 502, body: text ?? '', headers };
  });
}

/** One line per leak, the secret itself cut out. */
function summary(leaks: readonly Leak[]): string[] {
  const described = leaks.map(
    ({ secret, form, where, around }) => `${secret} as ${form} in ${where}: …${around}…`,
  );
  return [...new Set(described)].slice(0, 12);
}
