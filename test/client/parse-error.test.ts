import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseErrors, saysTokenExpired } from '../../src/client/parse-error.ts';

const error = { code: 'INVALID', message: 'no', details: 'because' };

describe('the error object of section 7', () => {
  it.each([
    ['alone', error],
    ['in an array', [error]],
    ['under errors', { errors: [error] }],
    ['one under errors', { errors: error }],
    ['beside unknown members', { errors: [{ ...error, more: 1 }], trace: 'x' }],
    ['under error', { error }],
  ])('is found %s', (_where, body) => expect(parseErrors(body)).toEqual([error]));

  it('reads the two members of OAuth', () => {
    expect(parseErrors({ error: 'invalid_grant', error_description: 'gone' })).toEqual([
      { code: 'invalid_grant', message: 'gone' },
    ]);
  });

  it.each([undefined, null, '', 'text', 7, true, [], {}, { errors: [] }, { payload: {} }, [[error]]])(
    'finds none in %j',
    (body) => expect(parseErrors(body)).toEqual([]),
  );

  it('gives text for every member whatever the body is, and never throws', () => {
    const names = fc.constantFrom('code', 'message', 'details', 'errors', 'error', 'error_description', 'x');
    const body = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.dictionary(names, tie('value')),
        fc.array(tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(body, (value) => {
        for (const found of parseErrors(value)) {
          expect(typeof found.code).toBe('string');
          expect(typeof found.message).toBe('string');
          expect(['string', 'undefined']).toContain(typeof found.details);
        }
      }),
    );
  });

  it('knows the sentence of an expired token from others', () => {
    const say = (code: string, message: string, details?: string) =>
      saysTokenExpired([{ code, message, ...(details === undefined ? {} : { details }) }]);
    expect(say('Unauthorized', 'Denied', 'The access token you provided has expired.')).toBe(true);
    expect(say('expired_token', 'x')).toBe(true);
    expect(say('TOKEN_EXPIRED', 'x')).toBe(true);
    expect(say('Unauthorized', 'Access to requested resource is denied.', '')).toBe(false);
    expect(say('OfferExpired', 'The offer has expired.')).toBe(false);
  });
});
