import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/base/errors.ts';
import { ServiceText } from '../../../src/base/text/service-text.ts';
import { createRedactor, maskToken } from '../../../src/privacy/secrets/redact.ts';
import { growsLinearly } from '../../helpers/growth.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';

/** Any text of 8 to 60 characters that could be a secret: ASCII, quotes, backslashes, beyond the BMP, half pairs left out. */
const secrets = fc
  .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
  .filter((text) => text.length >= 8 && !'[redacted]'.includes(text) && new Set(text).size > 3);

const realSecrets = fc.oneof(
  secrets,
  // Each spelling writes these characters in another way.
  fc
    .string({ minLength: 8, maxLength: 30, unit: fc.constantFrom(...'"\\/+%=~?é🙂 a7') })
    .filter((text) => new Set(text).size > 3),
  fc.base64String({ minLength: 40, maxLength: 400 }).map((text) => `Atzr|${text}`),
  fc.base64String({ minLength: 40, maxLength: 400 }).map((text) => `Atza|${text}`),
  fc
    .string({ minLength: 30, maxLength: 64, unit: fc.constantFrom(...'0123456789abcdef') })
    .map((text) => `amzn1.oa2-cs.v1.${text}`),
);

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const base64url = (text: string) => Buffer.from(text, 'utf8').toString('base64url');
const jsonEscaped = (text: string) => JSON.stringify(text).slice(1, -1);
const formEncoded = (text: string) => new URLSearchParams([['k', text]]).toString().slice(2);

/** Ways in which a secret gets into a text on its way out. */
const carriers: readonly ((secret: string, before: string, after: string) => string)[] = [
  (secret, before, after) => `${before}${secret}${after}`,
  (secret, before, after) => JSON.stringify({ error: before, error_description: `${after} ${secret}` }),
  (secret, before) => JSON.stringify({ body: JSON.stringify({ [before]: secret }) }),
  (secret, before, after) => `${before}?token=${encodeURIComponent(secret)}&x=${encodeURIComponent(after)}`,
  (secret, before, after) => new URLSearchParams({ a: before, token: secret, b: after }).toString(),
  (secret, before, after) => `Basic ${base64(`${before}:${secret}${after}`)}`,
  (secret, before, after) => base64url(`${before}${secret}${after}`),
  (secret, before) => encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase()) + before,
];

/** No form of the secret is left, wherever it may have stood. */
function expectGone(text: string, secret: string): void {
  const url = encodeURIComponent(secret);
  const lower = url.replace(/%../g, (hex) => hex.toLowerCase());
  const forms = [secret, jsonEscaped(secret), url, lower, formEncoded(secret)];
  expect(forms.filter((form) => text.includes(form))).toEqual([]);
  const words = text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? [];
  const decoded = words.flatMap((word) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(word.slice(skip), 'base64').toString('utf8')),
  );
  expect(decoded.filter((plain) => plain.includes(secret))).toEqual([]);
}

