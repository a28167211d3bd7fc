/** Every tool, in the order in which assistants see them, each loaded at its first call: not what only others need. */

import type { Tool } from '../src/protocol/define-tool.ts';

const LOADERS: Readonly<Record<string, () => Promise<Tool>>> = {
  list_known_operations: async () => (await import('./list-known-operations.ts')).listKnownOperations,
  describe_operation: async () => (await import('./describe-operation.ts')).describeOperation,
  read_operation: async () => (await import('./read-operation.ts')).readOperation,
  review_listings: async () => (await import('./review-listings.ts')).reviewListings,
  collect_data: async () => (await import('./collect-data.ts')).collectData,
  query_data: async () => (await import('./query-data.ts')).queryData,
  change_listings: async () => (await import('./change-listings.ts')).changeListings,
  update_supply_source: async () => (await import('./update-supply-source.ts')).updateSupplySource,
  write_operation: async () => (await import('./write-operation.ts')).writeOperation,
  undo_change: async () => (await import('./undo-change.ts')).undoChange,
  get_catalog_item: async () => (await import('./get-catalog-item.ts')).getCatalogItem,
  exchange_token: async () => (await import('./exchange-token.ts')).exchangeToken,
};

/** All, for what describes or checks them. */
export function loadTools(): Promise<Tool[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}

/** @throws Error for a name that is not in the list, which the server never asks for. */
export async function loadTool(name: string): Promise<Tool> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (load === undefined) throw new Error(`There is no tool ${name}`);
  return load();
}
