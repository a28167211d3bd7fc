/** Point 6: unlimited demand on services with limits, the burst known from the definitions or not. */

import { environmentOf } from '../../../sandbox/environment.ts';
import { healthy } from '../../../sandbox/fixtures/recorded-listings.ts';
import { ASIN, callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import {
  demand,
  demandSeconds,
  FAST,
  limitText,
  type Note,
  type RateScenario,
  rateRows,
  SLOW,
  startLimited,
} from '../rate-scenario.ts';
import type { Row } from '../report.ts';
import type { Session } from '../session.ts';

interface Case {
  what: string;
  scenario: RateScenario;
  most429: number;
  call(session: Session, marketplaceId: string): Promise<boolean>;
}

/** The definitions state 5/s burst 10 for getListingsItem, and 0.5/s burst 1 for getItemOffers. */
const listing = (session: Session) =>
  session.call('read_operation', {
    operation: 'listings-items/getListingsItem',
    parameters: { sku: healthy.item.sku },
  });
const offers = (session: Session, MarketplaceId: string) =>
  session.call('read_operation', {
    operation: 'product-pricing/getItemOffers',
    parameters: { Asin: ASIN, MarketplaceId, ItemCondition: 'New' },
  });

const CASES: readonly Case[] = [
  { what: `${limitText(FAST)}, known`, scenario: FAST, most429: 0, call: listing },
  { what: `${limitText(FAST)}, burst unknown`, scenario: FAST, most429: 5, call: callCatalog },
  { what: `${limitText(SLOW)}, known`, scenario: SLOW, most429: 0, call: offers },
  { what: `${limitText(SLOW)}, burst unknown`, scenario: SLOW, most429: 5, call: callCatalog },
];

/** All cases run at the same time, each with its own service and program: they spend it waiting. */
export async function measureRateLimits(context: Context): Promise<Row[]> {
  const seconds = demandSeconds(context);
  const rows = await Promise.all(CASES.map((one) => measureCase(context, one, seconds)));
  return rows.flat();
}

async function measureCase(context: Context, one: Case, seconds: number): Promise<Row[]> {
  const notes: Note[] = [];
  const sandbox = await startLimited(one.scenario, notes);
  const session = context.start(context.programs.ours, { env: environmentOf(sandbox) });
  try {
    await session.initialize();
    // Loads the program's client and gets a token, neither of which concerns pacing.
    await session.call('read_operation', { operation: 'supply-sources/getSupplySources' });
    const call = () => one.call(session, sandbox.marketplaceId);
    const figures = await demand(one.scenario, notes, seconds, call);
    return rateRows(6, context.programs.ours.name, one.what, figures, one.most429);
  } finally {
    await session.close();
    await sandbox.close();
  }
}
