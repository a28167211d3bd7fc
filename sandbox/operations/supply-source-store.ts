/** The supply sources as the sandbox remembers them: read, created, replaced by what section 2.4 allows, switched, archived. */

import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../src/base/json.ts';
import type { ServiceError } from '../../src/service/document/error.ts';
import { supplySourceSchema } from '../../src/service/document/supply-source.ts';
import { SUPPLY_SOURCES, type SupplySourceFixture } from '../fixtures/supply-sources.ts';

/** What the service alone sets: a body that carries one of these is refused, so that callers notice. */
const READ_ONLY = ['supplySourceId', 'supplySourceCode', 'status', 'createdAt', 'updatedAt'];

/** Readable beside the settings, and no part of them: taken without effect. */
const IGNORED = 'address';

/** @returns what to keep (members that the document does not know included), or everything that is wrong. */
export function checkSupplySource(
  body: unknown,
): { settings: Record<string, unknown> } | { errors: ServiceError[] } {
  if (!isJsonObject(body)) {
    return { errors: [{ code: 'InvalidInput', message: 'The body must be a JSON object.' }] };
  }
  const readOnly = READ_ONLY.filter((name) => name in body).map(
    (name): ServiceError => ({ code: 'InvalidInput', message: `${name}: can only be read.` }),
  );
  const errors = [...readOnly, ...findWrongTypes(body)];
  if (errors.length > 0) return { errors };
  const { [IGNORED]: _ignored, ...settings } = body;
  return { settings };
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

export interface SupplySourceStore {
  /** Those that are not archived, in order of creation here. */
  list(): readonly SupplySourceFixture[];
  find(id: string): SupplySourceFixture | undefined;
  create(code: string, alias: string, address: Readonly<Record<string, string>>): SupplySourceFixture;
  /** Replaces what can be written whole, so that what is absent is gone. */
  replace(id: string, body: Readonly<Record<string, unknown>>): void;
  setStatus(id: string, status: SupplySourceFixture['status']): void;
  /** The body of the last `replace`. */
  written(id: string): unknown;
}

export function createSupplySources(now: () => number): SupplySourceStore {
  const sources = new Map(SUPPLY_SOURCES.map((source) => [source.supplySourceId, source]));
  const bodies = new Map<string, unknown>();
  const timestamp = (): string => new Date(now()).toISOString();
  const update = (id: string, changes: Partial<SupplySourceFixture>): void => {
    const source = sources.get(id);
    if (source !== undefined) sources.set(id, { ...source, ...changes, updatedAt: timestamp() });
  };
  return {
    list: () => [...sources.values()].filter((source) => source.status !== 'Archived'),
    find: (id) => sources.get(id),
    create(supplySourceCode, alias, address) {
      const at = timestamp();
      const source: SupplySourceFixture = {
        supplySourceId: randomUUID(),
        supplySourceCode,
        status: 'Inactive',
        address,
        createdAt: at,
        updatedAt: at,
        settings: { alias },
      };
      sources.set(source.supplySourceId, source);
      return source;
    },
    replace(id, body) {
      bodies.set(id, body);
      update(id, { settings: body });
    },
    setStatus: (id, status) => update(id, { status }),
    written: (id) => bodies.get(id),
  };
}
