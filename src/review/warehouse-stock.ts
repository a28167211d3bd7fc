/** What the service's own warehouses hold of the SKUs that are found, asked for while others are still being found. */

import { ApiError } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import type { Operation } from '../service/facts/operation.ts';
import { type Marketplace, type ReviewJob, readPages } from './review-job.ts';

/** SKUs that one call takes. */
const SKUS_A_CALL = 50;

/** Calls that go on at once. */
const AT_ONCE = 8;

export interface Stock {
  /** Can be sold; null where only the sum of everything is told. */
  quantity: number | null;
  inbound: number | null;
}

export interface WarehouseStock {
  add(sku: string): void;
  /** When everything was added: what is held, by SKU. @throws the client's errors */
  settle(): Promise<{ stock: ReadonlyMap<string, Stock>; notes: string[] }>;
}

export function openWarehouseStock(job: ReviewJob, { id, name }: Marketplace): WarehouseStock {
  const operation = job.find('fulfilment-inventory/getInventorySummaries');
  const stock = new Map<string, Stock>();
  const queue: (readonly string[])[] = [];
  const workers: Promise<void>[] = [];
  let busy = 0;
  let waiting: string[] = [];
  let refused: ApiError | undefined;
  const work = async () => {
    busy += 1;
    try {
      for (let skus = queue.shift(); skus !== undefined; skus = queue.shift()) {
        if (refused === undefined) await readStock(job, { operation, id, skus, stock });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused = error;
    } finally {
      busy -= 1;
    }
  };
  const ask = (skus: readonly string[]) => {
    queue.push(skus);
    if (busy >= AT_ONCE) return;
    const worker = work();
    // It is thrown where the stock is settled.
    worker.catch(() => {});
    workers.push(worker);
  };
  return {
    add(sku) {
      // One that parts a list has a call of its own.
      if (sku.includes(',')) return ask([sku]);
      waiting.push(sku);
      if (waiting.length < SKUS_A_CALL) return;
      ask(waiting);
      waiting = [];
    },
    async settle() {
      if (waiting.length > 0) ask(waiting);
      waiting = [];
      await Promise.all(workers);
      const why =
        refused === undefined
          ? []
          : [
              `${name}: getInventorySummaries was refused (${refused.status}), so the stock of FBA listings is not known.`,
            ];
      return { stock, notes: why };
    },
  };
}

interface StockRequest {
  operation: Operation;
  id: string;
  skus: readonly string[];
  stock: Map<string, Stock>;
}

async function readStock(job: ReviewJob, { operation, id, skus, stock }: StockRequest): Promise<void> {
  const [only = ''] = skus;
  await readPages(job, {
    operation,
    parameters: {
      details: true,
      granularityType: 'Marketplace',
      granularityId: id,
      marketplaceIds: [id],
      ...(only.includes(',') ? { sellerSku: only } : { sellerSkus: skus }),
    },
    add(item) {
      if (isJsonObject(item) && typeof item.sellerSku === 'string') stock.set(item.sellerSku, stockOf(item));
    },
  });
}

const INBOUND = ['inboundWorkingQuantity', 'inboundShippedQuantity', 'inboundReceivingQuantity'];

function stockOf({ inventoryDetails: details, totalQuantity }: Readonly<Record<string, unknown>>): Stock {
  if (!isJsonObject(details)) return { quantity: numberOf(totalQuantity), inbound: null };
  const inbound = INBOUND.flatMap((member) => numberOf(details[member]) ?? []);
  return {
    quantity: numberOf(details.fulfillableQuantity) ?? numberOf(totalQuantity),
    inbound: inbound.length === 0 ? null : inbound.reduce((sum, each) => sum + each, 0),
  };
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** The account may not ask, or this marketplace has no such warehouses: no reason to tell nothing at all. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
