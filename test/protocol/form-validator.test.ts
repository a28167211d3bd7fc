import { describe, expect, it } from 'vitest';
import { FormValidator } from '../../src/protocol/form-validator.ts';

describe('the validator of forms', () => {
  const validator = new FormValidator();

  it('takes any object for a form without fields, as the schema says', () => {
    const check = validator.getValidator({ type: 'object', properties: {} });
    expect(check({})).toMatchObject({ valid: true, data: {} });
    expect(check({ note: 'more' })).toMatchObject({ valid: true });
    expect(check('yes')).toMatchObject({ valid: false });
  });

  it('refuses a form with fields, rather than wave its answers through', () => {
    expect(() => validator.getValidator({ type: 'object', properties: { sku: { type: 'string' } } })).toThrow(
      'has fields',
    );
  });
});
