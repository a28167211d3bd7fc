/**
 * Reads XML text as its elements, one after the other; it resolves only the five entities of XML and
 * characters by number.
 */

export interface XmlHandler {
  open(name: string, attributes: readonly (readonly [name: string, value: string])[]): void;
  /** Receives text of the element that was opened last and is not closed. */
  text(text: string): void;
  close(name: string): void;
}

/** The text is not XML that this reader understands. */
export class InvalidXmlError extends Error {
  override readonly name = 'NoXmlError';
}

const MAX_DEPTH = 64;
const NAME = /[^\s<>/=&"']+/y;
const ATTRIBUTE = /\s+([^\s<>/=&"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;

/** @throws NoXmlError */
export function readXmlText(text: string, { open, text: onText, close }: XmlHandler): void {
  const stack: string[] = [];
  let hasRoot = false;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const fail = (why = 'it is no well-formed XML'): never => {
    throw new InvalidXmlError(why);
  };
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const skipTo = (end: string, from: number) => {
    const found = text.indexOf(end, from);
    if (found < 0) fail();
    at = found + end.length;
    return found;
  };
  const passText = (piece: string) => {
    if (stack.length > 0) onText(piece);
    else if (piece.trim() !== '') fail();
  };
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next < 0 ? text.length : next;
    if (end > at) passText(decodeEntities(text.slice(at, end)) ?? fail(ENTITIES_OF_ITS_OWN));
    at = end;
    if (next < 0) break;
    if (text.startsWith('<?', at)) skipTo('?>', at);
    else if (text.startsWith('<!--', at)) skipTo('-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) {
      const from = at + 9;
      passText(text.slice(from, skipTo(']]>', from)));
    } else if (text.startsWith('<!', at)) fail(ENTITIES_OF_ITS_OWN);
    else if (text.startsWith('</', at)) {
      at += 2;
      const [name] = match(NAME) ?? fail();
      if (stack.pop() !== name || match(TAG_END)?.[1] !== '') fail();
      close(localName(name));
    } else {
      if (hasRoot && stack.length === 0) fail();
      hasRoot = true;
      at += 1;
      const [name] = match(NAME) ?? fail();
      const attributes: [string, string][] = [];
      for (let found = match(ATTRIBUTE); found !== null; found = match(ATTRIBUTE)) {
        const [, attribute = '', double, single] = found;
        attributes.push([attribute, decodeEntities(double ?? single ?? '') ?? fail(ENTITIES_OF_ITS_OWN)]);
      }
      const [, isEmpty] = match(TAG_END) ?? fail();
      open(localName(name), attributes);
      if (isEmpty === '/') close(localName(name));
      else stack.push(name);
      if (stack.length > MAX_DEPTH) fail('it is nested too deeply');
    }
  }
  if (!hasRoot || stack.length > 0) fail();
}

const ENTITIES_OF_ITS_OWN = 'it declares or uses entities of its own';

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Decodes entities; returns undefined for text with any other entity. */
function decodeEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let isKnown = true;
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,10}));|&/gi,
    (_all, ten, sixteen, name) => {
      const code = ten === undefined ? Number.parseInt(sixteen ?? '', 16) : Number(ten);
      if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
      const character =
        typeof name === 'string' && Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
      isKnown &&= character !== undefined;
      return character ?? '';
    },
  );
  return isKnown ? decoded : undefined;
}
