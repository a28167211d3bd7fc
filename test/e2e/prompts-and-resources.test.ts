/** Prompts, completions and resources over the spawned program, for every SDK client. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeEnvironment, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { CLIENT_KINDS, connect, type Session } from '../helpers/sessions.ts';

describe.each(CLIENT_KINDS)('%s', (kind) => {
  let outside: Outside;
  let session: Session;
  beforeAll(async () => {
    outside = await startOutside();
    session = await connect({ kind, args: outside.args, env: outside.env });
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });

  const read = async (uri: string) => {
    const { contents } = await session.client.readResource({ uri });
    const [first] = contents;
    return first !== undefined && 'text' in first ? first.text : '';
  };
  const complete = async (prompt: string, name: string, value: string) => {
    const ref = { type: 'ref/prompt' as const, name: prompt };
    return (await session.client.complete({ ref, argument: { name, value } })).completion.values;
  };

  it('lists three prompts, each saying what the person gives', async () => {
    const { prompts } = await session.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'explain_listing_issues',
      'edit_supply_source',
      'find_operation',
    ]);
    for (const { title, description, arguments: args = [] } of prompts) {
      expect(title).toMatch(/\w/);
      expect(description).toMatch(/\w/);
      expect(args.length).toBeGreaterThan(0);
    }
  });

  it('puts what was given into the words of a prompt', async () => {
    const { messages } = await session.client.getPrompt({
      name: 'edit_supply_source',
      arguments: { change: 'close on Sundays', supplySourceId: SHOP },
    });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).toMatch(/close on Sundays.*dryRun true/);
    expect(JSON.stringify(messages)).toContain(SHOP);
  });

  it('completes marketplaces, accounts, and supply sources once they were seen', async () => {
    expect(await complete('explain_listing_issues', 'marketplace', 'u')).toEqual(
      expect.arrayContaining(['United States', 'Australia']),
    );
    expect(await complete('edit_supply_source', 'account', '')).toEqual(['default']);
    expect(await complete('edit_supply_source', 'supplySourceId', '')).toEqual([]);
    await session.call('read_operation', { operation: 'getSupplySources' });
    expect(await complete('edit_supply_source', 'supplySourceId', SHOP.slice(0, 4))).toEqual([SHOP]);
  });

  it('reads the operations, one description, and the decisions', async () => {
    expect(await read('seller://operations')).toContain('supply-sources:');
    expect(await read('seller://operations/listings-items/getListingsItem')).toContain('includedData');
    expect(await read('seller://decisions')).toContain('|');
  });

  it('reads all report types and one, and completes their names', async () => {
    const { resources } = await session.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('seller://report-types');
    const all = await read('seller://report-types');
    expect(all).toContain('GET_MERCHANT_LISTINGS_ALL_DATA: all listings');
    expect(all.match(/^ {2}[A-Z_0-9]+: /gm)?.length).toBeGreaterThanOrEqual(60);
    expect(await read('seller://report-types/GET_SALES_AND_TRAFFIC_REPORT')).toContain(
      'asinGranularity?: PARENT, CHILD or SKU',
    );
    const ref = { type: 'ref/resource' as const, uri: 'seller://report-types/{type}' };
    const { completion } = await session.client.complete({
      ref,
      argument: { name: 'type', value: 'sales_and' },
    });
    expect(completion.values).toEqual(['GET_SALES_AND_TRAFFIC_REPORT']);
  });

  it('reads a listing with its issues explained', async () => {
    expect(await read('seller://items/LAMP-OAK-E27')).toContain(
      '4 issues: 1 suppresses the listing in the United States',
    );
  });

  it('reads the full answer behind a link, whole', async () => {
    const { links } = await session.call('get_catalog_item', { asin: 'B0SBX00004' });
    const [uri = ''] = links;
    const whole: unknown = JSON.parse(await read(uri));
    expect(Object.keys(Object(whole).payload.attributes)).toHaveLength(382);
    const { resources } = await session.client.listResources();
    expect(resources.map((resource) => resource.uri)).toEqual(
      expect.arrayContaining(['seller://operations', uri]),
    );
  });

  it.each([
    ['seller://answers/000000000000', /no longer kept|not found/i],
    ['seller://operations/getShipment', /names 3 operations|getShipment/],
    ['seller://items/NO-SUCH-SKU', /NOT_FOUND/],
    ['seller://items/..%2F..%2Forders', /dot segment/],
    ['seller://report-types/GET_SALES_TRAFFIC', /not known here.*GET_SALES_AND_TRAFFIC_REPORT/s],
    ['seller://nothing/here', /not found|nothing/i],
    ['file:///etc/passwd', /not found|passwd/i],
  ])('refuses %s with the reason', async (uri, reason) => {
    await expect(read(uri)).rejects.toThrow(reason);
  });
});

it('completes and lists without credentials or keychain', async () => {
  const server = startRawServer([], homeEnvironment('/nonexistent'));
  try {
    await server.initialize();
    const ref = { type: 'ref/prompt', name: 'edit_supply_source' };
    const argument = { name: 'account', value: '' };
    expect(await server.request('completion/complete', { ref, argument })).toMatchObject({
      result: { completion: { values: [] } },
    });
    expect(await server.request('resources/list')).toMatchObject({ result: { resources: { length: 3 } } });
    expect(await server.request('resources/templates/list')).toMatchObject({
      result: { resourceTemplates: { length: 5 } },
    });
  } finally {
    await server.stop();
  }
});
