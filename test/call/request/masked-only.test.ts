/** A restricted data token is not bought where all that it brings would be masked, and bought everywhere else. */

import { afterEach, describe, expect, it, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { reviewed } from '../../../src/service/facts/generated/reviewed.ts';
import { maskedOnly } from '../../../src/service/facts/restricted.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { failureOf, type SetupOptions, setUp, type TestSetup } from '../../helpers/test-client.ts';
import { unmaskedAnswers } from './unmasked-answers.ts';

const { find } = await loadRegistry();
let setup: TestSetup;
afterEach(() => setup?.close());

const PURCHASE = '/tokens/2021-03-01/restrictedDataToken';
const ORDER = '/orders/v0/orders/902-1234567-1234567';
const start = async (personalData?: 'mask' | 'show') => {
  const settings: SetupOptions['settings'] = personalData === undefined ? {} : { personalData };
  setup = await setUp(
    ({ path }) => ({ body: path === PURCHASE ? { restrictedDataToken: 'rdt-1', expiresIn: 60 } : {} }),
    { settings },
  );
};
const readBuyer = () =>
  setup.client.call({
    operation: find('orders/getOrderBuyerInfo'),
    parameters: { orderId: '902-1234567-1234567' },
    account: 'default',
  });
const buy = (...restrictedResources: readonly unknown[]) =>
  setup.client.call({
    operation: find('tokens/createRestrictedDataToken'),
    parameters: {},
    body: { restrictedResources },
    account: 'default',
  });

describe('while masking', () => {
  it.each([undefined, 'mask'] as const)(
    '%s: refuses what returns nothing else, before anything is sent',
    async (mode) => {
      await start(mode);
      const error = await failureOf(readBuyer());
      expect(error).toBeInstanceOf(InputError);
      expect(error).toHaveProperty('message', expect.stringContaining('returns nothing but personal data'));
      expect(error).toHaveProperty(
        'hint',
        expect.stringContaining('--personal-data=show (SELLER_PERSONAL_DATA)'),
      );
      expect(error).toHaveProperty('hint', expect.stringContaining('orders/getOrderAddress'));
      expect(setup.service.requests).toEqual([]);
    },
  );

  it('refuses a preview of it as well', async () => {
    await start('mask');
    const prepared = setup.client.prepare({
      operation: find('orders/getOrderBuyerInfo'),
      parameters: { orderId: '1' },
      account: 'default',
    });
    expect(await failureOf(prepared)).toBeInstanceOf(InputError);
  });

  it.each([
    [{ method: 'GET', path: `${ORDER}/buyerInfo` }, 'body.restrictedResources.0'],
    [{ method: 'GET', path: '/orders/v0/orders/{orderId}/buyerInfo' }, 'body.restrictedResources.0'],
    [{ method: 'GET', path: ORDER, dataElements: ['buyerInfo'] }, 'body.restrictedResources.0.dataElements'],
    [
      { method: 'GET', path: '/orders/v0/orders', dataElements: ['shippingAddress', 'buyerTaxInformation'] },
      'body.restrictedResources.0.dataElements',
    ],
  ])('refuses a token for %j', async (resource, path) => {
    await start('mask');
    const error = await failureOf(buy(resource));
    expect(error).toHaveProperty('problems', [expect.objectContaining({ path })]);
    expect(setup.service.requests).toEqual([]);
  });

  it('names each of several resources', async () => {
    await start('mask');
    const masked = { method: 'GET', path: ORDER, dataElements: ['buyerInfo', 'buyerTaxInformation'] };
    const error = await failureOf(buy({ method: 'GET', path: `${ORDER}/address` }, masked));
    const path = 'body.restrictedResources.1.dataElements';
    expect(error).toHaveProperty('problems', [
      { path, message: 'must not hold buyerInfo: all that it stands for is masked' },
      { path, message: 'must not hold buyerTaxInformation: all that it stands for is masked' },
    ]);
  });

  it.each([
    { method: 'GET', path: `${ORDER}/address` },
    { method: 'GET', path: ORDER, dataElements: ['shippingAddress'] },
    { method: 'GET', path: `${ORDER}/orderItems`, dataElements: ['buyerInfo'] },
    { method: 'GET', path: '/reports/2021-06-30/documents/amzn1.report' },
  ])('buys a token for %j', async (resource) => {
    await start('mask');
    await buy(resource);
    expect(setup.calls().map(({ path }) => path)).toEqual([PURCHASE]);
  });

  it('buys one for an address, of which town and country stay', async () => {
    await start('mask');
    const operation = find('orders/getOrderAddress');
    await setup.client.call({ operation, parameters: { orderId: '1' }, account: 'default' });
    expect(setup.calls().map(({ path }) => path)).toEqual([PURCHASE, '/orders/v0/orders/1/address']);
  });
});

describe('switched to show', () => {
  it('buys and reads all of it', async () => {
    await start('show');
    await readBuyer();
    await buy({ method: 'GET', path: ORDER, dataElements: ['buyerInfo'] });
    expect(setup.calls().map(({ path }) => path)).toEqual([PURCHASE, `${ORDER}/buyerInfo`, PURCHASE]);
  });
});

describe('the reviewed facts', () => {
  const keys = Object.entries(reviewed).flatMap(([id, { token, personalData: elements }]) => {
    if (token === 'restricted' || elements?.length === 0) return [id];
    return (elements ?? []).map((element) => `${id}#${element}`);
  });
  const masked = maskedOnly.map(({ operation, element }) =>
    element === undefined ? operation : `${operation}#${element}`,
  );

  test.each(keys)('%s is masked as a whole, or adds something that is not', (key) => {
    expect(masked.includes(key)).toBe(!(key in unmaskedAnswers));
  });

  test('name nothing that takes no such token', () => {
    expect([...masked, ...Object.keys(unmaskedAnswers)].sort()).toEqual([...keys].sort());
  });

  test.each(maskedOnly)('$operation is read at $path', ({ operation, path }) => {
    expect(find(operation)).toMatchObject({ method: 'GET', path });
  });
});
