import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, firstError, NOON, type Reply, type SignedIn, signIn, US } from '../helpers.ts';

const fileSchema = z.strictObject({ Contents: z.base64(), FileType: z.string(), Checksum: z.string() });
const boughtSchema = z.looseObject({
  payload: z.looseObject({ ShipmentId: z.string(), Label: z.looseObject({ FileContents: fileSchema }) }),
});
const slipSchema = z.looseObject({
  packageDocuments: z.array(z.strictObject({ type: z.string(), format: z.string(), contents: z.base64() })),
});
const itemsSchema = z.looseObject({
  payload: z.looseObject({ OrderItems: z.array(z.looseObject({ OrderItemId: z.string() })) }),
});
const ordersSchema = z.looseObject({
  payload: z.looseObject({ Orders: z.array(z.looseObject({ AmazonOrderId: z.string() })) }),
});

const FROM = {
  Name: 'The seller',
  AddressLine1: '1 Way',
  City: 'Seattle',
  PostalCode: '98101',
  CountryCode: 'US',
};
const MAGIC = { PDF: '%PDF-1.4\n', PNG: '\x89PNG\r\n\x1a\n', ZPL203: '^XA\n', ZPL300: '^XA\n' } as const;

async function restricted({ sandbox, token }: SignedIn, method: string, path: string, more = {}) {
  const bought = await call(sandbox, '/tokens/2021-03-01/restrictedDataToken', {
    method: 'POST',
    token,
    body: { restrictedResources: [{ method, path, ...more }] },
  });
  return z.looseObject({ restrictedDataToken: z.string() }).parse(bought.body).restrictedDataToken;
}

/** The newest orders that the seller has to ship. */
async function unshipped({ get }: SignedIn, statuses = 'Unshipped'): Promise<string> {
  const path = `/orders/v0/orders?MarketplaceIds=${US}&CreatedAfter=2026-11-01T00:00:00Z`;
  const { payload } = ordersSchema.parse(
    (await get(`${path}&OrderStatuses=${statuses}&FulfillmentChannels=MFN`)).body,
  );
  return payload.Orders.at(-1)?.AmazonOrderId ?? '';
}

async function buy(seller: SignedIn, LabelFormat: string, orderId: string): Promise<Reply> {
  const { payload } = itemsSchema.parse((await seller.get(`/orders/v0/orders/${orderId}/orderItems`)).body);
  const body = {
    ShippingServiceId: 'SBX-STANDARD',
    ShipmentRequestDetails: {
      AmazonOrderId: orderId,
      ItemList: payload.OrderItems.map(({ OrderItemId }) => ({ OrderItemId, Quantity: 1 })),
      ShipFromAddress: FROM,
      PackageDimensions: { Length: 5, Width: 5, Height: 5, Unit: 'inches' },
      Weight: { Value: 10, Unit: 'oz' },
      ShippingServiceOptions: { LabelFormat },
    },
  };
  const token = await restricted(seller, 'POST', '/mfn/v0/shipments');
  return call(seller.sandbox, '/mfn/v0/shipments', { method: 'POST', token, body });
}

describe('a label of merchant fulfilment', () => {
  it.each(['PDF', 'PNG', 'ZPL203', 'ZPL300'] as const)(
    'as %s is a real file, zipped in base64',
    async (format) => {
      const seller = await signIn();
      const orderId = await unshipped(seller);
      const { payload } = boughtSchema.parse((await buy(seller, format, orderId)).body);
      const { Contents, Checksum } = payload.Label.FileContents;
      const bytes = gunzipSync(Buffer.from(Contents, 'base64'));
      expect(bytes.toString('latin1').startsWith(MAGIC[format])).toBe(true);
      expect(createHash('md5').update(bytes).digest('base64')).toBe(Checksum);
      const path = `/mfn/v0/shipments/${payload.ShipmentId}`;
      expect((await seller.get(path)).status).toBe(403);
      const again = await call(seller.sandbox, path, { token: await restricted(seller, 'GET', path) });
      expect(again.body).toEqual({ payload });
      if (format === 'PDF') expect(bytes.toString('latin1')).toMatch(/startxref\n\d+\n%%EOF\n$/);
    },
  );

  it('is the same in two sandboxes, and shows where the parcel goes', async () => {
    const labels = [];
    for (const seller of [await signIn(), await signIn()]) {
      const { payload } = boughtSchema.parse((await buy(seller, 'ZPL203', await unshipped(seller))).body);
      labels.push(payload.Label.FileContents.Contents);
      const { Name } = z.looseObject({ Name: z.string() }).parse(payload.ShipToAddress);
      expect(gunzipSync(Buffer.from(labels[0] ?? '', 'base64')).toString()).toContain(`^FD${Name}^FS`);
    }
    expect(labels[0]).toBe(labels[1]);
  });

  it('can be cancelled, and is refused for what the seller does not ship, or for another format', async () => {
    const seller = await signIn();
    const orderId = await unshipped(seller);
    const { payload } = boughtSchema.parse((await buy(seller, 'PNG', orderId)).body);
    const path = `/mfn/v0/shipments/${payload.ShipmentId}`;
    const cancelled = await call(seller.sandbox, path, {
      method: 'DELETE',
      token: await restricted(seller, 'DELETE', path),
    });
    expect(cancelled.body).toMatchObject({ payload: { Status: 'RefundPending' } });
    expect(firstError(await buy(seller, 'GIF', orderId)).details).toContain('LabelFormat');
    expect((await buy(seller, 'PDF', '111-0000000-0000000').catch(() => undefined))?.status).not.toBe(200);
  });
});

