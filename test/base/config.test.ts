import { describe, expect, it } from 'vitest';
import { buildConfig } from '../../src/base/config.ts';
import { ConfigError } from '../../src/base/errors.ts';
import { listSettings } from '../../src/base/setting-descriptions.ts';

describe('settings that a desktop host hands over from a form', () => {
  const names = listSettings().map(({ env }) => env);

  it.each([
    ['the placeholder of the bundle', (name: string) => `\${user_config.${name.toLowerCase()}}`],
    ['nothing', () => ''],
    ['blanks', () => '  '],
  ])('counts as unset what arrives as %s', (_, value) => {
    const env = Object.fromEntries(names.map((name) => [name, value(name)]));
    expect(buildConfig({}, env)).toEqual(buildConfig({}, {}));
  });

  it.each([
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
  ])('reads the switch %s', (value, wanted) => {
    const env = { SELLER_SANDBOX: value, SELLER_READ_ONLY: value };
    expect(buildConfig({}, env)).toMatchObject({ sandbox: wanted, readOnly: wanted });
  });

  it.each(['EU', ' eu ', 'eu'])('takes the region written as "%s"', (region) => {
    expect(buildConfig({}, { SELLER_REGION: region }).region).toBe('eu');
  });

  it('names the variable of a wrong value and never a secret', () => {
    const env = { SELLER_REGION: 'mars', SELLER_SANDBOX: 'perhaps', SELLER_CLIENT_SECRET: 'canary-secret' };
    const error = failureOf(() => buildConfig({}, env));
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(/SELLER_REGION.*SELLER_SANDBOX/s);
    expect(String(error)).not.toContain('canary');
  });
});

describe('read-only', () => {
  it.each(['ask', 'code', 'allow', 'deny'])('denies writes whatever --writes says: %s', (writes) => {
    expect(buildConfig({ writes }, { SELLER_READ_ONLY: 'true' }).writes).toBe('deny');
    expect(buildConfig({ 'read-only': true }, { SELLER_WRITES: writes }).writes).toBe('deny');
  });

  it('leaves writes alone when it is off, and a flag wins over the environment', () => {
    expect(buildConfig({ writes: 'allow' }, { SELLER_READ_ONLY: 'false' }).writes).toBe('allow');
    const config = buildConfig({ 'read-only': false }, { SELLER_READ_ONLY: 'true', SELLER_WRITES: 'code' });
    expect(config).toMatchObject({ readOnly: false, writes: 'code' });
  });
});

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}
