import { expect, it } from 'vitest';
import { call, start, tokens, US } from '../helpers.ts';

const path = (sandbox: { sellerId: string }, more = '') =>
  `/listings/2021-08-01/items/${sandbox.sellerId}/MUG-SAND-350?marketplaceIds=${US}${more}`;
const price = (amount: number) => ({
  productType: 'DRINKING_CUP',
  patches: [
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [
        { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: amount }] }], marketplace_id: US },
      ],
    },
  ],
});

it('a patch is accepted and shows; INVALID with a 200 changes nothing; a preview neither', async () => {
  const sandbox = await start({ rateLimits: false });
  const { access: token } = await tokens(sandbox);
  const send = (body: object, more = '') =>
    call(sandbox, path(sandbox, more), { token, method: 'PATCH', body });
  const offers = async () => (await call(sandbox, path(sandbox, '&includedData=offers'), { token })).body;
  expect(await send(price(-1))).toMatchObject({
    status: 200,
    body: { status: 'INVALID', issues: [{ code: '18299' }] },
  });
  expect(await send(price(12), '&mode=VALIDATION_PREVIEW')).toMatchObject({ body: { status: 'VALID' } });
  expect(await offers()).toMatchObject({ offers: [{ price: { amount: '18.90' } }] });
  expect(await send(price(12))).toMatchObject({ body: { status: 'ACCEPTED', issues: [] } });
  expect(await offers()).toMatchObject({ offers: [{ price: { amount: '12.00' } }] });
});

it('what was accepted shows after the stated number of reads', async () => {
  const sandbox = await start({ rateLimits: false, readsUntilVisible: 2 });
  const { access: token } = await tokens(sandbox);
  await call(sandbox, path(sandbox), { token, method: 'DELETE' });
  const statuses = [];
  for (let read = 0; read < 3; read += 1)
    statuses.push((await call(sandbox, path(sandbox), { token })).status);
  expect(statuses).toEqual([200, 200, 404]);
});

it('a channel that a patch does not name stays until it is deleted', async () => {
  const sandbox = await start({ rateLimits: false });
  const { access: token } = await tokens(sandbox);
  const attribute = 'fulfillment_availability';
  const patch = (op: string, value: object[]) =>
    call(sandbox, path(sandbox), {
      token,
      method: 'PATCH',
      body: { productType: 'DRINKING_CUP', patches: [{ op, path: `/${attribute}`, value }] },
    });
  const stock = async () => {
    const { body } = await call(sandbox, path(sandbox, '&includedData=attributes'), { token });
    return Object(body).attributes[attribute];
  };
  const before = await stock();
  const selectors = { fulfillment_channel_code: 'DEFAULT', marketplace_id: US };
  const added = { ...selectors, quantity: 4 };
  expect(before).not.toEqual([]);
  await patch('replace', [added]);
  expect(new Set(await stock())).toEqual(new Set([added, ...before]));
  await patch('delete', [selectors]);
  expect(await stock()).toEqual(before);
});

it('a write settles what it is about, where it does, and gives back the status that was taken', async () => {
  const sandbox = await start({ rateLimits: false });
  const { access: token } = await tokens(sandbox);
  const at = path(sandbox, '&includedData=issues,summaries').replace('MUG-SAND-350', 'RACK-BLU-S');
  const seen = async (value: string) => {
    const patch = { op: 'replace', path: '/item_name', value: [{ value, marketplace_id: US }] };
    const patches = [patch];
    await call(sandbox, at, { token, method: 'PATCH', body: { productType: 'PRODUCT', patches } });
    return (await call(sandbox, at, { token })).body;
  };
  expect(await seen('Rack rack, still a rack')).toMatchObject({ issues: [{ code: '99300' }] });
  const status = expect.arrayContaining(['DISCOVERABLE']);
  expect(await seen('Coat rack')).toMatchObject({ issues: [], summaries: [{ status }] });
});
