/** Formats the change of a configuration as a line diff, with the secrets of every server masked. */

import { structuredPatch } from 'diff';
import { applyEdits, type Edit, visit } from 'jsonc-parser';

const secretName = /token|secret|passw|api[-_]?key|auth|credential|cookie/i;
/** Members whose strings may contain a secret, whatever their names. */
const secretMembers: readonly unknown[] = ['env', 'headers', 'args', 'url', 'envFile'];

export interface DiffOptions {
  /** The path of our entry. */
  own: readonly string[];
  /** Variables of our entry that are not secret. */
  visible: ReadonlySet<string>;
  /** True when the existing entry starts another program, whose arguments must not be shown. */
  foreign: boolean;
}

/**
 * Formats the diff.
 * @returns lines in unified form without a header; empty when nothing differs.
 */
export function showChange(before: string, after: string, shown: DiffOptions): string {
  const old = mask(before, shown);
  const patch = structuredPatch('', '', old, mask(after, { ...shown, foreign: false }), '', '', {
    context: 3,
  });
  return patch.hunks
    .flatMap((hunk) => [
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      ...hunk.lines.filter((line) => !line.startsWith('\\')),
    ])
    .map((line) => `${fitLine(line)}\n`)
    .join('');
}

/**
 * Limits a line and removes control characters, because comments may contain terminal escape sequences and a
 * host's data can have lines of any length.
 */
function fitLine(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return plain.length > 240 ? `${plain.slice(0, 240)}...` : plain;
}

function mask(text: string, shown: DiffOptions): string {
  const edits: Edit[] = [];
  visit(text, {
    onLiteralValue(value, offset, length, _line, _character, path) {
      if (typeof value !== 'string' || !isHidden(path(), shown)) return;
      edits.push({ offset, length, content: '"***"' });
    },
  });
  return applyEdits(text, edits);
}

function isHidden(path: readonly unknown[], { own, visible, foreign }: DiffOptions): boolean {
  const isOwn = own.every((segment, index) => path[index] === segment);
  const rest = isOwn ? path.slice(own.length) : path;
  if (isOwn && rest[0] === 'args') return foreign;
  if (isOwn && rest[0] === 'env') return !visible.has(String(rest[1]));
  return rest.some((part) => secretMembers.includes(part) || secretName.test(String(part)));
}
