/** Clients that are separate programs: each lists the tools and calls every one, as its user would. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closing } from '../process/closing.ts';
import { installOnce } from '../process/install.ts';
import { runQuietly } from '../process/run.ts';
import { startServing } from '../process/serving.ts';
import { SAMPLES, sampleCalls, sampleEnvironment } from './calls.ts';
import { type Check, notRun, type Row, runChecks } from './row.ts';

/** The program that every client starts, and an empty folder that is also its home. */
interface Bench {
  program: string;
  folder: string;
}

/** The token of this run alone, on loopback. */
const TOKEN = 'a-token-of-the-matrix-alone-for-serve-http';

type Say = (args: readonly string[]) => Promise<string>;

const CLIENTS: readonly { spec: string; bin: string; checks(say: Say, bench: Bench): Promise<Check[]> }[] = [
  { spec: '@modelcontextprotocol/inspector@2.12.0', bin: 'mcp-inspector', checks: inspectorChecks },
  { spec: '@anthropic-ai/claude-code@2.1.329', bin: 'claude', checks: claudeChecks },
];

/** Every client; one that cannot be installed here is a row that says so. */
export async function runClients(program: string, folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { spec, bin, checks } of CLIENTS) {
    const home = join(folder, bin);
    await mkdir(home, { recursive: true });
    const bench = { program, folder: home };
    const say = await prepare(spec, bin, home).catch((error: unknown) => String(error));
    rows.push(typeof say === 'string' ? notRun(spec, say) : await runChecks(spec, await checks(say, bench)));
  }
  return rows;
}

async function prepare(spec: string, bin: string, home: string): Promise<Say> {
  const isNative = bin === 'claude';
  const folder = await installOnce(spec, isNative);
  const file = join(folder, 'node_modules/.bin', bin);
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NO_COLOR: '1' };
  const [command, first] = isNative ? [file, []] : [process.execPath, [file]];
  return async (args) => {
    const { stdout } = await runQuietly(command, [...first, ...args], { env, cwd: home, timeoutMs: 60_000 });
    return stdout;
  };
}

async function inspectorChecks(say: Say, bench: Bench): Promise<Check[]> {
  return [...overStdio(say, bench), ...overHttp(say, bench)];
}

/** The sandbox of `serve-http`, with a token by header; what a tool does is checked over stdio. */
function overHttp(say: Say, { program, folder }: Bench): Check[] {
  const check = (name: string, args: readonly string[], expected: RegExp) =>
    ['legacy', 'modern'].map((era) => ({
      name: `${era} over HTTP: ${name}`,
      run: () =>
        whileServing(program, folder, async (url) => {
          const header = ['--header', `Authorization: Bearer ${TOKEN}`];
          expect(await say(['--cli', url, ...header, '--protocol-era', era, '--method', ...args]), expected);
        }),
    }));
  const sql = JSON.stringify(SAMPLES.query_data?.args);
  return [
    ...check('tools/list --strict', ['tools/list', '--strict'], /"name": *"query_data"/),
    ...check(
      'call of query_data',
      ['tools/call', '--tool-name', 'query_data', '--tool-args-json', sql],
      /42/,
    ),
    ...check('resources/list', ['resources/list'], /seller:\/\/operations/),
    ...check('prompts/list', ['prompts/list'], /explain_listing_issues/),
  ];
}

function overStdio(say: Say, { program, folder }: Bench): Check[] {
  return ['legacy', 'modern'].flatMap((era) => {
    // Each with a sandbox of its own: what one changes, the other would find changed.
    const env = Object.entries(sampleEnvironment(`${folder}/${era}`)).flatMap(([name, value]) => [
      '-e',
      `${name}=${value}`,
    ]);
    const ask = (...args: string[]) => say(['--cli', process.execPath, program, ...env, ...args]);
    const list = ['--protocol-era', era, '--method', 'tools/list', '--strict'];
    const call = ['--protocol-era', era, '--method', 'tools/call'];
    return [
      { name: `${era}: tools/list --strict`, run: async () => expectTools(await ask(...list)) },
      ...callChecks(`${era}: `, (tool, args) => ask(...call, '--tool-name', tool, '--tool-args-json', args)),
    ];
  });
}

async function claudeChecks(say: Say, { program, folder }: Bench): Promise<Check[]> {
  return [
    {
      name: 'claude mcp add',
      run: async () => {
        await say(['mcp', 'add', 'seller', '--', process.execPath, program, '--sandbox']);
      },
    },
    {
      name: 'claude mcp list says Connected',
      run: async () => expect(await say(['mcp', 'list']), /seller: .*Connected/),
    },
    {
      name: 'claude mcp get says Connected',
      run: async () => expect(await say(['mcp', 'get', 'seller']), /Status: .*Connected/),
    },
    {
      name: 'claude mcp add --transport http, with a token by header, says Connected',
      run: () =>
        whileServing(program, folder, async (url) => {
          const header = ['--header', `Authorization: Bearer ${TOKEN}`];
          await say(['mcp', 'add', '--transport', 'http', 'served', url, ...header]);
          expect(await say(['mcp', 'get', 'served']), /Status: .*Connected/);
        }),
    },
  ];
}

/** Runs a server on a port of its own while `ask` runs. */
async function whileServing(program: string, folder: string, ask: (url: string) => Promise<void>) {
  const args = ['serve-http', '--sandbox', '--listen', '127.0.0.1:0'];
  const env = { HOME: folder, SELLER_HTTP_TOKEN: TOKEN };
  await using served = closing(await startServing(program, args, env));
  await ask(served.endpoint.href);
}

function callChecks(prefix: string, call: (tool: string, args: string) => Promise<string>): Check[] {
  return sampleCalls().map(({ tool, args, expected }) => ({
    name: `${prefix}call of ${tool}`,
    run: async () => expect(await call(tool, JSON.stringify(args)), expected),
  }));
}

function expectTools(answer: string): void {
  for (const { tool } of sampleCalls()) expect(answer, new RegExp(`"name": *"${tool}"`));
}

function expect(answer: string, pattern: RegExp): void {
  if (!pattern.test(answer)) throw new Error(`no ${pattern} in: ${answer.trim().slice(0, 300)}`);
}
