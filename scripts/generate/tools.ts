/** Generates the answer to tools/list from tools/, and one readable snapshot of it per tool. */

import { toListedTool } from '../../src/protocol/listed-tool.ts';
import { loadTools } from '../../tools/index.ts';
import type { GeneratedFile } from './generated-file.ts';
import { literalOf } from './literal.ts';

const TOOLS = await loadTools();

/** So that the server starts without building schemas. */
export function generateToolList(): GeneratedFile[] {
  const text = [
    '/** Generated from tools/ by scripts/generate.ts: the answer to tools/list. Do not edit. */',
    '',
    "import type { ListedTool } from '../listed-tool.ts';",
    '',
    `export const TOOL_LIST: readonly ListedTool[] = ${literalOf(TOOLS.map(toListedTool))};`,
    '',
    '/** Left out of the list where writes are switched off. */',
    `export const ONLY_WRITES: readonly string[] = ${literalOf(TOOLS.flatMap(({ name, onlyWrites }) => (onlyWrites === true ? [name] : [])))};`,
    '',
  ].join('\n');
  return [{ path: 'src/protocol/generated/tool-list.ts', text }];
}

/** So that a change to the public surface shows in the diff. */
export function generateToolSnapshots(): GeneratedFile[] {
  return TOOLS.map((tool) => ({
    path: `test/snapshots/tools/${tool.name}.json`,
    text: `${JSON.stringify(toListedTool(tool), undefined, 2)}\n`,
  }));
}
