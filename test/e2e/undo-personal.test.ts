/**
 * Tests that personal values are stored sealed with a real keychain, can be undone, and stay sealed if the
 * key is gone.
 */

import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeWithKeychain } from '../helpers/keychain.ts';
import { directStore } from '../helpers/keychain-stores.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { patchDirectly } from '../helpers/patch-directly.ts';
import { connect, type Session } from '../helpers/sessions.ts';

const CONTACT = {
  configuration: {
    operationalConfiguration: {
      contactDetails: { primary: { email: 'new@shop.example', phone: '+1 206 555 0199' } },
    },
  },
};
describeWithKeychain('undo_change with a keychain', () => {
  let outside: Outside;
  const sessions: Session[] = [];
  beforeEach(async () => {
    outside = await startOutside();
  });
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.close()));
    await outside.close();
  });

  const questions: string[] = [];
  async function chat(): Promise<Session> {
    const session = await connect({
      args: outside.args,
      env: { ...outside.env, DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? '' },
      elicit: async ({ message }) => {
        questions.push(message);
        return { action: 'accept' };
      },
    });
    sessions.push(session);
    return session;
  }
  const change = (session: Session) =>
    session.call('update_supply_source', { supplySourceId: SHOP, changes: CONTACT });
  const written = () => Object(outside.sandbox.written(SHOP));
  const contact = (body: object) => Object(body).configuration.operationalConfiguration.contactDetails;

  async function onDisk(): Promise<string> {
    const names = await readdir(join(outside.folder, 'state'), { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile());
    return (await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'utf8')))).join(
      '\n',
    );
  }
  const keyId = async () => (await readFile(join(outside.folder, 'state', 'sealing-key'), 'utf8')).trim();

  it('takes back what is personal, which lies on the disk sealed alone', async () => {
    const first = await chat();
    const preview = { supplySourceId: SHOP, changes: CONTACT, dryRun: true };
    const { structured } = await first.call('update_supply_source', preview);
    expect(structured).not.toHaveProperty('cannot_undo');
    const done = await change(first);
    expect(questions.at(-1)).toContain('shop.pike@sandbox-home.example');
    await first.close();
    const disk = await onDisk();
    for (const value of ['shop.example', '0199', 'sandbox-home']) expect(disk).not.toContain(value);
    const key = await directStore().readKey(await keyId());
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
    expect(disk).not.toContain(key);
    const second = await chat();
    expect(contact(written())).toMatchObject({ primary: { email: 'new@shop.example' } });
    const undone = await second.call('undo_change', { id: String(done.structured.journal_id) });
    expect(undone.structured.outcome).toBe('done');
    expect(contact(written())).toMatchObject({ primary: { email: 'shop.pike@sandbox-home.example' } });
  });

  it('hides what a mark stood for wherever it is taken back and made again, in another chat too', async () => {
    const first = await chat();
    const read = await first.call('read_operation', {
      operation: 'outbound-fulfilment/listAllFulfillmentOrders',
    });
    const [mark = ''] = /«[a-z ]*name [0-9a-z]{8}»/.exec(JSON.stringify(read.structured)) ?? [];
    expect(mark).not.toBe('');
    const done = await first.call('update_supply_source', { supplySourceId: SHOP, alias: `For ${mark}` });
    const name = String(written().alias).slice('For '.length);
    expect(name.length).toBeGreaterThan(3);
    const undone = await first.call('undo_change', { id: String(done.structured.journal_id) });
    expect(undone.structured.outcome, undone.text).toBe('done');
    await first.close();
    const second = await chat();
    const listed = await second.call('undo_change');
    const redone = await second.call('undo_change', { id: String(undone.structured.journal_id) });
    expect(redone.structured.outcome, redone.text).toBe('done');
    expect(written().alias).toBe(`For ${name}`);
    expect(questions.at(-1)).toContain(name);
    const changes = await second.call('query_data', {
      sql: 'SELECT *, local_time, what, id, parameters, body, differences FROM changes',
    });
    for (const { text, structured } of [done, undone, listed, redone, changes]) {
      expect(text).not.toContain(name);
      expect(JSON.stringify(structured)).not.toContain(name);
    }
    expect(await onDisk()).not.toContain(name);
  });

  it('puts back what only looks like a mark as it was', async () => {
    const title = (value: string) => ({
      productType: 'DRINKING_CUP',
      patches: [
        {
          op: 'replace',
          path: '/attributes/item_name',
          value: [{ value, language_tag: 'en_US', marketplace_id: 'ATVPDKIKX0DER' }],
        },
      ],
    });
    const odd = 'Mug «buyer name 3f2ak9xq»';
    await patchDirectly(outside.sandbox, 'MUG-SAND-350', title(odd));
    const session = await chat();
    const done = await session.call('write_operation', {
      operation: 'patchListingsItem',
      parameters: { sku: 'MUG-SAND-350', marketplaceIds: ['US'] },
      body: title('Our mug'),
    });
    const undone = await session.call('undo_change', { id: String(done.structured.journal_id) });
    expect(undone.structured.outcome, undone.text).toBe('done');
    expect(outside.received('patchListingsItem').at(-1)?.body).toEqual(title(odd));
  });

  it('a store that was written whole has again what was left out, also what nobody has described', async () => {
    const session = await chat();
    const storeNow = async () => {
      const read = await session.call('read_operation', {
        operation: 'getSupplySource',
        parameters: { supplySourceId: SHOP },
      });
      return { ...Object(read.structured.value), updatedAt: undefined };
    };
    const before = await storeNow();
    const done = await session.call('update_supply_source', { supplySourceId: SHOP, alias: 'Alone' });
    expect(JSON.stringify(await storeNow())).not.toContain('giftWrapping');
    const undone = await session.call('undo_change', { id: String(done.structured.journal_id) });
    expect(undone.structured.outcome, undone.text).toBe('done');
    expect(JSON.stringify(before)).toContain('giftWrapping');
    expect(await storeNow()).toEqual(before);
  });

  it('says that nothing can be read where the key is another one now', async () => {
    const first = await chat();
    const done = await change(first);
    await directStore().writeKey(await keyId(), randomBytes(32).toString('base64'));
    const second = await chat();
    const refused = await second.call('undo_change', { id: String(done.structured.journal_id) });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('can no longer be read') });
  });
});
