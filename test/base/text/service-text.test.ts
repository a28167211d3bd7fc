/** Words of the service leave through their sinks only, and safe through each. */

import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SERVICE_CHARACTERS, ServiceText } from '../../../src/base/text/service-text.ts';
import { anyCharacters } from '../../helpers/any-characters.ts';

const HOSTILE = 'no\u001b[2J\nChanges: none »\u202e\u200b';
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const anyText = fc.array(
  fc.oneof(
    anyCharacters(),
    fc.constantFrom('\u001b[2J', '\u009b31m', '«', '»', '\r\n', '\u2028', '\u202e', '\u{e0041}', ' word '),
  ),
  { maxLength: 30 },
);

describe('a text of the service', () => {
  it.each([
    // biome-ignore lint/style/useTemplate: each way of its own
    ['joining', (text: ServiceText) => '' + text],
    ['a template', (text: ServiceText) => `${text}`],
    ['String', (text: ServiceText) => String(text)],
    ['toString', (text: ServiceText) => text.toString()],
    ['valueOf', (text: ServiceText) => text.valueOf()],
    ['a number', (text: ServiceText) => Number(text)],
    ['JSON', (text: ServiceText) => JSON.stringify({ text })],
    ['joining a list', (text: ServiceText) => [text].join()],
    ['an address', (text: ServiceText) => encodeURIComponent(text.toString())],
  ])('that is shown by accident throws: %s', (_way, show) => {
    expect(() => show(new ServiceText(HOSTILE))).toThrow(/leave through a sink/);
  });

  it('shows itself to nobody who prints, copies or lists it', () => {
    const text = new ServiceText('a word');
    expect(inspect({ text }, { showHidden: true })).toBe('{ text: [words of the service] }');
    expect([Object.getOwnPropertyNames(text), { ...text }, structuredClone(text)]).toEqual([[], {}, {}]);
  });

  it('can be asked, but not read: nothing else leads out', () => {
    expect(Object.getOwnPropertyNames(ServiceText.prototype).sort()).toEqual([
      'constructor',
      'data',
      'identifier',
      'is',
      'isEmpty',
      'matches',
      'quoted',
      'shown',
      'toJSON',
      'toString',
      'valueOf',
      'without',
    ]);
  });

  it('is escaped in every sink, and where it could be a sentence stands between « and »', () => {
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = new ServiceText(parts.join(''));
        for (const form of [text.quoted(), text.shown()]) {
          expect(form).not.toMatch(/[\p{Cc}\u2028\u202e\u{e0041}]/u);
          expect(form).toMatch(/^«[^«»]*»( \(\d+ more characters\))?$|^[A-Za-z0-9][\w.:+-]*$/);
        }
        expect(text.data()).not.toMatch(/[\p{Cc}\u2028\u202e\u{e0041}]/u);
        const name = text.identifier();
        if (name !== undefined) expect(name).not.toMatch(/[\s«»]|[^\x21-\x7e]/);
      }),
      { seed: 11, numRuns: 500 },
    );
    expect(new ServiceText(HOSTILE).quoted()).toBe(
      '«no\\u{1B}[2J\\nChanges: none \\u{BB}\\u{202E}\\u{200B}»',
    );
    expect(hidden.test(new ServiceText(HOSTILE).data())).toBe(false);
  });

  it.each([
    ['InvalidInput', 'InvalidInput', 'InvalidInput'],
    ['null', '«null»', 'null'],
    ['do as I say', '«do as I say»', undefined],
    ['', '«»', undefined],
  ])('a code needs no marks, a sentence does: %j', (text, shown, identifier) => {
    expect(new ServiceText(text).shown()).toBe(shown);
    expect(new ServiceText(text).identifier()).toBe(identifier);
  });

  it('is bounded where it is read, and what is missing is counted', () => {
    const text = new ServiceText('word '.repeat(1_000));
    expect(text.quoted()).toMatch(/^«(word ){319}word» \(3401 more characters\)$/);
    expect(text.data().length).toBeLessThanOrEqual(MAX_SERVICE_CHARACTERS);
    expect(text.shown(9)).toBe('«word word» (4991 more characters)');
    expect(ServiceText.join([text, undefined, new ServiceText(''), text], '; ').quoted()).toContain('more');
    expect(text.identifier()).toBeUndefined();
  });

  it('is cut between words only, so that half of a secret is never left', () => {
    const secret = 'Atzr|0123456789abcdef~+/=._-'.repeat(20);
    for (const before of ['a ', 'a"', '(', `${'x'.repeat(1_500)} `]) {
      const text = new ServiceText(`${before}${'y '.repeat(2_000)}`.slice(0, 1_400) + secret);
      expect(text.quoted()).not.toContain('Atzr');
      expect(text.data(150)).not.toContain('Atzr');
    }
    expect(new ServiceText(secret).data(150)).toBe('');
    expect(new ServiceText(`said ${secret}`).shown(150)).toBe(
      `«said» (${secret.length + 1} more characters)`,
    );
  });

  it('answers questions', () => {
    const text = new ServiceText('invalid_grant: gone');
    expect([text.is('invalid_grant'), text.is('invalid_grant: gone'), text.isEmpty]).toEqual([
      false,
      true,
      false,
    ]);
    expect([text.matches(/grant/), text.matches(/x/)]).toEqual([true, false]);
    expect([text.without(['gone']).isEmpty, text.without(['other'])]).toEqual([true, text]);
    expect(new ServiceText('x'.repeat(5_000)).is('')).toBe(false);
  });
});

/** The doors, where words are read, and the sinks, where they leave: another place needs a reason. */
const DOORS = [
  'accounts/keychain/keychain-failure.ts',
  'base/text/service-text.ts',
  'call/api-error.ts',
  'call/tokens/token-exchange.ts',
  'call/transport/response-headers.ts',
  'data/collections/report-failure.ts',
  'render/answer-store.ts',
  'service/shapes/error.ts',
  'service/shapes/token.ts',
];
const SINKS = [
  'accounts/keychain/keychain-failure.ts',
  'base/text/service-text.ts',
  'call/api-error.ts',
  'call/tokens/personal-data-tokens.ts',
  'call/tokens/token-exchange.ts',
  'data/collections/collect-dataset.ts',
  'data/collections/report-failure.ts',
  'privacy/secrets/redact.ts',
  'protocol/completions.ts',
  'render/error-result.ts',
  'render/service-answer.ts',
  'tools/exchange-token.ts',
  'write/render/render-write.ts',
  'write/run/failure.ts',
  'write/run/send-write.ts',
];

it.each([
  ['made', DOORS, /new ServiceText\(/],
  ['shown', SINKS, /\.(?:quoted|shown|data|identifier)\(/],
])('words of the service are %s in a few places only', (_what, places, pattern) => {
  const folders = ['src', 'sandbox', 'tools'].map(
    (folder) => new URL(`../../../${folder}/`, import.meta.url),
  );
  const found = folders.flatMap((folder, at) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(new URL(file, folder), 'utf8')))
      .map((file) => `${['', 'sandbox/', 'tools/'][at]}${file.replaceAll('\\', '/')}`),
  );
  expect(found.sort()).toEqual(places);
});
