/** Puts one member into a JSON object, or takes it out, without touching a byte of its neighbours. */

import { applyEdits, createScanner, type Edit, modify, type Node } from 'jsonc-parser';

/** How a file is laid out: one step of indentation, and the end of a line. */
function layoutOf(text: string): { indent: string; eol: string } {
  return { indent: /^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

// The values of jsonc-parser's SyntaxKind, which is a const enum and so cannot be imported as it is.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const SPACE = 15;

/** Adds a member at the end of `object`; comments stay with the members they stand behind. */
export function insertMember(text: string, object: Node, key: string, value: unknown): string {
  const layout = layoutOf(text);
  const base = indentAt(text, object.offset);
  const last = object.children?.at(-1);
  const inner =
    last !== undefined && startsLine(text, last.offset) ? indentAt(text, last.offset) : base + layout.indent;
  const member = `${JSON.stringify(key)}: ${print(value, inner, layout)}`;
  const end = object.offset + object.length - 1;
  const tail =
    last === undefined ? emptyTail(text, object.offset + 1, end) : tailOf(text, last.offset + last.length);
  const closes = text.slice(tail.end, end).includes('\n') ? '' : layout.eol + base;
  const comma =
    last !== undefined && !tail.hasComma
      ? [{ offset: last.offset + last.length, length: 0, content: ',' }]
      : [];
  const content = layout.eol + inner + member + (tail.hasComma ? ',' : '') + closes;
  return applyEdits(text, [
    ...comma,
    { offset: tail.end, length: closes === '' ? 0 : end - tail.end, content },
  ]);
}

/** Adds a member on the line of an object that stands on one, and on lines of its own otherwise. */
export function appendMember(text: string, object: Node, key: string, value: unknown): string {
  const last = object.children?.at(-1);
  if (last === undefined || !isInline(text, object)) return insertMember(text, object, key, value);
  const old = text.slice(object.offset, object.offset + object.length);
  const blank = isDense(old) ? '' : ' ';
  const content = `,${blank}${JSON.stringify(key)}:${blank}${printInline(value, old)}`;
  return applyEdits(text, [{ offset: last.offset + last.length, length: 0, content }]);
}

/** Puts another value in the place of one; on one line where the old one stood on one. */
export function replaceNode(text: string, node: Node, value: unknown): string {
  const old = text.slice(node.offset, node.offset + node.length);
  const content = old.includes('\n')
    ? print(value, indentAt(text, node.offset), layoutOf(text))
    : printInline(value, old);
  return applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
}

/** No blank behind commas and colons. */
const isDense = (old: string) => /[,:]["[{]/.test(old);

function printInline(value: unknown, old: string): string {
  const blank = isDense(old) ? '' : ' ';
  if (Array.isArray(value)) return `[${value.map((one) => printInline(one, old)).join(`,${blank}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${blank}${printInline(one, old)}`,
  );
  return `{${blank}${members.join(`,${blank}`)}${blank}}`;
}

/** Takes the member out with its line or lines; an object that held nothing else becomes `{}`. */
export function removeMember(text: string, object: Node, member: Node, path: string[]): string {
  const members = object.children ?? [];
  const index = members.indexOf(member);
  const tail = tailOf(text, member.offset + member.length);
  const alone =
    startsLine(text, member.offset) &&
    ['', ','].includes(text.slice(member.offset + member.length, tail.end).replace(/[ \t]/g, ''));
  const start = object.offset + 1;
  const end = object.offset + object.length - 1;
  const rest = text.slice(start, member.offset) + text.slice(tail.end, end);
  if (members.length === 1 && rest.trim() === '') return text.slice(0, start) + text.slice(end);
  if (!alone) return applyEdits(text, modify(text, path, undefined, {}));
  const before = lineBreakBefore(text, member.offset);
  const edits: Edit[] = [{ offset: before, length: tail.end - before, content: '' }];
  const previous = members[index - 1];
  if (previous !== undefined && index === members.length - 1 && !tail.hasComma) {
    const comma = text.indexOf(',', tailOf(text, previous.offset + previous.length).comma);
    edits.unshift({ offset: comma, length: 1, content: '' });
  }
  return applyEdits(text, edits);
}

/** What stands behind a member: its comma, and the end of its line (or of the comma, where more follows on the line). */
function tailOf(text: string, from: number): { end: number; hasComma: boolean; comma: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const tail = { end: from, hasComma: false, comma: from };
  let lineEnd: number | undefined;
  for (;;) {
    const kind: number = scanner.scan();
    if (kind === COMMA && !tail.hasComma) {
      Object.assign(tail, {
        hasComma: true,
        comma: scanner.getTokenOffset(),
        end: scanner.getTokenOffset() + 1,
      });
      lineEnd = undefined;
    } else if (kind === LINE_BREAK) lineEnd ??= scanner.getTokenOffset();
    else if (kind !== SPACE && kind !== LINE_COMMENT && kind !== BLOCK_COMMENT) break;
  }
  return { ...tail, end: lineEnd ?? tail.end };
}

/** Behind the comments of an object without members. */
function emptyTail(text: string, start: number, end: number) {
  return { end: start + text.slice(start, end).trimEnd().length, hasComma: false };
}

function lineBreakBefore(text: string, offset: number): number {
  const lineFeed = text.lastIndexOf('\n', offset - 1);
  return lineFeed > 0 && text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}

/** Members that follow one another on one line, without a trailing comma. */
function isInline(text: string, object: Node): boolean {
  const last = object.children?.at(-1);
  const whole = text.slice(object.offset, object.offset + object.length);
  return last !== undefined && !whole.includes('\n') && !tailOf(text, last.offset + last.length).hasComma;
}

const lineUpTo = (text: string, offset: number) => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
const startsLine = (text: string, offset: number) =>
  offset > 0 && text.lastIndexOf('\n', offset - 1) >= 0 && lineUpTo(text, offset).trim() === '';
const indentAt = (text: string, offset: number) => /^[ \t]*/.exec(lineUpTo(text, offset))?.[0] ?? '';

function print(value: unknown, base: string, { indent, eol }: ReturnType<typeof layoutOf>): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + base);
}
