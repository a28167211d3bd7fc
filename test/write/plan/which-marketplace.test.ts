/** An account without a default marketplace: each tool that needs one names those where it sells, and its own argument for them. */

import { afterEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../../src/protocol/define-tool.ts';
import { changeListings } from '../../../tools/change-listings.ts';
import { collectData } from '../../../tools/collect-data.ts';
import { getCatalogItem } from '../../../tools/get-catalog-item.ts';
import { readOperation } from '../../../tools/read-operation.ts';
import { reviewListings } from '../../../tools/review-listings.ts';
import { writeOperation } from '../../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../../helpers/tool-runner.ts';
import { participationsIn } from '../../program/commands/identity-provider.ts';

const [US, CA] = ['ATVPDKIKX0DER', 'A2EUQ1WTGCTBG2'];
const PARTICIPATIONS = '/sellers/v1/marketplaceParticipations';

let runner: ToolRunner;
afterEach(() => runner.close());

const start = (own: readonly string[] | undefined) =>
  startToolRunner(
    ({ path }) =>
      path === PARTICIPATIONS && own !== undefined
        ? { body: participationsIn(...own) }
        : { status: 403, body: { errors: [{ code: 'Unauthorized' }] } },
    { SELLER_MARKETPLACE_ID: '' },
  );

const CALLS: readonly (readonly [Tool, Record<string, unknown>, argument: string])[] = [
  [reviewListings, {}, 'marketplaces: ["US"]'],
  [changeListings, { items: [{ sku: 'A', set: { price: 3 } }], dryRun: true }, 'marketplace: "US"'],
  [getCatalogItem, { asin: 'B1' }, 'MarketplaceId: "US"'],
  [readOperation, { operation: 'searchListingsItems' }, 'parameters: {"marketplaceIds": ["US"]}'],
  [collectData, { operation: 'searchListingsItems' }, 'parameters: {"marketplaceIds": ["US"]}'],
  [collectData, { report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA' } }, 'report: {"marketplaces": ["US"]}'],
  [
    writeOperation,
    { operation: 'deleteListingsItem', parameters: { sku: 'A' }, dryRun: true },
    'parameters: {"marketplaceIds": ["US"]}',
  ],
  [
    writeOperation,
    { operation: 'createReport', body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' }, dryRun: true },
    'body: {"marketplaceIds": ["US"]}',
  ],
];

describe.each(CALLS)('$name', (tool, args, argument) => {
  it(`names where the account sells, and takes ${argument}`, async () => {
    runner = await start([US, CA]);
    await expect(runner.run(tool, args)).rejects.toMatchObject({
      message: expect.stringContaining('Account default sells in United States (US) and Canada (CA).'),
      hint: expect.stringContaining(argument),
    });
    expect(runner.calls().map(({ path }) => path)).toEqual([PARTICIPATIONS]);
    // The choice is taken as it was spelled.
    const [, name = '', value = ''] = /^(\w+): (.*)$/s.exec(argument) ?? [];
    const chosen: unknown = JSON.parse(value);
    const merged =
      chosen instanceof Object && !Array.isArray(chosen) ? { ...Object(args[name]), ...chosen } : chosen;
    const outcome: unknown = await runner
      .run(tool, { ...args, [name]: merged })
      .catch((error: unknown) => error);
    const { problems = [] }: { problems?: readonly { message: string }[] } = Object(outcome);
    expect(problems.filter(({ message }) => message.startsWith('is required'))).toEqual([]);
  });
});

it('what else is wrong is told too, and a service that does not tell is no second failure', async () => {
  runner = await start([US]);
  const wrong = { operation: 'getOrderMetrics', parameters: { interval: '2026-11-01--2026-11-02' } };
  await expect(runner.run(readOperation, wrong)).rejects.toMatchObject({
    message: expect.stringContaining('granularity'),
    hint: expect.stringContaining(
      'sells in United States (US). Name it: parameters: {"marketplaceIds": ["US"]}',
    ),
  });
  await runner.close();
  runner = await start(undefined);
  await expect(runner.run(reviewListings, {})).rejects.toMatchObject({
    message: expect.stringContaining('Account default has no marketplace of its own.'),
    hint: expect.stringContaining('marketplaces: ["DE"]'),
  });
});
