/** A whole session over the spawned program, the same for every SDK client at both protocol eras. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { CLIENT_KINDS, connect, type Session } from '../helpers/sessions.ts';

describe.each(CLIENT_KINDS)('%s', (kind) => {
  let outside: Outside;
  let session: Session;
  beforeAll(async () => {
    outside = await startOutside();
    session = await connect({ spawn: kind === 'sdk-v2-modern', kind, args: outside.args, env: outside.env });
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });

  it('lists its tools in a stable order and tells how to work', async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_LIST.map(({ name }) => name));
    const again = await session.client.listTools();
    expect(again.tools).toEqual(tools);
    expect(session.client.getInstructions()).toContain('dryRun');
  });

  it('finds and describes operations without any call to the service', async () => {
    const found = await session.call('list_known_operations', { search: 'listings item', method: 'GET' });
    expect(found).toMatchObject({ isError: false, structured: { kind: 'operations' } });
    expect(found.text).toContain('listings-items/getListingsItem');
    const described = await session.call('describe_operation', { operation: 'getListingsItem' });
    expect(described.structured).toMatchObject({ method: 'GET', effect: 'read', tool: 'read_operation' });
    expect(described.text).toContain('includedData');
    expect(outside.sandbox.stats()).toMatchObject({ exchanges: 0, calls: 0 });
  });

  it('explains the issues of a listing, by ASIN and by SKU', async () => {
    const item = await session.call('get_catalog_item', { asin: 'B0SBX00002' });
    expect(item.isError).toBe(false);
    expect(item.text).toMatch(
      /4 issues: 1 suppresses the listing in the United States, not exempt; 1 .*exempt until/,
    );
    expect(item.text.indexOf('18027')).toBeLessThan(item.text.indexOf('100339'));
    expect(item.structured).toMatchObject({ payload: { sku: 'LAMP-OAK-E27' }, account: 'default' });
    const listing = await session.call('read_operation', {
      operation: 'getListingsItem',
      parameters: { sku: 'LAMP-OAK-E27', includedData: ['summaries', 'issues'] },
    });
    expect(listing.text).toContain('4 issues: 1 suppresses the listing in the United States');
    expect(listing.structured).toMatchObject({
      status: 200,
      filled_in: { sellerId: outside.sandbox.sellerId, marketplaceIds: outside.sandbox.marketplaceId },
    });
  });

  it('leaves 150 KB of attributes out and gives them when selected', async () => {
    const whole = await session.call('get_catalog_item', { asin: 'B0SBX00004' });
    expect(whole.structured).toMatchObject({ omitted: [{ select: ['payload.attributes'] }] });
    expect(whole.links).toHaveLength(1);
    const part = await session.call('get_catalog_item', {
      asin: 'B0SBX00004',
      select: ['attributes.safety_note_005'],
    });
    expect(part.structured).toMatchObject({
      payload: { attributes: { safety_note_005: expect.anything() } },
    });
    for (const { text, structured } of [whole, part]) {
      expect(Buffer.byteLength(text) / 3).toBeLessThan(10_000);
      expect(Buffer.byteLength(JSON.stringify(structured)) / 3).toBeLessThan(10_000);
    }
  });

  it('exchanges the token on demand and shows none of it', async () => {
    const { text, structured } = await session.call('exchange_token');
    expect(structured).toMatchObject({ token_type: 'bearer', expires_in: 3600, refresh_token_rotated: true });
    expect(structured.access_token).toMatch(/^Atza\|…\(\d+ characters\)$/);
    expect(text).not.toContain('Atz');
  });

  it('previews an edit, makes it with the code, reads it back and keeps it in the journal', async () => {
    const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };
    const preview = await session.call('update_supply_source', { ...edit, dryRun: true });
    expect(preview.text).toContain('opening hours: Sundays 11:00-16:00 -> closed. Nothing else changes.');
    expect(preview.structured).toMatchObject({ outcome: 'preview', differences: [{ kind: 'changed' }] });
    const question = await session.call('update_supply_source', edit);
    expect(question.structured).toMatchObject({ outcome: 'needs_confirmation' });
    expect(outside.sandbox.written(SHOP)).toBeUndefined();

    const code = question.structured.confirmation_code;
    const done = await session.call('update_supply_source', { ...edit, confirmationCode: code });
    expect(done.structured).toMatchObject({ outcome: 'done', status: 204, read_back: { matches: true } });
    expect(outside.sandbox.written(SHOP)).toMatchObject({
      ...CLOSE_ON_SUNDAYS,
      capabilities: { outbound: { giftWrapping: { styles: ['kraft', 'linen'] } } },
    });
    const [entry] = await outside.journal();
    expect(entry).toMatchObject({ id: done.structured.journal_id, outcome: 'done', status: 204 });
  });

  it('writes by operation name as well', async () => {
    const write = {
      operation: 'updateSupplySourceStatus',
      parameters: { supplySourceId: SHOP },
      body: { status: 'Inactive' },
    };
    const { structured } = await session.call('write_operation', write);
    const confirmationCode = structured.confirmation_code;
    const done = await session.call('write_operation', { ...write, confirmationCode });
    expect(done).toMatchObject({ isError: false, structured: { outcome: 'done', status: 204 } });
    const read = await session.call('read_operation', {
      operation: 'getSupplySource',
      parameters: { supplySourceId: SHOP },
      select: ['status'],
    });
    expect(read.structured).toMatchObject({ value: { status: 'Inactive' } });
  });

  it('says nothing on stderr but that the rotated token of the environment is to be updated', () => {
    expect(session.stderr().trim().split('\n')).toEqual([expect.stringContaining('SELLER_REFRESH_TOKEN')]);
  });
});
