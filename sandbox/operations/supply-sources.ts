/** Supply sources: listed, read, created, replaced by what section 2.4 allows, switched and archived. Errors are a bare array. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isJsonObject } from '../../src/base/json.ts';
import type { ServiceError } from '../../src/service/shapes/error.ts';
import { supplySourceSchema } from '../../src/service/shapes/supply-source.ts';
import { type Answer, type Call, ok, refuse } from '../answer.ts';
import { type SupplySourceFixture, supplySourceFixtureSchema } from '../fixtures/supply-sources.ts';
import type { Played } from '../router.ts';
import type { Keeping } from '../world/kept-world.ts';

/** The supply sources, and the body that was last written to each. */
export type SupplySourceStore = ReturnType<typeof createSupplySources>;

export function createSupplySources(made: readonly SupplySourceFixture[], keeping: Keeping) {
  const changed = keeping.shelf('store', supplySourceFixtureSchema);
  const get = (id: string) => changed.get(id) ?? made.find(({ supplySourceId }) => supplySourceId === id);
  return {
    get,
    set: changed.set,
    alone: changed.alone,
    /** Lists all, with those from the beginning first. */
    list(): SupplySourceFixture[] {
      const ids = new Set([...made.map(({ supplySourceId }) => supplySourceId), ...changed.ids()]);
      return [...ids].flatMap((id) => get(id) ?? []);
    },
    written: new Map<string, unknown>(),
  };
}

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

/** @throws Refusal with everything that is wrong. */
function check<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({
    code: 'InvalidInput',
    message: `${path.join('.') || 'The body'}: ${message}`,
  }));
  return refuse(400, ...errors);
}

export function playSupplySources(sources: SupplySourceStore): Played {
  /** Lists those that are not archived, in order of creation. */
  const listed = () => sources.list().filter(({ status }) => status !== 'Archived');
  const sourceOf = ({ params: { supplySourceId = '' } }: Call): SupplySourceFixture => {
    const message =
      supplySourceId === ''
        ? 'The path ends without a supply source id.'
        : 'There is no supply source with this id.';
    return sources.get(supplySourceId) ?? refuse(404, { code: 'ResourceNotFound', message });
  };
  const update = (call: Call, changes: Partial<SupplySourceFixture>): Answer =>
    sources.alone(sourceOf(call).supplySourceId, () => {
      const source = sourceOf(call);
      sources.set(source.supplySourceId, { ...source, ...changes, updatedAt: timestamp(call) });
      return NO_CONTENT;
    });
  return {
    'supply-sources/getSupplySources': (call) => list(listed(), call),
    'supply-sources/createSupplySource': (call) => {
      const source = create(listed(), call);
      const { supplySourceId, supplySourceCode } = source;
      sources.set(supplySourceId, source);
      return ok({ supplySourceId, supplySourceCode });
    },
    'supply-sources/getSupplySource': (call) => {
      const { settings, ...readOnly } = sourceOf(call);
      return ok({ ...settings, ...readOnly });
    },
    'supply-sources/updateSupplySource': (call) => {
      const { supplySourceId } = sourceOf(call);
      const settings = readSettings(call);
      sources.written.set(supplySourceId, settings);
      // Replaces what can be written whole, so that what is absent is gone.
      return update(call, { settings });
    },
    'supply-sources/archiveSupplySource': (call) => update(call, { status: 'Archived' }),
    'supply-sources/updateSupplySourceStatus': (call) => {
      sourceOf(call);
      return update(call, { status: check(statusSchema, call.body).status });
    },
  };
}

const timestamp = ({ now }: Call): string => new Date(now).toISOString();

function list(all: readonly SupplySourceFixture[], { query }: Call): Answer {
  const { nextPageToken: from, pageSize } = check(pageSchema, Object.fromEntries(query));
  const to = from + pageSize;
  const supplySources = all
    .slice(from, to)
    .map(({ supplySourceId, supplySourceCode, address, settings: { alias } }) => ({
      supplySourceId,
      supplySourceCode,
      alias,
      address,
    }));
  return ok({ supplySources, ...(to < all.length && { nextPageToken: String(to) }) });
}

function create(listed: readonly SupplySourceFixture[], call: Call): SupplySourceFixture {
  const { supplySourceCode, alias, address } = check(createSchema, call.body);
  if (listed.some((source) => source.supplySourceCode === supplySourceCode)) {
    const message = 'supplySourceCode: another supply source has this code.';
    refuse(400, { code: 'InvalidInput', message });
  }
  return {
    supplySourceId: randomUUID(),
    supplySourceCode,
    status: 'Inactive',
    address,
    createdAt: timestamp(call),
    updatedAt: timestamp(call),
    settings: { alias },
  };
}

/** Members that only the service sets: a body that has one is refused, so that callers notice. */
const READ_ONLY = ['supplySourceId', 'supplySourceCode', 'status', 'createdAt', 'updatedAt'];

/** Readable beside the settings, and no part of them: taken without effect. */
const IGNORED = 'address';

/** Reads the settings to store, including members that the document does not know. @throws Refusal with everything that is wrong. */
function readSettings({ headers, body }: Call): Record<string, unknown> {
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith('application/json')) {
    const message = 'The body must be sent as application/json.';
    refuse(415, { code: 'UnsupportedMediaType', message });
  }
  if (!isJsonObject(body)) {
    return refuse(400, { code: 'InvalidInput', message: 'The body must be a JSON object.' });
  }
  const readOnly = READ_ONLY.filter((name) => name in body).map(
    (name): ServiceError => ({ code: 'InvalidInput', message: `${name}: can only be read.` }),
  );
  const errors = [...readOnly, ...findWrongTypes(body)];
  if (errors.length > 0) refuse(400, ...errors);
  const { [IGNORED]: _ignored, ...settings } = body;
  return settings;
}

function findWrongTypes(body: Record<string, unknown>): ServiceError[] {
  const parsed = supplySourceSchema.safeParse(body);
  if (parsed.success) return [];
  // The schema is strict for what this program sends; the service takes what it does not know.
  return parsed.error.issues
    .filter((issue) => issue.code !== 'unrecognized_keys')
    .map(({ path, message }) => ({
      code: 'InvalidInput',
      message: `${path.join('.')}: ${message}`,
      details: 'See the type of this member in the description of the write.',
    }));
}