describe('redaction by value', () => {
  it('lets no known secret through, whatever carries it', () => {
    fc.assert(
      fc.property(
        fc.array(realSecrets, { minLength: 1, maxLength: 4 }),
        fc.string({ maxLength: 30 }),
        fc.string({ maxLength: 30 }),
        (known, before, after) => {
          const redactor = createRedactor();
          for (const secret of known) redactor.add(secret);
          for (const secret of known)
            for (const carry of carriers) expectGone(redactor.redact(carry(secret, before, after)), secret);
        },
      ),
      { numRuns: RUNS_ALL ? 600 : 150 },
    );
  });

  it('lets no known secret through in results, headers, exceptions and their causes', () => {
    fc.assert(
      fc.property(realSecrets, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), (secret, rest) => {
        const redactor = createRedactor();
        redactor.add(secret);
        const error = new ApiError(
          { status: 400, requestId: new ServiceText(`bad ${secret} ${base64(`a:${secret}`)}`) },
          `The service said ${secret}`,
          `Do not use ${encodeURIComponent(secret)}`,
          { cause: new TypeError(`inner ${secret}`) },
        );
        const value = {
          ...rest,
          headers: { authorization: `Bearer ${secret}`, [secret]: 1 },
          list: [secret],
          error,
        };
        const clean = redactor.redactValue(value);
        expectGone(JSON.stringify(clean), secret);
        expectGone(inspect(clean, { depth: 20, showHidden: true }), secret);
      }),
      { numRuns: RUNS_ALL ? 300 : 75 },
    );
  });

  it('leaves values under 8 characters alone, since they could be words', () => {
    const redactor = createRedactor();
    redactor.add('seller');
    redactor.add('');
    expect(redactor.redact('the seller sells')).toBe('the seller sells');
  });

  it('knows digits as the number that they are, never a short one', () => {
    const redactor = createRedactor();
    for (const secret of ['0012345678', '98765432.50', '00000007']) redactor.add(secret);
    expect(redactor.redactValue([12345678, 12345678n, 98765432.5, 7, 7n])).toEqual([
      '[redacted]',
      '[redacted]',
      '[redacted]',
      7,
      7n,
    ]);
    expect(redactor.redact('7 of 12345678')).toBe('7 of [redacted]');
  });

  it('takes the whole of a secret that begins with another', () => {
    const redactor = createRedactor();
    for (const secret of ['abcdefghi', 'abcdefghijkl', 'shortest']) redactor.add(secret);
    expect(redactor.redact('x abcdefghijkl y')).toBe('x [redacted] y');
  });

  it('forgets the oldest of more than 1,000, never one in use', () => {
    const redactor = createRedactor();
    redactor.add('client-secret-in-use');
    for (let count = 0; count < 1500; count += 1) {
      redactor.add(`access-token-number-${count}`);
      redactor.add('client-secret-in-use');
    }
    expect(redactor.redact('client-secret-in-use')).toBe('[redacted]');
    expect(redactor.redact('access-token-number-1499')).toBe('[redacted]');
  });
});

it('a secret that is in use outlives those that are not, however old it is', () => {
  const redactor = createRedactor();
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) redactor.add(`secret-number-${at}-end`);
  };
  add(0, 1_000);
  redactor.add('secret-number-0-end');
  redactor.add('one-secret-more');
  const kept = (at: number) => redactor.redact(`secret-number-${at}-end`) === '[redacted]';
  expect([kept(0), kept(1), kept(2), kept(999)]).toEqual([true, false, true, true]);
});

