/** A part of a document that a script writes, between its two marks. */

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. @throws Error when there is no such part */
export function replacePart(text: string, name: string, part: string): string {
  const [open, close] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`This document has no part named ${name}`);
  return `${text.slice(0, start + open.length)}${part}\n${text.slice(end)}`;
}
