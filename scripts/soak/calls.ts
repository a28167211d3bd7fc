/** The calls of the soak: a mixture of reads, writes, local answers and calls that are cancelled. */

import { healthy } from '../../src/sandbox/fixtures/common-listings.ts';
import type { Sandbox } from '../../src/sandbox/types.ts';

export interface SoakCall {
  kind: string;
  tool: string;
  args: Record<string, unknown>;
  /** Service calls that the tool makes one after another, each with its own deadline. */
  steps: number;
  /** Cancelled after this many ms. */
  cancelAfterMs?: number;
}

const SHARES = { catalog: 35, listing: 30, sources: 12, write: 8, local: 7, cancelled: 8 } as const;
type Kind = keyof typeof SHARES;

const SUPPLY_SOURCE_STEPS = 3;
const LONGEST_CANCEL_MS = 400;

/** @param supplySourceId one that the sandbox knows. */
export function pickCall({ marketplaceId }: Sandbox, supplySourceId: string, count: number): SoakCall {
  const kind = pickKind();
  const catalog = { tool: 'get_catalog_item', args: { asin: healthy.asin, MarketplaceId: marketplaceId } };
  switch (kind) {
    case 'catalog':
      return { kind, ...catalog, steps: 1 };
    case 'cancelled':
      return { kind, ...catalog, steps: 1, cancelAfterMs: Math.random() * LONGEST_CANCEL_MS };
    case 'listing':
      return { kind, ...read('listings-items/getListingsItem', { sku: healthy.item.sku }), steps: 1 };
    case 'sources':
      return { kind, ...read('supply-sources/getSupplySources', {}), steps: 1 };
    case 'local':
      return { kind, tool: 'list_known_operations', args: { search: 'listing' }, steps: 0 };
    case 'write': {
      const args = { supplySourceId, changes: { alias: `Soak ${count}` } };
      return { kind, tool: 'update_supply_source', args, steps: SUPPLY_SOURCE_STEPS };
    }
  }
}

function read(operation: string, parameters: object) {
  return { tool: 'read_operation', args: { operation, parameters } };
}

function pickKind(): Kind {
  let place = Math.random() * 100;
  for (const [kind, share] of Object.entries(SHARES)) {
    place -= share;
    if (place < 0 && isKind(kind)) return kind;
  }
  return 'catalog';
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(SHARES, name);
}
