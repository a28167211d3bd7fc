/** `history` as a person sees it in a terminal of any width: what can be copied stands in one piece. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { hasTerminals, runAtTerminal } from '../helpers/terminal.ts';
import { openJournal } from '../write/records/journal/helpers.ts';

const SKU = 'LAMP-OAK-E27-TABLE-LINEN-SHADE-WITH-A-LONG-SKU-OF-OUR-OWN-2026';
const WHAT = `${SKU} "Table Lamp with Oak Base and Linen Shade", United States: price: 64.00 USD -> 65.00 USD.`;
const ID = '046e1718-71d2-4617-971d-5eda6440218d';

let outside: Outside;
let args: string[];
beforeAll(async () => {
  outside = await startOutside();
  args = ['history', ...outside.args.slice(0, 2)];
  const { journal } = openJournal(`${outside.folder}/state`, { randomId: () => ID });
  const operation = 'listings-items/patchListingsItem';
  await journal.begin({ account: 'default', operation, parameters: { sku: SKU }, what: WHAT });
});
afterAll(() => outside.close());

describe.runIf(hasTerminals())('at a terminal', () => {
  it.each([120, 80, 40])('of %i columns no name is broken', async (columns) => {
    const { screen } = await runAtTerminal(args, [], { env: outside.env, columns });
    for (const piece of [WHAT, ID, 'listings-items/patchListingsItem']) expect(screen).toContain(piece);
  });
});

it('in a pipe no name is broken', async () => {
  const { stdout } = await runProgram(args, { env: outside.env });
  for (const piece of [WHAT, ID]) expect(stdout.split('\n').some((line) => line.includes(piece))).toBe(true);
});
