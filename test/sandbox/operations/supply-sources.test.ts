import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { type CallSpec, call, type Reply, SHOP, SUPPLY_SOURCES, start, tokens } from '../helpers.ts';

const recordSchema = z.record(z.string(), z.unknown());

interface Session {
  sandbox: Sandbox;
  send(path: string, spec?: CallSpec): Promise<Reply>;
}

async function open(): Promise<Session> {
  const sandbox = await start({ rateLimits: false });
  const { access: token } = await tokens(sandbox);
  return { sandbox, send: (path, spec) => call(sandbox, SUPPLY_SOURCES + path, { token, ...spec }) };
}

const put = (body: unknown): CallSpec => ({ method: 'PUT', body });

describe('reading', () => {
  it('lists them, page by page', async () => {
    const { send } = await open();
    const all = await send('');
    expect(all.body).toMatchObject({ supplySources: { length: 3, 0: { supplySourceId: SHOP } } });
    expect(all.body).not.toHaveProperty('nextPageToken');
    const first = await send('?pageSize=2');
    expect(first.body).toMatchObject({ supplySources: { length: 2 }, nextPageToken: '2' });
    expect((await send('?pageSize=2&nextPageToken=2')).body).toMatchObject({ supplySources: { length: 1 } });
    expect((await send('?pageSize=many')).status).toBe(400);
  });

  it('shows one with what can only be read and what the document does not know', async () => {
    const { send } = await open();
    expect((await send(`/${SHOP}`)).body).toMatchObject({
      supplySourceId: SHOP,
      supplySourceCode: 'shop-pike-01',
      status: 'Active',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      configuration: {
        operationalConfiguration: {
          operatingHoursByDay: { sunday: [{ startTime: '11:00', endTime: '16:00' }] },
        },
      },
      capabilities: { outbound: { giftWrapping: { isSupported: true } } },
    });
    expect((await send('/nobody')).body).toMatchObject([{ code: 'ResourceNotFound' }]);
  });
});

describe('writing', () => {
  it('replaces what can be written, whole, and remembers it', async () => {
    const { sandbox, send } = await open();
    const before = recordSchema.parse((await send(`/${SHOP}`)).body);
    const body = { alias: 'Pike', configuration: { timezone: 'UTC' }, loyalty: { tier: 3 } };
    const reply = await send(`/${SHOP}`, put(body));
    expect([reply.status, reply.body]).toEqual([204, undefined]);
    const after = recordSchema.parse((await send(`/${SHOP}`)).body);
    expect(after).toMatchObject(body);
    expect(after).not.toHaveProperty('capabilities');
    expect([after.supplySourceId, after.createdAt]).toEqual([before.supplySourceId, before.createdAt]);
    expect(after.updatedAt).not.toBe(before.updatedAt);
    expect(sandbox.written(SHOP)).toEqual(body);
    expect(sandbox.written('nobody')).toBeUndefined();
  });

  it('takes back what it showed, without what can only be read', async () => {
    const { send } = await open();
    const shown = recordSchema.parse((await send(`/${SHOP}`)).body);
    const { supplySourceId, supplySourceCode, status, createdAt, updatedAt, ...writable } = shown;
    expect((await send(`/${SHOP}`, put(writable))).status).toBe(204);
    const after = recordSchema.parse((await send(`/${SHOP}`)).body);
    expect({ ...after, updatedAt }).toEqual(shown);
    const refused = await send(`/${SHOP}`, put(shown));
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ length: 5, 0: { message: 'supplySourceId: can only be read.' } });
  });

  it('answers an array of errors, one for each wrong type, and keeps nothing', async () => {
    const { sandbox, send } = await open();
    const body = {
      alias: 7,
      configuration: { timezone: ['UTC'] },
      capabilities: {
        outbound: {
          isSupported: 'yes',
          pickupChannel: {
            inventoryHoldPeriod: { value: '48' },
            inStorePickupConfiguration: { parkingConfiguration: { numberOfParkingSpots: 1.5 } },
          },
          operationalConfiguration: { operatingHoursByDay: { monday: [{ startTime: 9 }] } },
        },
      },
    };
    const reply = await send(`/${SHOP}`, put(body));
    expect(reply.status).toBe(400);
    const errors = z
      .array(z.object({ code: z.string(), message: z.string(), details: z.string() }))
      .parse(reply.body);
    expect(errors.map(({ message }) => message.split(':')[0]).toSorted()).toEqual([
      'alias',
      'capabilities.outbound.isSupported',
      'capabilities.outbound.operationalConfiguration.operatingHoursByDay.monday.0.startTime',
      'capabilities.outbound.pickupChannel.inStorePickupConfiguration.parkingConfiguration.numberOfParkingSpots',
      'capabilities.outbound.pickupChannel.inventoryHoldPeriod.value',
      'configuration.timezone',
    ]);
    expect(sandbox.written(SHOP)).toBeUndefined();
    expect((await send(`/${SHOP}`)).body).toMatchObject({ alias: 'Pike Street shop' });
  });

  it.each([
    ['an empty id', '/', put({ alias: 'x' }), 404],
    ['an unknown id', '/nobody', put({ alias: 'x' }), 404],
    ['an array', `/${SHOP}`, put([]), 400],
    ['no body', `/${SHOP}`, { method: 'PUT', headers: { 'content-type': 'application/json' } }, 400],
    ['half a body', `/${SHOP}`, { method: 'PUT', text: '{"alias":' }, 400],
    ['100,000 nested arrays', `/${SHOP}`, { method: 'PUT', text: '['.repeat(100_000) }, 400],
    ['plain text', `/${SHOP}`, { ...put({ alias: 'x' }), headers: { 'content-type': 'text/plain' } }, 415],
    ['1 MB and more', `/${SHOP}`, put({ alias: 'x'.repeat(1_048_577) }), 413],
  ])('refuses %s with an array of errors', async (_what, path, spec, status) => {
    const { send } = await open();
    const reply = await send(path, spec);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject([{ code: expect.any(String), message: expect.any(String) }]);
  });

  it('creates, switches and archives', async () => {
    const { send } = await open();
    const address = { name: 'Depot', addressLine1: '1 Dock Road', stateOrRegion: 'WA', countryCode: 'US' };
    const body = { supplySourceCode: 'depot-03', alias: 'Depot', address };
    const created = await send('', { method: 'POST', body });
    const { supplySourceId } = z.looseObject({ supplySourceId: z.string() }).parse(Object(created.body));
    expect((await send('', { method: 'POST', body })).status).toBe(400);
    expect((await send(`/${supplySourceId}/status`, put({ status: 'Active' }))).status).toBe(204);
    expect((await send(`/${supplySourceId}/status`, put({ status: 'Archived' }))).status).toBe(400);
    expect((await send(`/${supplySourceId}`)).body).toMatchObject({ ...body, status: 'Active' });
    expect((await send(`/${supplySourceId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await send(`/${supplySourceId}`)).body).toMatchObject({ status: 'Archived' });
    expect((await send('')).body).toMatchObject({ supplySources: { length: 3 } });
  });
});
