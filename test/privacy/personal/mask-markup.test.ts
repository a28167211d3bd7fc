import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeMarkup, maskMarkup } from '../../../src/privacy/personal/mask-markup.ts';

/** Each text becomes what it is, where it stands, and whether it was cut. */
const shown = (text: string) =>
  maskMarkup(text, {
    top: '',
    child: (somePath, name) => `${somePath}/${name}`,
    mask: (somePath, content, isCut) => `[${somePath}:${content}${isCut ? ':cut' : ''}]`,
  });

it.each([
  ['words alone', 'hello', '[:hello]'],
  ['an element', '<a>x</a>', '<a>[/a:x]</a>'],
  ['in another', '<a>x<b>y</b>z</a>w', '<a>[/a:x]<b>[/a/b:y]</b>[/a:z]</a>[:w]'],
  ['blanks around a text stay', '<a> \n x y\t</a> ', '<a> \n [/a:x y]\t</a> '],
  ['one that closes itself', '<a><b/>x<c />y</a>', '<a><b/>[/a:x]<c />[/a:y]</a>'],
  ['a prefix is no part of the name', '<n:a n:b="v">x</n:a>', '<n:a n:b="[/a/b:v]">[/a:x]</n:a>'],
  [
    'attributes in both quotes, with blanks',
    `<a b="1" c = 'two'  d= "">x</a>`,
    '<a b="[/a/b:1]" c = "[/a/c:two]"  d= "">[/a:x]</a>',
  ],
  ['an attribute of an empty element', '<a b="v"/>x', '<a b="[/a/b:v]"/>[:x]'],
  ['quotes without a name', '<a "v">x</a>', '<a "[/a/:v]">[/a:x]</a>'],
  ['an end without a beginning', '<a>x</b>y</a>z', '<a>[/a:x]</b>[/a:y]</a>[:z]'],
  ['an end of what is further up', '<a><b><c>x</a>y', '<a><b><c>[/a/b/c:x]</a>[:y]'],
  ['the nearest of one name ends', '<a>1<a>2</a>3</a>4', '<a>[/a:1]<a>[/a/a:2]</a>[/a:3]</a>[:4]'],
  ['an end with blanks', '<a>x</a >y', '<a>[/a:x]</a >[:y]'],
  ['a head and a document type', '<?xml a="1"?><!DOCTYPE b "c">x', '<?xml a="1"?><!DOCTYPE b "c">[:x]'],
  ['a comment', '<a><!-- x > y -->z</a>', '<a><!-- [/a:x &gt; y] -->[/a:z]</a>'],
  ['an empty comment', '<a><!----></a>', '<a><!----></a>'],
  ['text as it is', '<a><![CDATA[x<b>]]></a>', '<a><![CDATA[[/a:x&lt;b&gt;]]]></a>'],
  ['a bracket that closes nothing', 'a > b <c>x</c>', '[:a &gt; b] <c>[/c:x]</c>'],
  ['an element without a name', '<a>x<>y</>z</a>', '<a>[/a:x]<>[/a/:y]</>[/a:z]</a>'],
  ['one with a blank before its name', '< a>x', '< a>[/:x]'],
  [
    'an address in brackets',
    '<a>to <x@y.example> z</a>',
    '<a>[/a:to] [/a:&lt;x@y.example&gt;:cut] [/a:z]</a>',
  ],
  ['an address in an attribute', '<to mail="x@y.example"/>', '<to mail="[/to/mail:x@y.example]"/>'],
  ['an address of an attribute without quotes', '<to mail=x@y.example/>', '<to mail=x@y.example/>'],
  ['an element that is cut', '<a>x<b c="y', '<a>[/a:x][/a:&lt;b c=&quot;y:cut]'],
  ['a comment that is cut', '<a><!-- x', '<a>[/a:&lt;!-- x:cut]'],
])('%s: %s', (_what, text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each([
  ['&amp;', '&'],
  ['&LT;&gt;', '<>'],
  ['&quot;&apos;', `"'`],
  ['&#65;&#x42;&#X43;', 'ABC'],
  ['&#x1F464;', '👤'],
  ['&#x10ffff;', '\u{10ffff}'],
  ['&#x110000;', '&#x110000;'],
  ['&#0;', '&#0;'],
  ['&nbsp;', '&nbsp;'],
  ['&amp;lt;', '&lt;'],
])('%s is read as %s, in texts and attributes', (written, meant) => {
  const seen: string[] = [];
  const text = `<a b="${written}">${written}</a>`;
  const same = maskMarkup(text, {
    top: '',
    child: () => '',
    mask: (_, content) => {
      seen.push(content);
      return content;
    },
  });
  expect(seen).toEqual([meant, meant]);
  // Unchanged markup stays as it was written.
  expect(same).toBe(text);
});

it('what opens deeper than 64 elements stands at the 64th, and ends of the last 64 are found', () => {
  const names = Array.from({ length: 70 }, (_, at) => `e${at}`);
  const text = `${names.map((name) => `<${name}>`).join('')}x</e5>y</e6>z</e7>w`;
  const somePath = (most: number) =>
    names
      .slice(0, most)
      .map((name) => `/${name}`)
      .join('');
  const paths = Array.from(shown(text).matchAll(/\[([^:]*):(\w)\]/g), ([, where = '', what]) => [
    what,
    where,
  ]);
  expect(paths).toEqual([
    ['x', `${somePath(63)}/e69`],
    ['y', `${somePath(63)}/e69`],
    ['z', somePath(6)],
    ['w', somePath(6)],
  ]);
});

interface Element {
  name: string;
  attribute: string;
  text: string;
  below: Element[];
}

const someText = fc.string({ unit: fc.constantFrom(...'ab <>&"\'=/@;#'), maxLength: 6 });
const elementWith = (below: fc.Arbitrary<Element[]>) =>
  fc.record({
    name: fc.constantFrom('a', 'b', 'n:c', '_d', 'ä'),
    attribute: someText,
    text: someText,
    below,
  });
const none = fc.constant<Element[]>([]);
const few = (below: fc.Arbitrary<Element[]>) => fc.array(elementWith(below), { maxLength: 3 });

/** Writes the element as an XML writer would, passing each text through `say`. */
function write({ name, attribute, text, below }: Element, above: string, say: Say): string {
  const path = `${above}/${name.replace('n:', '')}`;
  const value = attribute === '' ? '' : say(`${path}/x`, attribute);
  const words = text.trim();
  const content = words === '' ? text : text.replace(words, () => say(path, words));
  return `<${name} x="${value}">${content}${below.map((one) => write(one, path, say)).join('')}</${name}>`;
}
type Say = (place: string, text: string) => string;

it('every text and attribute of any document is masked where it stands, and nothing else changes', () => {
  fc.assert(
    fc.property(elementWith(few(few(none))), (document) => {
      const plain = write(document, '', (_, text) => encodeMarkup(text));
      expect(shown(plain)).toBe(write(document, '', (path, text) => encodeMarkup(`[${path}:${text}]`)));
    }),
    { numRuns: 100 },
  );
});
