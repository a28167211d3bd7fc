/** change_listings: prices, quantities, texts and images of many listings, shown as one list and agreed to by one yes. */

import * as z from 'zod';
import { count } from '../src/base/text/format-value.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  confirmationCodeArgument,
  dryRunArgument,
  saveAsArgument,
  sqlArgument,
  stopArgument,
} from '../src/render/arguments/arguments.ts';
import {
  changeListings as change,
  itemsArgument,
  MAX_CHANGED_LISTINGS,
} from '../src/write/handlers/listing/change-listings.ts';
import { OUTCOMES } from '../src/write/model/outcome.ts';

const LIST = count(MAX_CHANGED_LISTINGS);

export const changeListings = defineTool({
  name: 'change_listings',
  title: 'Change prices, inventory, texts of listings',
  description: `Changes prices, sale prices, inventory, titles, bullet points or images of listings. Up to ${LIST} in one call, after one approval that shows old and new values. Give items, or query for many. What set does not name stays as it is, such as a sale or a business price. A long list goes on in the background: the same call tells how far it is.`,
  effect: 'write',
  onlyWrites: true,
  longAnswers: true,
  takesMore: `As items a call holds some thousands of listings; for up to ${LIST}, give query: a SELECT over collected data, such as SELECT item_sku AS sku, round(price_amount * 0.9, 2) AS price FROM listings_items_offers. Or send the items in several calls.`,
  input: z.strictObject({
    items: itemsArgument,
    query: sqlArgument
      .optional()
      .describe(
        'Instead of items: a SELECT over collected tables with sku and the words of set as columns: SELECT sku, round(price * 0.9, 2) AS price FROM listings. NULL leaves a value as it is',
      ),
    marketplace: z
      .string()
      .refine((name) => name !== '' && name.length <= 100, 'must have 1 to 100 characters')
      .optional()
      .describe("Country or marketplace ID; default: the account's"),
    save_as: saveAsArgument.describe('File name: saves the whole list for the person (prices.xlsx)'),
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ outcome: z.enum(OUTCOMES) }),
  run: ({ account, save_as: saveAs, ...asked }, ctx) =>
    change({ ...asked, account: ctx.session.accountOf(account), saveAs }, ctx),
});
