/** Tests that a placeholder's value is sent only where the user sees it first: the client of other calls sends none. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePlaceholders } from '../../../src/write/plan/resolve-arguments.ts';
import { withholdPlaceholders } from '../../../src/write/plan/withhold-placeholders.ts';
import type { ToolContext } from '../../../src/write/session.ts';
import { nobody, startToolRunner, type ToolRunner, toolContext } from '../../helpers/tool-runner.ts';

const NAME = 'Anna Schmidt';
const NUMBER = 4_930_123_456;
let runner: ToolRunner;
beforeEach(async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'ask' });
});
afterEach(() => runner.close());

/** Marks of a name and of a number. */
async function marks(): Promise<string[]> {
  const personal = await runner.session.personal();
  const source = { operation: 'orders/getOrders' };
  const value = personal.maskAnswer('default', source, { BuyerName: NAME, BuyerPhone: NUMBER });
  return Object.values(Object(value)).map(String);
}

async function send(ctx: ToolContext, value: unknown) {
  const operation = (await runner.session.program.registry()).find('listings-items/patchListingsItem');
  const client = await ctx.session.client();
  const parameters = { sku: 'S1', marketplaceIds: ['ATVPDKIKX0DER'] };
  const patches = [{ op: 'replace', path: '/attributes/x', value: [value] }];
  return client.call({ operation, account: 'default', parameters, body: { productType: 'LAMP', patches } });
}

const asking = { ...nobody, canConfirm: true };
const FORMS: readonly [string, (value: unknown) => unknown][] = [
  ['as it is', (value) => ({ x: value })],
  ['within a text', (value) => ({ x: `for ${value}, please` })],
  ['in a list', (value) => ({ x: [[value]] })],
  ['as the name of a member', (value) => ({ x: { [String(value)]: 1 } })],
];

describe.each(FORMS)('%s', (_what, formOf) => {
  it.each([
    ['of a call that nobody is asked about', asking, { asksNobody: true }, false],
    ['where nobody can be asked', { ...nobody, isHere: false }, {}, false],
    ['that is only shown', asking, {}, true],
  ])('%s, nothing of it is sent', async (_case, person, options, isPreview) => {
    const ctx = withholdPlaceholders({ ...toolContext(runner.session), person }, isPreview);
    const resolved = await resolvePlaceholders(await marks(), 'default', ctx, options);
    expect(resolved.value).toEqual([NAME, NUMBER]);
    for (const value of [NAME, NUMBER])
      await expect(send(ctx, formOf(value))).rejects.toThrow('nobody is asked about it; nothing was sent');
    expect(runner.calls()).toEqual([]);
    // Whatever holds none of it goes.
    await send(ctx, formOf('Shop'));
    expect(runner.calls()).toHaveLength(1);
  });

  it('where the person is asked, it is sent', async () => {
    const ctx = withholdPlaceholders({ ...toolContext(runner.session), person: asking }, false);
    await resolvePlaceholders(await marks(), 'default', ctx);
    await send(ctx, formOf(NAME));
    expect(runner.calls()).toHaveLength(1);
  });
});
