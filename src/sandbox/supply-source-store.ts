/** The supply sources as the sandbox remembers them: read, created, replaced, switched, archived. */

import { randomUUID } from 'node:crypto';
import { SUPPLY_SOURCES, type SupplySourceFixture } from './fixtures/supply-sources.ts';

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