describe('redaction by shape', () => {
  const redact = createRedactor().redact;
  const token = 'Atzr|IwEBIK-4_x.y~z/ab+cd==';

  it.each([
    ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
    [`failed with ${token}, sorry`, 'failed with Atzr|[redacted], sorry'],
    ['failed with Atza%7CIwEBIK, sorry', 'failed with Atza%7C[redacted], sorry'],
    ['rdt Atz.sprdt|IwEBIK here', 'rdt Atz.sprdt|[redacted] here'],
    ['secret amzn1.oa2-cs.v1.0a1b2c!', 'secret amzn1.oa2-cs.[redacted]!'],
    ['{"client_secret": "a\\"b", "x": 1}', '{"client_secret": "[redacted]", "x": 1}'],
    ['{"access_token":"cut of', '{"access_token":"[redacted]'],
    [
      JSON.stringify({ body: '{"refresh_token":"abc"}' }),
      JSON.stringify({ body: '{"refresh_token":"[redacted]"}' }),
    ],
    ['grant_type=x&refresh_token=abc&y=1', 'grant_type=x&refresh_token=[redacted]&y=1'],
    ["{ clientSecret: 'abc' }", "{ clientSecret: '[redacted]' }"],
    ['SELLER_CLIENT_SECRET=abc node x', 'SELLER_CLIENT_SECRET=[redacted] node x'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toBe(clean);
    expect(redact(clean)).toBe(clean);
  });

  it.each([
    'client_secret',
    'clientSecret',
    'refresh_token',
    'refreshToken',
    'access_token',
    'accessToken',
    'restrictedDataToken',
    'x-amz-access-token',
  ])('whatever stands under %s', (name) => {
    expect(redact(JSON.stringify({ [name]: 'abc', b: 1 }))).toBe(
      JSON.stringify({ [name]: '[redacted]', b: 1 }),
    );
    const values = [12345678, 123456789012n, ['abc', 12345678, 1234567], { deeper: 'abc' }];
    expect(createRedactor().redactValue(values.map((value) => ({ [name]: value })))).toEqual(
      ['[redacted]', '[redacted]', ['[redacted]', '[redacted]', 1234567], { deeper: 'abc' }].map((value) => ({
        [name]: value,
      })),
    );
  });

  it.each([
    'access_token: string is required',
    'The refresh_token is missing; run `seller-commerce-mcp login`.',
    'Bearer token missing',
    '{"access_token":"Atza|…(382 characters)","token_type":"bearer"}',
    `the token ${maskToken(token)} is masked`,
    'amzn1.application-oa2-client.0a1b',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('finds the end of a value of millions of escapes', () => {
    const redactor = createRedactor();
    const text = `{"access_token":"${'\\\\a'.repeat(4_000_000)}","b":"kept"}`;
    expect(redactor.redact(text)).toBe('{"access_token":"[redacted]","b":"kept"}');
    expect(redactor.redact('"access_token":"a\\"b\\\\","c":"\\"')).toBe(
      '"access_token":"[redacted]","c":"\\"',
    );
    expect(redactor.redact('"access_token":"cut off\\')).toBe('"access_token":"[redacted]');
  });

  it('blots members that are named after a secret, and nothing else', () => {
    const value = {
      access_token: 'x',
      refreshToken: 'y',
      Client_Secret: 'z',
      token_type: 'bearer',
      expires_in: 3600,
    };
    expect(createRedactor().redactValue(value)).toEqual({
      access_token: '[redacted]',
      refreshToken: '[redacted]',
      Client_Secret: '[redacted]',
      token_type: 'bearer',
      expires_in: 3600,
    });
    const masked = { access_token: maskToken(token), refresh_token: '' };
    expect(createRedactor().redactValue(masked)).toEqual(masked);
  });
});

describe('redactValue', () => {
  const { redactValue } = createRedactor();

  it('keeps numbers, nulls, dates, cycles and number classes what they are', () => {
    class Exact {
      readonly value: string;
      constructor(value: string) {
        this.value = value;
      }
      toString() {
        return this.value;
      }
    }
    const list: unknown[] = [1, null, undefined, true, 12n];
    list.push(list);
    const clean = redactValue({
      list,
      exact: new Exact('1.10'),
      when: new Date(0),
      bytes: Buffer.from('x'),
      map: new Map([['a', 1]]),
    });
    expect(clean).toMatchObject({ when: '1970-01-01T00:00:00.000Z', bytes: '[binary]', map: [['a', 1]] });
    expect(String(Object.entries(clean ?? {}).find(([key]) => key === 'exact')?.[1])).toBe('1.10');
  });

  it('keeps a member called __proto__ a member', () => {
    const clean = redactValue(JSON.parse('{"__proto__":{"admin":true}}'));
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"admin":true}}');
    expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
  });
});

it('takes time in proportion to the text, however it is built', () => {
  const redactor = createRedactor();
  for (let count = 0; count < 20; count += 1) redactor.add(`Atzr|secret-number-${count}`);
  const hostile = [
    '"client_secret":"',
    'client_secret=',
    'Bearer ',
    'Atza|',
    '\\',
    '"access_token"  :  "\\',
    'amzn1.oa2-cs.',
    "refresh_token: '",
  ];
  const isLinear = (size: number, textOf: (size: number) => string) =>
    growsLinearly(size, (length) => {
      const text = textOf(length);
      return () => redactor.redact(text);
    });
  // Ten times as much still fits into a processor's cache: beyond it a busy machine makes linear work look worse.
  for (const piece of hostile) {
    const repeated = (size: number) => piece.repeat(Math.ceil(size / piece.length));
    expect(isLinear(20_000, repeated), piece).toBe(true);
  }
  expect(isLinear(20_000, (size) => `{"access_token":"${'a'.repeat(size)}`)).toBe(true);
});

it('masks a token to its kind and length', () => {
  expect(maskToken(`Atza|${'x'.repeat(377)}`)).toBe('Atza|…(382 characters)');
  expect(maskToken('opaque')).toBe('…(6 characters)');
});

describe('small things', () => {
  const redactor = createRedactor();
  redactor.add('12345678');

  it('a value of 8 characters is a secret, and a text as short as it is searched', () => {
    expect(redactor.redact('12345678')).toBe('[redacted]');
    const shorter = createRedactor();
    shorter.add('1234567');
    expect(shorter.redact('1234567')).toBe('1234567');
  });

  it('an error keeps its name, message and stack, and its cause where it has one', () => {
    const plain = redactor.redactValue(new TypeError('on 12345678'));
    expect(Object.keys(Object(plain))).toEqual(['name', 'message', 'stack']);
    expect(plain).toMatchObject({ name: 'TypeError', message: 'on [redacted]' });
    expect(plain).not.toBeInstanceOf(Error);
    const caused = redactor.redactValue(new Error('x', { cause: new Error('y') }));
    expect(caused).toMatchObject({ cause: { message: 'y' } });
  });

  it('what only looks like a masked token is blotted', () => {
    const shown = '…(5 characters)';
    const hidden = [
      'a secret of more than twenty …(5 characters)',
      '…(5 characters) and more',
      '…(x characters)',
    ];
    for (const text of hidden)
      expect(redactor.redactValue({ access_token: text })).toEqual({ access_token: '[redacted]' });
    expect(redactor.redactValue({ access_token: shown })).toEqual({ access_token: shown });
    expect(redactor.redactValue({ access_token: 7 })).toEqual({ access_token: 7 });
  });

  it('a member called toJSON that is no function is a member', () => {
    expect(redactor.redactValue({ toJSON: '12345678' })).toEqual({ toJSON: '[redacted]' });
  });

  it('a clean value is itself, not a copy', () => {
    const clean = { list: ['nothing here'] };
    expect(redactor.redactJson(clean)).toBe(clean);
    expect(redactor.redactJson({ list: ['12345678'] })).toEqual({ list: ['[redacted]'] });
    expect(redactor.redactJson({ list: ['Bearer abcdefghijklmnop'] })).toEqual({
      list: ['Bearer [redacted]'],
    });
  });

  it('the value of a form is found as a form writes it', () => {
    const forms = createRedactor();
    forms.add('a secret (of words)');
    expect(forms.redact('x=a+secret+%28of+words%29')).toBe('x=[redacted]');
    expect(forms.redact('x=a+secret+%28of+words%29&y')).toBe('x=[redacted]&y');
  });
});

describe('redactJson', () => {
  it('does what redactValue does, for any JSON with or without a secret in it', () => {
    const secret = 'se"cr\\et/8~é+value';
    const redactor = createRedactor();
    redactor.add(secret);
    const spelled = fc.constantFrom(
      secret,
      JSON.stringify(secret),
      JSON.stringify(JSON.stringify(secret)),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      'Bearer abcdefghijklmnop',
      'Atzr|abc',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        spelled,
        fc.array(tie('tree')),
        fc.dictionary(fc.oneof(fc.string(), spelled), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(redactor.redactJson(value)).toEqual(redactor.redactValue(value));
      }),
    );
  });
});

