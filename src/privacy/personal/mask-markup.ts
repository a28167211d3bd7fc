/** Masks the texts of elements and attributes in XML and HTML, as far as the markup can be read. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const ENTITY = /&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

interface MarkupVisitor<Context> {
  /** The context of the text itself. */
  top: Context;
  /** Returns the context within the element or attribute of that name. */
  child(context: Context, name: string): Context;
  /** Masks a decoded text. @param isCut it begins like markup but is none: a piece that was cut */
  mask(context: Context, content: string, isCut: boolean): string;
}

/** An element that is not closed yet. */
interface MaskedElement<Context> {
  name: string;
  context: Context;
}

/** Deeper elements count as being on this level, and a closing tag is matched no further up. */
const MAX_LEVELS = 64;

/** Masks markup; each context is derived from its parent, so that depth costs nothing. */
export function maskMarkup<Context>(text: string, walk: MarkupVisitor<Context>): string {
  const open: MaskedElement<Context>[] = [{ name: '', context: walk.top }];
  let masked = '';
  const add = (content: string, isCut = false) => {
    const inner = content.trim();
    if (inner === '') masked += content;
    else {
      const meant = decode(inner);
      const made = walk.mask(open.at(-1)?.context ?? walk.top, meant, isCut);
      masked += made === meant ? content : content.replace(inner, () => encodeMarkup(made));
    }
  };
  for (let at = 0; at < text.length; ) {
    const bracket = text.indexOf('<', at);
    add(text.slice(at, bracket < 0 ? undefined : bracket));
    if (bracket < 0) break;
    const [start, stop] = findBrackets(text, bracket);
    const close = text.indexOf(stop, bracket + start.length);
    if (close < 0) {
      add(text.slice(bracket), true);
      break;
    }
    at = close + stop.length;
    const inner = text.slice(bracket + start.length, close);
    if (start === '<' && ADDRESS.test(inner)) add(text.slice(bracket, at), true);
    else if (start === '<') {
      const shown = maskTag(inner, open, walk);
      masked += shown === inner ? text.slice(bracket, at) : `<${shown}>`;
    } else {
      masked += start;
      add(inner);
      masked += stop;
    }
  }
  return masked;
}

function findBrackets(text: string, open: number): [string, string] {
  if (text.startsWith('<![CDATA[', open)) return ['<![CDATA[', ']]>'];
  if (text.startsWith('<!--', open)) return ['<!--', '-->'];
  return ['<', '>'];
}

/** Matches `<a@b.example>`, which is an address in the header of a letter and no element. */
const ADDRESS = /^[^\s"'=]*@/;

const QUOTED = /"[^"]*"|'[^']*'/g;

/** The number of characters before a value in which its name is looked for. */
const NAME_ROOM = 120;

/** Masks the attributes of a tag, and opens or closes its element. */
function maskTag<Context>(
  inner: string,
  open: MaskedElement<Context>[],
  walk: MarkupVisitor<Context>,
): string {
  const written = /^\/?([^\s/>]+)/.exec(inner)?.[1] ?? '';
  const name = written.slice(written.lastIndexOf(':') + 1);
  if (inner.startsWith('/')) {
    const lowest = Math.max(1, open.length - MAX_LEVELS);
    for (let at = open.length - 1; at >= lowest; at -= 1) {
      if (open[at]?.name !== name) continue;
      open.length = at;
      break;
    }
    return inner;
  }
  if (/^[!?]/.test(inner)) return inner;
  const above = open[Math.min(open.length, MAX_LEVELS) - 1]?.context ?? walk.top;
  const context = walk.child(above, name);
  const masked = inner.replace(QUOTED, (quoted, at: number) => {
    const attribute = nameBefore(inner.slice(Math.max(0, at - NAME_ROOM), at));
    const meant = decode(quoted.slice(1, -1));
    const made = meant === '' ? meant : walk.mask(walk.child(context, attribute), meant, false);
    return made === meant ? quoted : `"${encodeMarkup(made)}"`;
  });
  if (!inner.endsWith('/')) open.push({ name, context });
  return masked;
}

/** Returns the name of an attribute; empty if there is none. */
function nameBefore(text: string): string {
  const [sign = '', name = ''] = text
    .split(/[\s/]+|(?==)/)
    .filter((part) => part !== '')
    .reverse();
  return sign === '=' ? name.slice(name.lastIndexOf(':') + 1) : '';
}

function decode(text: string): string {
  return text.replace(ENTITY, (all, name: string) => {
    const known = ENTITIES[name.toLowerCase()];
    if (known !== undefined) return known;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** Encodes a text for an element or attribute. */
export function encodeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
