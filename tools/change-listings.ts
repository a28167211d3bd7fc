/** change_listings: prices, quantities, texts and images of many listings, shown as one list and agreed to by one yes. */

import * as z from 'zod';
import { count } from '../src/base/text/value-words.ts';
import { MAX_SQL_CHARACTERS } from '../src/data/tables/tables.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  confirmationCodeArgument,
  dryRunArgument,
  saveAsArgument,
} from '../src/tell/arguments/arguments.ts';
import { changeListings as change, MOST_CHANGED } from '../src/write/kinds/listing/change-listings.ts';
import { OUTCOMES } from '../src/write/model/outcome.ts';

const LIST = count(MOST_CHANGED);

export const changeListings = defineTool({
  name: 'change_listings',
  title: 'Change many listings',
  description: `Changes up to ${LIST} listings after one yes, old and new shown. set: price, sale_price (with sale_from, sale_to; null ends it), minimum_price, maximum_price, quantity, handling_time (days), title, description, bullet_points or add_bullet_points, main_image, images (all of them). What set does not name stays (sale, B2B price). Long ones go on: the same call tells how far.`,
  effect: 'write',
  takesMore: `As items a call holds some thousands of listings; for up to ${LIST}, give query: a SELECT over collected data, such as SELECT item_sku AS sku, round(price_amount * 0.9, 2) AS price FROM listings_items_offers. Or send the items in several calls.`,
  input: z.strictObject({
    items: z
      .array(z.unknown())
      .optional()
      .describe('[{sku, set: {price: 17.99}}]; or patches instead of set'),
    query: z
      .string()
      .refine(
        (sql) => sql.length <= MAX_SQL_CHARACTERS,
        `is longer than ${MAX_SQL_CHARACTERS} characters; write it shorter`,
      )
      .optional()
      .describe('Or: SELECT sku and what to set; NULL leaves it'),
    marketplace: z
      .string()
      .refine((name) => name !== '' && name.length <= 100, 'must have 1 to 100 characters')
      .optional(),
    save_as: saveAsArgument.describe('File for the list'),
    dryRun: dryRunArgument,
    confirmationCode: confirmationCodeArgument,
    stop: z.boolean().optional().describe('Ends it'),
    account: accountArgument,
  }),
  output: z.looseObject({ outcome: z.enum(OUTCOMES) }),
  run: ({ account, save_as: saveAs, ...asked }, ctx) =>
    change({ ...asked, account: ctx.session.accountOf(account), saveAs }, ctx),
});
