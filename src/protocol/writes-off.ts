/** Shows only what still works if writes are switched off (--read-only): previews and requests. */

import { knownSettings } from '../render/reading-session.ts';
import type { Session } from '../write/session.ts';
import { ONLY_WRITES } from './generated/tool-list.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { ListedTool } from './listed-tool.ts';

const PREVIEW_ONLY =
  'Previews any operation that creates, changes, submits, cancels or deletes: writes are switched off here (--read-only), so with dryRun true it shows the exact request, and without it refuses. What only requests something and changes nothing (createReport, mode=VALIDATION_PREVIEW) is sent. Use describe_operation first.';

/** Settings that are wrong are told by the calls; what is listed is then what there is. */
export const areWritesOff = (session: Session): boolean => knownSettings(session)?.writes === 'deny';

export function toolsWithoutWrites(tools: readonly ListedTool[]): ListedTool[] {
  const listed = tools.filter(({ name }) => !ONLY_WRITES.includes(name));
  return listed.map((tool) =>
    tool.name === 'write_operation'
      ? { ...tool, title: 'Preview a write, or request something', description: PREVIEW_ONLY }
      : tool,
  );
}

/** The steps of writing are replaced by one on previews. */
export function instructionsWithoutWrites(): string {
  const kept = INSTRUCTIONS.split('\n').filter((line) => !/^(5\.|Edit by change|Listings:)/.test(line));
  return kept
    .map((line) =>
      line.startsWith('4.')
        ? '4. Preview: write_operation with dryRun true shows the exact request. Writes are switched off here (--read-only) until the person changes that; what only requests something (createReport) is sent.'
        : line,
    )
    .join('\n');
}
