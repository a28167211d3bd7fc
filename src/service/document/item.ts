/** The item of catalog v0 and what stands in it (section 2.3): loose, so that members the service adds are kept. */

import * as z from 'zod';
import { serviceErrorSchema } from './error.ts';

const money = z.looseObject({ currencyCode: z.string().optional(), amount: z.string().optional() });
const dateTime = z.string().describe('ISO 8601 date and time');

/** Section 2.3, 10 fields. */
export const itemSummarySchema = z.looseObject({
  marketplaceId: z.string().optional(),
  asin: z.string().optional(),
  productType: z.string().optional(),
  conditionType: z.string().optional().describe('Value seen: new_new'),
  status: z.array(z.string()).optional().describe('Value seen: BUYABLE'),
  fnSku: z.string().optional().describe('Identifier of the unit in the fulfilment network'),
  itemName: z.string().optional(),
  createdDate: dateTime.optional(),
  lastUpdatedDate: dateTime.optional(),
  mainImage: z
    .looseObject({
      link: z.string().optional(),
      height: z.number().optional().describe('Pixels'),
      width: z.number().optional().describe('Pixels'),
    })
    .optional(),
});
export type ItemSummary = z.infer<typeof itemSummarySchema>;

/** Section 2.3, 6 fields: what is wrong with a listing. */
export const issueSchema = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
  severity: z.string().optional().describe('Value seen: ERROR'),
  attributeNames: z.array(z.string()).optional().describe('Attributes that the issue is about'),
  categories: z.array(z.string()).optional().describe('Value seen: INVALID_ATTRIBUTE'),
  enforcements: z
    .looseObject({
      actions: z
        .array(z.looseObject({ action: z.string().optional().describe('Value seen: LISTING_SUPPRESSED') }))
        .optional(),
      exemption: z
        .looseObject({
          status: z.string().optional().describe('Value seen: EXEMPT'),
          expiryDate: dateTime.optional(),
        })
        .optional(),
    })
    .optional()
    .describe('What the marketplace does about it, and whether the listing is exempt for now'),
});
export type Issue = z.infer<typeof issueSchema>;

/** Section 2.3, 5 fields. `price.amount` is a string, the points' amount a number. */
export const itemOfferSchema = z.looseObject({
  marketplaceId: z.string().optional(),
  offerType: z.string().optional().describe('Value seen: B2C'),
  price: money.optional(),
  points: z
    .looseObject({
      pointsNumber: z.number().optional(),
      pointsMonetaryValue: z
        .looseObject({ currencyCode: z.string().optional(), amount: z.number().optional() })
        .optional(),
    })
    .optional(),
  audience: z
    .looseObject({
      value: z.string().optional().describe('Value seen: ALL'),
      displayName: z.string().optional(),
    })
    .optional(),
});
export type ItemOffer = z.infer<typeof itemOfferSchema>;

/** Section 2.3, 2 fields. */
export const fulfillmentAvailabilitySchema = z.looseObject({
  fulfillmentChannelCode: z.string().optional(),
  quantity: z.number().optional(),
});

/** Section 2.3, 1 field. */
export const itemProcurementSchema = z.looseObject({ costPrice: money.optional() });

/** Section 2.3: the item itself; only `sku` is always there. */
export const itemSchema = z.looseObject({
  sku: z.string().describe("The seller's own identifier of the listing"),
  summaries: z.array(itemSummarySchema).optional().describe('One per marketplace'),
  attributes: z.record(z.string(), z.unknown()).optional().describe('Structured data by attribute name'),
  issues: z.array(issueSchema).optional(),
  offers: z.array(itemOfferSchema).optional(),
  fulfillmentAvailability: z.array(fulfillmentAvailabilitySchema).optional(),
  procurement: z.array(itemProcurementSchema).optional().describe('For vendors'),
});
export type Item = z.infer<typeof itemSchema>;

/** Section 4.2: body of the 200 answer; `errors` may stand beside `payload`. */
export const catalogItemResponseSchema = z.looseObject({
  payload: itemSchema.optional(),
  errors: z.array(serviceErrorSchema).optional(),
});
export type CatalogItemResponse = z.infer<typeof catalogItemResponseSchema>;
