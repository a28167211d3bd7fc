/** One call of each tool against the embedded sandbox, with what its answer must contain; the same for every client. */

import { loadTools } from '../../tools/index.ts';

const TOOLS = await loadTools();

export interface SampleCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  /** Found in the answer, whatever form the client prints it in. */
  expected: RegExp;
}

const SHOP = '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10';
const CLOSED = { configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } } };
const PAUSE = { operation: 'updateSupplySourceStatus', parameters: { supplySourceId: SHOP } };

export const SAMPLES: Readonly<Record<string, Omit<SampleCall, 'tool'>>> = {
  list_known_operations: {
    args: { search: 'listings item', method: 'GET' },
    expected: /listings-items\/getListingsItem/,
  },
  describe_operation: { args: { operation: 'getListingsItem' }, expected: /includedData/ },
  read_operation: {
    args: {
      operation: 'getListingsItem',
      parameters: { sku: 'LAMP-OAK-E27', includedData: ['summaries', 'issues'] },
    },
    expected: /LAMP-OAK-E27/,
  },
  review_listings: { args: {}, expected: /suppressed_by/ },
  collect_data: {
    args: { operation: 'searchListingsItems', parameters: { pageSize: 20 } },
    expected: /listings_items/,
  },
  query_data: { args: { sql: 'SELECT 40 + 2 AS answer' }, expected: /42/ },
  change_listings: {
    args: { items: [{ sku: 'STOL-OAK-S', set: { price: 57.49 } }] },
    expected: /1 accepted|"?accepted"?:? *1/,
  },
  update_supply_source: {
    args: { supplySourceId: SHOP, changes: CLOSED },
    expected: /"?outcome"?:? *"?done|read back|has what was sent/i,
  },
  write_operation: { args: { ...PAUSE, body: { status: 'Inactive' } }, expected: /done|204|200/ },
  undo_change: { args: {}, expected: /from here|listed/ },
  get_catalog_item: { args: { asin: 'B0SBX00002' }, expected: /LAMP-OAK-E27/ },
  exchange_token: { args: {}, expected: /bearer/ },
};

/** A tool without a sample is left out: test/tools/tool-locations.test.ts names it. */
export const sampleCalls = (): SampleCall[] =>
  TOOLS.flatMap(({ name }) => {
    const sample = SAMPLES[name];
    return sample === undefined ? [] : [{ tool: name, ...sample }];
  });

/** Settings with which every call above succeeds immediately and touches nothing on this machine. */
export function sampleEnvironment(folder: string): Record<string, string> {
  return {
    SELLER_SANDBOX: 'true',
    SELLER_WRITES: 'allow',
    SELLER_STATE_DIR: `${folder}/state`,
    SELLER_DATA_DIR: `${folder}/data`,
  };
}