describe('what is in use is never forgotten', () => {
  it('an access token, while thousands of others come and go, until another takes its place', () => {
    const redactor = createRedactor();
    redactor.add('Zaccess-token-1', 'access token of default');
    redactor.add('Zclient-secret', 'client secret of default');
    for (let i = 0; i < 3_000; i += 1) redactor.add(`Zrestricted-token-${i}`);
    expect(redactor.redact('Zaccess-token-1 Zclient-secret')).toBe('[redacted] [redacted]');
    redactor.add('Zaccess-token-2', 'access token of default');
    expect(redactor.redact('Zaccess-token-1')).toBe('[redacted]');
    for (let i = 0; i < 3_000; i += 1) redactor.add(`Zrestricted-token-${i}`);
    expect(redactor.redact('Zaccess-token-1 Zaccess-token-2')).toBe('Zaccess-token-1 [redacted]');
  });

  it('of the others, those that were used last stay; one that is new is known even where all places are taken', () => {
    const redactor = createRedactor();
    for (let i = 0; i < 1_000; i += 1) redactor.add(`Zrestricted-token-${i}-`);
    redactor.add('Zrestricted-token-0-');
    redactor.add('Zone-more-token');
    expect(redactor.redact('Zrestricted-token-0- Zrestricted-token-1- Zone-more-token')).toBe(
      '[redacted] Zrestricted-token-1- [redacted]',
    );
    for (let i = 0; i < 1_001; i += 1) redactor.add(`Zaccount-secret-${i}-`, `secret ${i}`);
    redactor.add('Zthe-newest-token');
    expect(redactor.redact('Zthe-newest-token Zaccount-secret-0-')).toBe('[redacted] [redacted]');
  });
});

