/** Every operation with pages, over a service that takes a page token only as the operation's definition says. */

import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import { collectPages } from '../../../src/data/collections/collect-pages.ts';
import { memberAt, withMember } from '../../../src/data/collections/parse-page.ts';
import { buildExample } from '../../../src/service/describe/example.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry, type Registry } from '../../../src/service/registry/registry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import type { Answer, ReceivedRequest } from '../../helpers/http-service.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';
import { setUp, type TestSetup } from '../../helpers/test-client.ts';

/**
 * The rules of the definitions for the call of a further page (read on 2026-11-28). `same`: include the same
 * arguments. `alone`: the token is the only parameter. `way`: QueryType says how shipments are chosen, and
 * NEXT_TOKEN is one of the ways. `silent`: nothing, so that every required parameter has to be there.
 * `offset`: how many to pass over, in the body.
 */
const RULES: Readonly<Record<'same' | 'alone' | 'way' | 'silent' | 'offset', readonly string[]>> = {
  same: [
    'warehousing-and-distribution/listInboundShipments',
    'warehousing-and-distribution/listInventory',
    'warehousing-and-distribution/listOutbounds',
    'warehousing-and-distribution/listReplenishmentOrders',
    // "To avoid errors, use both startDateTime and nextToken."
    'fulfilment-inventory/getInventorySummaries',
    'outbound-fulfilment/listOrders',
    'finance/listTransactions',
    'finance/listFinancialEventGroups',
    'finance/listFinancialEventsByGroupId',
    'finance/listFinancialEventsByOrderId',
    'finance/listFinancialEvents',
    'finance/listBalances',
    'finance/listSummary',
    'finance/getInvoiceHeaders',
    'finance/getInvoice',
    'invoices/getInvoicesExports',
    'invoices/getInvoices',
    // "NextToken doesn't affect any filters": they still count.
    'orders/getOrders',
    'data-kiosk/getQueries',
    'seller-wallet/listAccountTransactions',
    'seller-wallet/listTransferSchedules',
    'transfers/listPayouts',
    'transfers/listExpectedPayouts',
    'external-fulfilment/getShipments',
    'external-fulfilment/listReturns',
    'vendor-shipments/GetShipmentLabels',
    'support/listCases',
    'support/listContacts',
    'promotions/searchPromotions',
    'promotions/getSelection',
  ],
  alone: ['feeds/getFeeds', 'reports/getReports'],
  way: ['inbound-fulfilment/getShipments', 'inbound-fulfilment/getShipmentItems'],
  silent: [
    'catalog-items/searchCatalogItems',
    'inbound-fulfilment/listInboundPlans',
    'inbound-fulfilment/listInboundPlanBoxes',
    'inbound-fulfilment/listInboundPlanItems',
    'inbound-fulfilment/listPackingGroupBoxes',
    'inbound-fulfilment/listPackingGroupItems',
    'inbound-fulfilment/listPackingOptions',
    'inbound-fulfilment/listInboundPlanPallets',
    'inbound-fulfilment/listPlacementOptions',
    'inbound-fulfilment/listShipmentBoxes',
    'inbound-fulfilment/listShipmentContentUpdatePreviews',
    'inbound-fulfilment/listDeliveryWindowOptions',
    'inbound-fulfilment/listShipmentItems',
    'inbound-fulfilment/listShipmentPallets',
    'inbound-fulfilment/getSelfShipAppointmentSlots',
    'inbound-fulfilment/listTransportationOptions',
    'outbound-fulfilment/listAllFulfillmentOrders',
    'outbound-fulfilment/getFeatureInventory',
    'listings-items/searchListingsItems',
    'orders/searchOrders',
    'orders/getOrderItems',
    'orders/getOrderItemsBuyerInfo',
    'service/getServiceJobs',
    'service/getRangeSlotCapacity',
    'service/getFixedSlotCapacity',
    'supply-sources/getSupplySources',
    'notifications/getSubscriptions',
    'a-plus-content/searchContentDocuments',
    'a-plus-content/listContentDocumentAsinRelations',
    'a-plus-content/searchContentPublishRecords',
    'vehicles/getVehicles',
    'vendor-orders/getPurchaseOrders',
    'vendor-orders/getPurchaseOrdersStatus',
    'vendor-shipments/GetShipmentDetails',
    'vendor-direct-fulfilment/getOrders',
    'vendor-direct-fulfilment/getShippingLabels',
    'vendor-direct-fulfilment/getCustomerInvoices',
    'vendor-direct-fulfilment/getPackingSlips',
    'vendor-remittances/getRemittanceHeaders',
    'vendor-remittances/getRemittance',
  ],
  offset: ['replenishment/listOfferMetrics', 'replenishment/listOffers'],
};

/** Operations with a parameter that sounds like a page token, and is none. */
const NO_PAGES = ['shipping/getAdditionalInputs'];

let registry: Registry;
let setup: TestSetup;
let answer: (request: ReceivedRequest) => Answer;
beforeAll(async () => {
  registry = await loadRegistry();
  setup = await setUp((request) => answer(request), {
    account: { sellerId: 'SELLER', marketplaceId: 'A1PA6795UKMFR9' },
  });
});
afterAll(() => setup.close());

