/** Every place that a tool touches, told at once: whoever adds one reads here what is missing, where, and how it is made. */

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SAMPLES, sampleCalls, sampleEnvironment } from '../../scripts/matrix/calls.ts';
import { defineTool, type Tool } from '../../src/protocol/define-tool.ts';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { toListedTool } from '../../src/protocol/listed-tool.ts';
import { loadTools } from '../../tools/index.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';
import { CALL_CASES } from './facts-of-calls.ts';
import { LIST_CASES } from './facts-of-lists.ts';

const TOOLS = await loadTools();
const GENERATED = 'npm run generate writes it';
const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8').catch(() => '');
const kebab = (name: string) => name.replaceAll('_', '-');

/** `place: what to do there`, for each place that lacks the tool. */
async function findMissing(tool: Tool): Promise<string[]> {
  const { name } = tool;
  const file = `${kebab(name)}.ts`;
  const test = `test/tools/${kebab(name)}.test.ts`;
  const snapshot = `test/snapshots/tools/${name}.json`;
  const listed = toListedTool(tool);
  const kept = await read(snapshot);
  const locations: readonly [place: string, isThere: boolean, how: string][] = [
    [`tools/${file}`, existsSync(new URL(`tools/${file}`, root)), 'one object made by defineTool'],
    ['tools/index.ts', TOOLS.some((one) => one.name === name), `the line of tools/${file}`],
    [test, existsSync(new URL(test, root)), 'the exact request, the parsed result, one error'],
    ...findOutcomes(tool).map((outcome): [string, boolean, string] => [
      'test/tools/facts-of-calls.ts',
      [...CALL_CASES, ...LIST_CASES].some((one) => one.tool === name && one.outcome === outcome),
      `a call${outcome === undefined ? '' : ` with the outcome ${outcome}`}, and what both forms say (of lists: in facts-of-lists.ts)`,
    ]),
    ['scripts/matrix/calls.ts', Object.hasOwn(SAMPLES, name), 'a call that other clients make'],
    [
      'src/protocol/generated/tool-list.ts',
      TOOL_LIST.some((one) => isDeepStrictEqual(one, listed)),
      GENERATED,
    ],
    [snapshot, kept !== '' && isDeepStrictEqual(JSON.parse(kept), listed), GENERATED],
    ['docs/tools.md', (await read('docs/tools.md')).includes(`\n| \`${name}\` |`), GENERATED],
    ['manifest.json', (await read('manifest.json')).includes(`"name": "${name}"`), GENERATED],
    [
      'docs/demo.md',
      (await read('docs/demo.md')).includes(`\n  ${name} `),
      'npx tsx scripts/demo-output.ts writes it',
    ],
  ];
  return locations.flatMap(([place, isThere, how]) => (isThere ? [] : [`${name}: ${place}: ${how}`]));
}

/** Returns the outcomes that the output declares; undefined where it declares none. */
function findOutcomes({ effect, startsWork, output }: Tool): (string | undefined)[] {
  const { outcome, kind } = output.shape;
  const declared: readonly unknown[] = Object(outcome ?? kind).options ?? [undefined];
  return declared
    .map((one) => (one === undefined ? undefined : String(one)))
    .filter((one) => effect === 'read' || startsWork === true || (one !== 'requested' && one !== 'failed'));
}

/** Files that no tool of the list has. */
async function findStray(): Promise<string[]> {
  const names = TOOLS.map(({ name }) => name);
  const files = await readdir(new URL('tools/', root));
  const snapshots = await readdir(new URL('test/snapshots/tools/', root));
  return [
    ...files
      .filter((file) => file !== 'index.ts' && !names.some((name) => file === `${kebab(name)}.ts`))
      .map((file) => `tools/index.ts: the line of tools/${file}`),
    ...snapshots
      .filter((file) => !names.some((name) => file === `${name}.json`))
      .map((file) => `test/snapshots/tools/${file}: no tool has it, delete it`),
  ];
}

it('every tool is in every place that it touches', async () => {
  const missing = await Promise.all(TOOLS.map(findMissing));
  expect([...missing.flat(), ...(await findStray())]).toEqual([]);
});

describe('in the demo account, where other clients make them', () => {
  let folder = '';
  let session: Session;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seller-samples-'));
    session = await connect({ env: { ...homeEnvironment(folder), ...sampleEnvironment(folder) } });
  });
  afterAll(async () => {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(sampleCalls())('the sample of $tool is answered', async ({ tool, args, expected }) => {
    const { isError, text } = await session.call(tool, { ...args });
    expect(isError, text).toBe(false);
    expect(text).toMatch(expected);
  });
});

it('names all places of a tool that is in none', async () => {
  const tool = defineTool({
    name: 'list_nothing',
    title: 'List nothing',
    description: 'Lists nothing.',
    effect: 'read',
    input: z.strictObject({}),
    output: z.looseObject({ outcome: z.enum(['done', 'failed']) }),
    run: async () => ({ text: '', structured: { outcome: 'done' as const } }),
  });
  expect((await findMissing(tool)).map((line) => line.split(': ')[1])).toEqual([
    'tools/list-nothing.ts',
    'tools/index.ts',
    'test/tools/list-nothing.test.ts',
    'test/tools/facts-of-calls.ts',
    'test/tools/facts-of-calls.ts',
    'scripts/matrix/calls.ts',
    'src/protocol/generated/tool-list.ts',
    'test/snapshots/tools/list_nothing.json',
    'docs/tools.md',
    'manifest.json',
    'docs/demo.md',
  ]);
});
