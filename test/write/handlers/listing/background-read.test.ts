/** Listings that are read for a call, which others may join: only who asks for the same in the same place. */

import { expect, it, onTestFinished } from 'vitest';
import { startOrJoinListingsRead } from '../../../../src/write/handlers/listing/background-read.ts';
import { findListingsScope } from '../../../../src/write/handlers/listing/listings-scope.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

const PLACES = ['A1PA6795UKMFR9', 'A13V1IB3VIYZZH'];

it('the same SKUs of two marketplaces, read at once, are each those of their own', async () => {
  const runner = await startToolRunner(({ path }) => {
    const { searchParams } = new URL(path, 'http://service');
    const marketplaceId = searchParams.get('marketplaceIds');
    const skus = searchParams.get('identifiers')?.split(',') ?? [];
    const items = skus.map((sku) => ({ sku, summaries: [{ marketplaceId }] }));
    return { body: { numberOfResults: items.length, items } };
  });
  onTestFinished(runner.close);
  const ctx = toolContext(runner.session);
  const asked = { skus: ['S-1', 'S-2'], attributes: new Set<string>() };
  const marketplaces = await Promise.all(
    PLACES.map((id) => findListingsScope('default', id, runner.session)),
  );
  const found = await Promise.all(marketplaces.map((place) => startOrJoinListingsRead(asked, place, ctx)));
  for (const [at, marketplaceId] of PLACES.entries())
    expect(found[at]?.get('S-1')?.item).toMatchObject({ summaries: [{ marketplaceId }] });
});