describe('a shipment in one step', () => {
  it('has a label and a packing slip as plain base64, now and later', async () => {
    const seller = await signIn();
    const body = {
      packages: [{ packageClientReferenceId: 'box-1' }],
      channelDetails: { channelType: 'AMAZON', amazonOrderDetails: { orderId: await unshipped(seller) } },
      labelSpecifications: { format: 'PNG', requestedDocumentTypes: ['LABEL', 'PACKSLIP'] },
    };
    const { sandbox, token, get } = seller;
    const bought = await call(sandbox, '/shipping/v2/oneClickShipment', { method: 'POST', token, body });
    const { payload } = z
      .looseObject({
        payload: z.looseObject({ shipmentId: z.string(), packageDocumentDetails: z.array(slipSchema) }),
      })
      .parse(bought.body);
    const documents = payload.packageDocumentDetails[0]?.packageDocuments ?? [];
    expect(
      documents.map(({ contents }) => Buffer.from(contents, 'base64').toString('latin1').slice(0, 4)),
    ).toEqual(['\x89PNG', '%PDF']);
    const later = await get(
      `/shipping/v2/shipments/${payload.shipmentId}/documents?packageClientReferenceId=box-1`,
    );
    expect(later.body).toMatchObject({ payload: { packageDocumentDetail: { packageDocuments: documents } } });
  });
});

describe('an invoice', () => {
  const BASE = '/tax/invoices/2024-06-19';

  it('is a PDF behind an address that ends after a while and takes no token', async () => {
    const clock = { now: NOON };
    const seller = await signIn({ now: () => clock.now });
    const { invoices } = z
      .looseObject({ invoices: z.array(z.looseObject({ externalInvoiceId: z.string() })) })
      .parse((await seller.get(`${BASE}/invoices?marketplaceId=${US}&pageSize=2`)).body);
    expect(invoices).toHaveLength(2);
    const body = { marketplaceId: US, externalInvoiceId: invoices[0]?.externalInvoiceId };
    const { sandbox, token } = seller;
    const created = await call(sandbox, `${BASE}/exports`, { method: 'POST', token, body });
    const { exportId } = z.strictObject({ exportId: z.string() }).parse(created.body);
    const exported = await seller.get(`${BASE}/exports/${exportId}`);
    const { invoicesDocumentIds } = z
      .looseObject({ export: z.looseObject({ invoicesDocumentIds: z.array(z.string()).length(1) }) })
      .parse(exported.body).export;
    const document = await seller.get(`${BASE}/documents/${invoicesDocumentIds[0]}`);
    const { invoicesDocumentUrl } = z
      .looseObject({ invoicesDocument: z.looseObject({ invoicesDocumentUrl: z.url() }) })
      .parse(document.body).invoicesDocument;
    const answer = await fetch(invoicesDocumentUrl);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(text).toContain(`Invoice ${body.externalInvoiceId}`);
    expect((await fetch(invoicesDocumentUrl, { headers: { 'x-amz-access-token': token } })).status).toBe(400);
    clock.now += 301_000;
    expect((await fetch(invoicesDocumentUrl)).status).toBe(403);
  });
});
