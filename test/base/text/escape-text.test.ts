/** Service text is shown as data: nothing hidden, nothing outside its delimiters, nothing harmless changed. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import {
  delimit,
  escapeDeep,
  escapeInJson,
  escapeJson,
  escapeLines,
  escapeText,
  hasHidden,
  showText,
} from '../../../src/base/text/escape-text.ts';
import { explainIssues } from '../../../src/render/listing/issues.ts';
import { describeItem } from '../../../src/render/listing/item.ts';
import { fitValue } from '../../../src/render/value/fit-value.ts';
import { anyCharacter } from '../../helpers/any-characters.ts';
import { hiddenIn } from '../../render/value/hidden.ts';
import { CANARY, HARMLESS, INJECTIONS } from '../../render/value/injection-corpus.ts';

/** Returns what a reader takes for our own text: everything outside the delimiters. */
function outside(text: string): string {
  expect(text.replace(/«[^«»]*»/g, '')).not.toMatch(/[«»]/);
  return text.replace(/«[^«»]*»/g, '');
}

/** Every text and member name in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)])
    : [];
}

describe.each(Object.entries(INJECTIONS))('%s', (_, text) => {
  test('is delimited on one line with nothing hidden', () => {
    const shown = delimit(text);
    expect(hiddenIn(shown)).toEqual([]);
    expect(shown).toMatch(/^«[^«»]*»$/);
    expect(showText(text)).toBe(shown);
  });

  test('stays inside the delimiters wherever an item carries it', () => {
    const issue = {
      code: text,
      message: text,
      severity: text,
      attributeNames: [text],
      categories: [text],
      marketplaceIds: [text],
      novel: { [text]: text },
      enforcements: { actions: [{ action: text }], exemption: { status: text, expiryDate: text } },
    };
    const item = {
      sku: text,
      [text]: text,
      novel: { [text]: [text, { [text]: text }] },
      attributes: { [text]: [{ value: text }] },
      summaries: [
        { marketplaceId: text, asin: text, itemName: text, status: [text], mainImage: { link: text } },
      ],
      issues: [issue, text, { message: [text] }, { ...issue, enforcements: text }],
      offers: [
        {
          marketplaceId: text,
          offerType: text,
          price: { currencyCode: text, amount: text },
          audience: { value: text, displayName: text },
        },
      ],
      fulfillmentAvailability: [{ fulfillmentChannelCode: text, quantity: 1 }],
      procurement: [{ costPrice: { currencyCode: text, amount: text } }],
    };
    const describe = (value: unknown, maxTokens: number) =>
      describeItem(isJsonObject(value) ? value.payload : value, { now: 0, maxTokens, complete: true });
    for (const options of [{ describe }, {}, { select: ['payload.attributes', `payload.${text}`, text] }]) {
      const answer = fitValue(
        { payload: item },
        { maxTokens: 30_000, aside: ['payload.attributes'], ...options },
      );
      expect(outside(answer.text.replace(/^Values, and all text.*\n/, ''))).not.toContain(CANARY);
      expect(hiddenIn(answer.text, true)).toEqual([]);
      expect(
        textsOf([answer.value, answer.omitted, answer.aside]).flatMap((each) => hiddenIn(each, true)),
      ).toEqual([]);
    }
    const explained = explainIssues(item, { now: 0 });
    expect(outside(explained.text)).not.toContain(CANARY);
    expect(outside(explained.summary)).not.toContain(CANARY);
    expect(hiddenIn(explained.summary)).toEqual([]);
  });
});

describe('escapeText', () => {
  test.each(HARMLESS)('leaves %s as it is', (text) => {
    expect(escapeText(text)).toBe(text);
    expect(delimit(text)).toBe(`«${text}»`);
  });

  test('shows hidden characters by their code point, and line ends by their usual names', () => {
    expect(escapeText('a\u202Eb\u{E0041}\uD800\n\r\t\u001b')).toBe(
      'a\\u{202E}b\\u{E0041}\\u{D800}\\n\\r\\t\\u{1B}',
    );
  });

  test('any text: one line, nothing hidden, and a second time changes nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((n) => String.fromCodePoint(n)) }),
        (text) => {
          const shown = escapeText(text);
          expect(hiddenIn(shown)).toEqual([]);
          expect(escapeText(shown)).toBe(shown);
        },
      ),
    );
  });

  test('a text that is cut says by how much, and never ends in half a character', () => {
    expect(delimit('abcdef', 4)).toBe('«abcd» (2 more characters)');
    expect(delimit('abc\u{1F600}', 4)).toBe('«abc» (2 more characters)');
  });
});

describe('showText', () => {
  test.each(['BUYABLE', 'B012345678', 'new_new', '19.90', '2026-12-01T00:00:00Z', '90220'])(
    '%s stands bare',
    (text) => {
      expect(showText(text)).toBe(text);
    },
  );

  test.each(['', ' ', 'two words', 'null', 'TRUE', '- x', 'x|y', 'https://x', 'a'.repeat(41), 'ключ'])(
    '%j is delimited',
    (text) => {
      expect(showText(text)).toBe(`«${text}»`);
    },
  );
});

describe('escapeDeep', () => {
  test('escapes texts and names, keeps line ends, numbers and __proto__', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a\\u200b":"x\\u202e\\ny"},"n":[1.10,null,true]}');
    expect(JSON.stringify(escapeDeep(value))).toBe(
      '{"__proto__":{"a\\\\u{200B}":"x\\\\u{202E}\\ny"},"n":[1.1,null,true]}',
    );
  });
});

test('escapeJson does what escapeDeep does, for any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
      expect(escapeJson(value)).toEqual(escapeDeep(value));
    }),
  );
});

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0x10ffff }).map((n) => String.fromCodePoint(n)),
});

describe('escapeInJson', () => {
  test('spells all of it as JSON does, both halves of a pair, and leaves what can be seen', () => {
    expect(escapeInJson(`a\u202E\u2800\u{E0041}${'\uD800'}\u{1F469}\u200D\u{1F680} \u00e9`)).toBe(
      'a\\u202e\\u2800\\udb40\\udc41\\ud800\u{1F469}\\u200d\u{1F680} \u00e9',
    );
  });

  test('any JSON text stays the text of the same value, with nothing hidden', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), anyText, (value, text) => {
        const shown = escapeInJson(JSON.stringify([value, text]));
        expect(hiddenIn(shown)).toEqual([]);
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify([value, text])));
      }),
    );
  });
});

test('hasHidden tells what the lists of code points tell', () => {
  expect(['a b', 'Größe', '名前', '\u{1F600}'].filter(hasHidden)).toEqual([]);
  fc.assert(
    fc.property(anyText, (text) => {
      if (hiddenIn(text).length > 0) expect(hasHidden(text)).toBe(true);
      expect(hasHidden(text)).toBe(escapeInJson(text) !== text);
    }),
  );
  expect(
    ['\u00ad', '\u115f', '\u2800', '\ufe0f', '\ue000', '\ufdd0', '\n'].filter((one) => !hasHidden(one)),
  ).toEqual([]);
});

test('for a terminal, line ends and tabs stay; whatever moves the cursor or hides is spelled out', () => {
  expect(escapeLines('a\tb\r\nc\n\n│ é 買 │\n')).toBe('a\tb\r\nc\n\n│ é 買 │\n');
  expect(escapeLines('all is well\rFAILED\u001b[2K\u009b1A\b\u202e\u2028\u0007\r\n')).toBe(
    'all is well\\rFAILED\\u{1B}[2K\\u{9B}1A\\u{8}\\u{202E}\\u{2028}\\u{7}\r\n',
  );
  expect(escapeLines('क्‍ष 👩‍🚀')).toBe('क्‍ष 👩‍🚀');
});

test('two names that look the same once escaped stay two members', () => {
  const same = { 'a\u200b': 1, 'a\\u{200B}': 2, plain: 3 };
  const escaped = escapeDeep(same);
  expect(escaped).toEqual({ 'a\\u{200B} (2)': 1, 'a\\u{200B}': 2, plain: 3 });
  expect(escapeDeep(escaped)).toEqual(escaped);
});

test('thousands of names that look the same stay that many, in bounded work', { timeout: 30_000 }, () => {
  const bits = Array.from({ length: 14 }, (_, i) => i);
  const names = Array.from({ length: 2 ** 14 }, (_, n) =>
    bits.map((i) => ((n >> i) & 1 ? '\u200b' : '\\u{200B}')).join(''),
  );
  const escaped = escapeDeep(Object.fromEntries(names.map((name, i) => [name, i])));
  expect(new Set(Object.values(isJsonObject(escaped) ? escaped : {})).size).toBe(2 ** 14);
});
