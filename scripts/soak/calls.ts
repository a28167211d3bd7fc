/** The calls of the soak: a mixture of reads, writes, local answers and calls that are cancelled. */

import { healthy } from '../../sandbox/fixtures/recorded-listings.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export interface SoakCall {
  kind: string;
  tool: string;
  args: Record<string, unknown>;
  /** Service calls that the tool makes one after another, each with its own deadline. */
  steps: number;
  /** Cancelled after this many ms. */
  cancelAfterMs?: number;
}

const SHARES = {
  catalog: 32,
  listing: 28,
  sources: 12,
  write: 8,
  local: 6,
  cancelled: 8,
  collect: 3,
  query: 3,
} as const;
type Kind = keyof typeof SHARES;

const SUPPLY_SOURCE_STEPS = 3;
const MAX_CANCEL_MS = 400;

/** A collection of each kind: a report, whose document is at a signed address, and pages. */
const COLLECTED = [
  { report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA' }, as: 'listed' },
  { operation: 'searchListingsItems', parameters: { includedData: ['summaries', 'issues'] }, as: 'found' },
] as const;

/** Queries of tables that were collected by then, of two at once, and one that takes a while. */
const ASKED = [
  'SELECT status, count(*), sum(quantity), avg(price) FROM listed GROUP BY 1',
  'SELECT count(*) FROM listed l JOIN found f ON f.sku = l.seller_sku',
  'SELECT count(*) FROM listed a, listed b, listed c WHERE a.item < b.item AND c.item < 10',
] as const;

/** @param supplySourceId one that the sandbox knows. */
export function pickCall({ marketplaceId }: Sandbox, supplySourceId: string, count: number): SoakCall {
  const kind = pickKind();
  const catalog = { tool: 'get_catalog_item', args: { asin: healthy.asin, MarketplaceId: marketplaceId } };
  switch (kind) {
    case 'catalog':
      return { kind, ...catalog, steps: 1 };
    case 'cancelled':
      return { kind, ...catalog, steps: 1, cancelAfterMs: Math.random() * MAX_CANCEL_MS };
    case 'listing':
      return { kind, ...read('listings-items/getListingsItem', { sku: healthy.item.sku }), steps: 1 };
    case 'sources':
      return { kind, ...read('supply-sources/getSupplySources', {}), steps: 1 };
    case 'local':
      return { kind, tool: 'list_known_operations', args: { search: 'listing' }, steps: 0 };
    case 'collect':
      return {
        kind,
        tool: 'collect_data',
        args: { ...COLLECTED[count % COLLECTED.length], fresh: true },
        steps: 1,
      };
    case 'query':
      return { kind, tool: 'query_data', args: { sql: ASKED[count % ASKED.length] }, steps: 1 };
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
  let rest = Math.random() * 100;
  for (const [kind, share] of Object.entries(SHARES)) {
    rest -= share;
    if (rest < 0 && isKind(kind)) return kind;
  }
  return 'catalog';
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(SHARES, name);
}
