import { describe, expect, it } from 'vitest';
import { ApiError, CancelledError, ConfigError, InputError } from '../../src/base/errors.ts';
import { ServiceText } from '../../src/base/text/service-text.ts';
import { errorResult, errorText, isExpectedError } from '../../src/render/error-result.ts';

const asIs = (text: string) => text;

describe('errorText', () => {
  it('tells what happened and what to do next', () => {
    expect(errorText(new ConfigError('The region is wrong.', 'Set SELLER_REGION.'), asIs)).toBe(
      'The region is wrong.\nSet SELLER_REGION.',
    );
    expect(errorText(new ConfigError('Only this.'), asIs)).toBe('Only this.');
  });

  it('lists the problems of an input by path', () => {
    const problems = [
      { path: 'asin', message: 'is missing' },
      { path: '', message: 'must be an object' },
    ];
    expect(errorText(new InputError('Wrong.', 'Correct it.', problems), asIs)).toBe(
      'Wrong.\n- asin: is missing\n- (whole): must be an object\nCorrect it.',
    );
  });

  it('does not repeat what the message says already', () => {
    const error = new InputError('x was not sent: asin is required', 'Correct it.', [
      { path: 'asin', message: 'is required' },
    ]);
    expect(errorText(error, asIs)).toBe('x was not sent: asin is required\nCorrect it.');
  });

  it.each([new TypeError('secret inner state'), 'a string', undefined, { toString: () => 'x' }])(
    'shows nothing of an unexpected error (%o)',
    (error) => {
      const text = errorText(error, asIs);
      expect(text).toContain('Something went wrong inside seller-commerce-mcp');
      expect(text).not.toMatch(/secret|at .*\.ts/);
      expect(isExpectedError(error)).toBe(false);
    },
  );
});

describe('errorResult', () => {
  it('redacts, and says the kind with status and request id for programs', () => {
    const error = new ApiError({ status: 503, requestId: new ServiceText('r-1') }, 'down canary', 'wait');
    expect(errorResult(error, (text) => text.replaceAll('canary', '***'))).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'down ***\nwait' }],
      _meta: { 'seller-commerce-mcp/error': { kind: 'ApiError', status: 503, requestId: 'r-1' } },
    });
  });

  it('marks what was cancelled', () => {
    const { _meta } = errorResult(new CancelledError('The call was cancelled.'), asIs);
    expect(_meta).toMatchObject({ 'seller-commerce-mcp/error': { kind: 'CancelledError', cancelled: true } });
  });
});