describe('a secret that is a number', () => {
  it.each([
    ['12345678', { value: 12345678 }],
    ['12345678', { deep: [{ value: 9123456780.5 }] }],
    ['0012345678', { value: 12345678 }],
    ['1234567812345000000000', { value: 1234567812345000000000 }],
    ['1234.5678', [-1234.5678]],
  ])('%s leaves in no structured form: %j', (secret, value) => {
    const redactor = createRedactor();
    redactor.add(secret);
    const json = JSON.stringify(redactor.redactJson(value));
    expect(json).toContain('[redacted]');
    expect(json).not.toContain(secret.replace(/^0+/, '').slice(0, 8));
    expect(redactor.redactJson({ other: 87654321, short: 7, none: null })).toEqual({
      other: 87654321,
      short: 7,
      none: null,
    });
  });

  it('or stands under the name of one, alone or in a list, is blotted out whoever knows it', () => {
    const { redactJson } = createRedactor();
    expect(
      redactJson({ client_secret: 1234567890, access_token: ['abc', 12345678], expires_in: 3600 }),
    ).toEqual({
      client_secret: '[redacted]',
      access_token: ['[redacted]', '[redacted]'],
      expires_in: 3600,
    });
  });
});

it('a secret is found where its hidden characters are spelled out, and as the name of a member', () => {
  const redactor = createRedactor();
  redactor.add('with\u200bhidden\u202epart');
  expect(redactor.redact(new ServiceText('see with\u200bhidden\u202epart here').quoted())).toBe(
    '«see [redacted] here»',
  );
  redactor.add('name-of-a-member');
  expect(redactor.redactJson({ 'x-name-of-a-member': { 'name-of-a-member': 1 } })).toEqual({
    'x-[redacted]': { '[redacted]': 1 },
  });
});

it.each([[['/srv', '/srv/app/data']], [['/srv/app/data', '/srv']]])(
  'hides the innermost of the folders %j',
  (folders) => {
    expect(createRedactor(folders).redact('in /srv/app/data/x and /srv/y')).toBe(
      'in [server]/x and [server]/y',
    );
  },
);
