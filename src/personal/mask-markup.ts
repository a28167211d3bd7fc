/** XML and HTML with the texts of their elements and attributes replaced, as far as they can be read at all. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const ENTITY = /&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/** @param isCut it begins like markup and is none: a piece that was cut */
type Mask = (path: readonly string[], content: string, isCut: boolean) => string;

/** @param mask gets the names of the elements around a text, and the text as it is meant */
export function maskMarkup(text: string, mask: Mask): string {
  const path: string[] = [];
  let masked = '';
  const add = (content: string, isCut = false) => {
    const inner = content.trim();
    if (inner === '') masked += content;
    else {
      const meant = decode(inner);
      const made = mask(path, meant, isCut);
      masked += made === meant ? content : content.replace(inner, () => encode(made));
    }
  };
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at);
    add(text.slice(at, open < 0 ? undefined : open));
    if (open < 0) break;
    const [start, stop] = bracketsOf(text, open);
    const close = text.indexOf(stop, open + start.length);
    if (close < 0) {
      add(text.slice(open), true);
      break;
    }
    at = close + stop.length;
    const inner = text.slice(open + start.length, close);
    if (start === '<') masked += `<${tag(inner, path, mask)}>`;
    else {
      masked += start;
      add(inner);
      masked += stop;
    }
  }
  return masked;
}

function bracketsOf(text: string, open: number): [string, string] {
  if (text.startsWith('<![CDATA[', open)) return ['<![CDATA[', ']]>'];
  if (text.startsWith('<!--', open)) return ['<!--', '-->'];
  return ['<', '>'];
}

const QUOTED = /"[^"]*"|'[^']*'/g;

/** Characters before a value in which its name is looked for. */
const NAME_ROOM = 120;

/** Goes down or up by it. */
function tag(inner: string, path: string[], mask: Mask): string {
  const name = (/^\/?([^\s/>]+)/.exec(inner)?.[1] ?? '').replace(/^.*:/, '');
  if (inner.startsWith('/')) {
    const from = path.lastIndexOf(name);
    if (from >= 0) path.splice(from);
    return inner;
  }
  if (/^[!?]/.test(inner)) return inner;
  const written = inner.replace(QUOTED, (quoted, at: number) => {
    const attribute = nameBefore(inner.slice(Math.max(0, at - NAME_ROOM), at));
    const meant = decode(quoted.slice(1, -1));
    const made = meant === '' ? meant : mask([...path, name, attribute], meant, false);
    return made === meant ? quoted : `"${encode(made)}"`;
  });
  if (!inner.endsWith('/')) path.push(name);
  return written;
}

/** Of an attribute; empty where there is none. */
function nameBefore(text: string): string {
  const [sign = '', name = ''] = text
    .split(/[\s/]+|(?==)/)
    .filter((part) => part !== '')
    .reverse();
  return sign === '=' ? name.replace(/^.*:/, '') : '';
}

function decode(text: string): string {
  return text.replace(ENTITY, (all, name: string) => {
    const known = ENTITIES[name.toLowerCase()];
    if (known !== undefined) return known;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** For the text of an element or attribute. */
export function encode(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
