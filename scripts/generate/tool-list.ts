/** Generates what tools/list answers, so that the server starts without building schemas. */

import { listTool } from '../../src/mcp/tool-list.ts';
import { TOOLS } from '../../tools/index.ts';
import type { GeneratedFile } from '../generate.ts';

export function generateToolList(): GeneratedFile[] {
  const text = [
    '/** Generated from tools/ by scripts/generate.ts: what tools/list answers. Do not edit. */',
    '',
    "import type { ListedTool } from '../tool-list.ts';",
    '',
    `export const TOOL_LIST: readonly ListedTool[] = ${JSON.stringify(TOOLS.map(listTool))};`,
    '',
  ].join('\n');
  return [{ path: 'src/mcp/generated/tool-list.ts', text }];
}