it('each operation with pages, or with a parameter that may be a token, was looked at', () => {
  const paging = registry.operations.filter((operation) => operation.paging !== undefined);
  expect(paging.map(({ id }) => id).sort()).toEqual(Object.values(RULES).flat().sort());
  const others = registry.operations.filter(
    ({ paging: own, parameters }) =>
      own === undefined && parameters.some(({ name, in: at }) => at === 'query' && /token/i.test(name)),
  );
  expect(others.map(({ id }) => id)).toEqual(NO_PAGES);
  const isWay = ({ parameters }: Operation) =>
    parameters.some(({ schema }) => schema.enum?.some((value) => /^next_?token$/i.test(String(value))));
  expect(registry.operations.filter(isWay).map(({ id }) => id)).toEqual(RULES.way);
});

/** Two items a page, three pages. */
const PAGES = 3;

/** A service that has six items, and refuses a further page that is not asked for as the rule says. */
function serve(operation: Operation, rule: keyof typeof RULES) {
  const { paging, parameters } = operation;
  if (paging === undefined) throw new Error(`${operation.id} has no pages`);
  const { name } = paging.input;
  let first: URLSearchParams | undefined;
  let firstBody: unknown;
  answer = ({ path, json }) => {
    const query = new URL(path, 'http://localhost').searchParams;
    const offset = memberAt(json, name);
    const inBody = paging.input.in === 'body';
    const sentToken = inBody ? offset : query.get(name);
    const token = paging.by === 'offset' ? offset && `t${Number(offset) / 2}` : sentToken;
    first ??= query;
    firstBody ??= json;
    const isSame =
      !inBody || isDeepStrictEqual(withMember(json ?? {}, name, token), withMember(firstBody, name, token));
    const wrong = token
      ? [...wrongWith(query, first), ...(rule === 'same' && !isSame ? ['the body'] : [])]
      : [];
    if (wrong.length > 0)
      return { status: 400, body: { errors: [{ code: 'InvalidInput', message: wrong.join() }] } };
    const at = token ? Number(String(token).slice(1)) : 0;
    return { body: bodyOf(at) };
  };
  const required = parameters.filter((one) => one.in === 'query' && one.required).map((one) => one.name);
  const wrongWith = (query: URLSearchParams, before: URLSearchParams) => {
    const mustBe = new Map<string, string | null>();
    if (rule === 'same') for (const [key, value] of before) mustBe.set(key, value);
    else if (rule !== 'alone') for (const key of required) mustBe.set(key, before.get(key));
    if (rule === 'way') mustBe.set('QueryType', 'NEXT_TOKEN');
    const lost = [...mustBe].filter(([key, value]) => query.get(key) !== value).map(([key]) => key);
    const isOnly = rule === 'alone' || rule === 'way';
    const more = isOnly ? [...query.keys()].filter((key) => key !== name && !mustBe.has(key)) : [];
    return [...lost, ...more];
  };
  const bodyOf = (at: number) => {
    const items = [2 * at, 2 * at + 1].map((n) => withMember({ n }, paging.key ?? 'n', `${n}`));
    const list = paging.list.endsWith('.*') ? paging.list.replace('*', 'SomeList') : paging.list;
    const next = paging.by === 'offset' ? 2 * PAGES : at + 1 < PAGES ? `t${at + 1}` : undefined;
    const body = withMember({}, list, items);
    return next === undefined ? body : withMember(body, paging.output, next);
  };
}

it.each(Object.entries(RULES).flatMap(([rule, ids]) => ids.map((id) => [id, rule] as const)))(
  'reads all pages of %s (%s)',
  async (id, given) => {
    const known = registry.find(id);
    const rules: readonly (keyof typeof RULES)[] = ['same', 'alone', 'way', 'silent', 'offset'];
    const rule = rules.find((one) => one === given) ?? 'silent';
    // The call has as many filters as it takes, so that one that must go or stay is there.
    const full = known.parameters.map((one) => ({ ...one, required: one.name !== known.paging?.input.name }));
    const { parameters, body } = buildExample({ ...known, parameters: full });
    const { rate: _, ...operation } = { ...known, auth: { kind: 'seller' } } satisfies Operation;
    serve(operation, rule);
    const loaders = memoryLoaders();
    const { paging } = operation;
    if (paging === undefined) throw new Error(`${id} has no pages`);
    const collected = await collectPages({
      client: setup.client,
      operation,
      paging,
      input: { account: 'default', parameters, body },
      table: 'things',
      clock: fakeClock(),
      signal: new AbortController().signal,
      tell: () => {},
      open: loaders.open,
    });
    expect(collected).toMatchObject({ complete: true, notes: [] });
    const items = loaders.items('things') ?? loaders.items('things_SomeList') ?? [];
    expect(items.map((item) => isJsonObject(item) && Number(item.n))).toEqual([0, 1, 2, 3, 4, 5]);
  },
);
