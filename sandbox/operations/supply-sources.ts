/** Supply sources: list, read, create, write (section 4.3), switch and archive. Errors are a bare array. */

import * as z from 'zod';
import type { ServiceError } from '../../src/service/document/error.ts';
import { type Answer, type Call, fail } from '../answer.ts';
import type { SupplySourceFixture } from '../fixtures/supply-sources.ts';
import { type Route, route } from '../router.ts';
import type { SupplySourceStore } from './supply-source-store.ts';
import { checkSupplySource } from './supply-source-store.ts';

const BASE = '/supplySources/2020-07-01/supplySources';
const NO_CONTENT: Answer = { status: 204 };

const createSchema = z.looseObject({
  supplySourceCode: z.string().min(1),
  alias: z.string().min(1),
  address: z.record(z.string(), z.string()),
});
const statusSchema = z.looseObject({ status: z.enum(['Active', 'Inactive']) });
const pageSchema = z.object({
  pageSize: z.coerce.number().int().min(1).max(100).default(100),
  nextPageToken: z.coerce.number().int().min(0).default(0),
});

const refuse = (status: number, ...errors: readonly ServiceError[]): Answer => fail(status, errors, 'array');
const notFound = (message: string): Answer => refuse(404, { code: 'ResourceNotFound', message });

function invalid(error: z.ZodError): Answer {
  const errors = error.issues.map(({ path, message }) => ({
    code: 'InvalidInput',
    message: `${path.join('.') || 'The body'}: ${message}`,
  }));
  return refuse(400, ...errors);
}

export function buildSupplySourceRoutes(store: SupplySourceStore): Route[] {
  const common = { errorForm: 'array', auth: 'seller' } as const;
  const one = `${BASE}/{supplySourceId}`;
  return [
    route('getSupplySources', 'GET', BASE, (call) => list(store, call), common),
    route('createSupplySource', 'POST', BASE, (call) => create(store, call), common),
    route(
      'getSupplySource',
      'GET',
      one,
      (call) => withSource(store, call, (source) => ({ status: 200, body: show(source) })),
      common,
    ),
    route(
      'updateSupplySource',
      'PUT',
      one,
      (call) => withSource(store, call, ({ supplySourceId }) => write(store, supplySourceId, call)),
      common,
    ),
    route(
      'archiveSupplySource',
      'DELETE',
      one,
      (call) =>
        withSource(store, call, ({ supplySourceId }) => {
          store.setStatus(supplySourceId, 'Archived');
          return NO_CONTENT;
        }),
      common,
    ),
    route(
      'updateSupplySourceStatus',
      'PUT',
      `${one}/status`,
      (call) => withSource(store, call, ({ supplySourceId }) => setStatus(store, supplySourceId, call)),
      common,
    ),
  ];
}

function withSource(
  store: SupplySourceStore,
  call: Call,
  use: (source: SupplySourceFixture) => Answer,
): Answer {
  const id = call.params.supplySourceId ?? '';
  if (id === '') return notFound('The path ends without a supply source id.');
  const source = store.find(id);
  return source === undefined ? notFound('There is no supply source with this id.') : use(source);
}

function list(store: SupplySourceStore, { query }: Call): Answer {
  const page = pageSchema.safeParse(Object.fromEntries(query));
  if (!page.success) return invalid(page.error);
  const from = page.data.nextPageToken;
  const to = from + page.data.pageSize;
  const all = store.list();
  const supplySources = all
    .slice(from, to)
    .map(({ supplySourceId, supplySourceCode, address, settings }) => ({
      supplySourceId,
      supplySourceCode,
      alias: settings.alias,
      address,
    }));
  return { status: 200, body: { supplySources, ...(to < all.length && { nextPageToken: String(to) }) } };
}

function show({ settings, ...readOnly }: SupplySourceFixture): object {
  return { ...settings, ...readOnly };
}

function create(store: SupplySourceStore, { body }: Call): Answer {
  const parsed = createSchema.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  const { supplySourceCode, alias, address } = parsed.data;
  if (store.list().some((source) => source.supplySourceCode === supplySourceCode)) {
    const message = 'supplySourceCode: another supply source has this code.';
    return refuse(400, { code: 'InvalidInput', message });
  }
  const { supplySourceId } = store.create(supplySourceCode, alias, address);
  return { status: 200, body: { supplySourceId, supplySourceCode } };
}

function write(store: SupplySourceStore, id: string, { headers, body }: Call): Answer {
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith('application/json')) {
    const message = 'The body must be sent as application/json.';
    return refuse(415, { code: 'UnsupportedMediaType', message });
  }
  const checked = checkSupplySource(body);
  if ('errors' in checked) return refuse(400, ...checked.errors);
  store.replace(id, checked.settings);
  return NO_CONTENT;
}

function setStatus(store: SupplySourceStore, id: string, { body }: Call): Answer {
  const parsed = statusSchema.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  store.setStatus(id, parsed.data.status);
  return NO_CONTENT;
}
