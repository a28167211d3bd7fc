/** Generates one readable snapshot per tool, so that a change of the public surface shows in the diff. */

import { listTool } from '../../src/mcp/tool-list.ts';
import { TOOLS } from '../../tools/index.ts';
import type { GeneratedFile } from '../generate.ts';

export function generateToolSnapshots(): GeneratedFile[] {
  return TOOLS.map((tool) => ({
    path: `test/snapshots/tools/${tool.name}.json`,
    text: `${JSON.stringify(listTool(tool), undefined, 2)}\n`,
  }));
}
