/** The item as the interface document has it (section 2.3), for holding what the sandbox answers against it. */

import * as z from 'zod';

const money = z.looseObject({ currencyCode: z.string().optional(), amount: z.string().optional() });
const dateTime = z.iso.datetime();

const summary = z.looseObject({
  marketplaceId: z.string().optional(),
  asin: z.string().optional(),
  productType: z.string().optional(),
  conditionType: z.string().optional(),
  status: z.array(z.string()).optional(),
  fnSku: z.string().optional(),
  itemName: z.string().optional(),
  createdDate: dateTime.optional(),
  lastUpdatedDate: dateTime.optional(),
  mainImage: z
    .looseObject({ link: z.string().optional(), height: z.int().optional(), width: z.int().optional() })
    .optional(),
});

const issue = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
  severity: z.string().optional(),
  attributeNames: z.array(z.string()).optional(),
  categories: z.array(z.string()).optional(),
  enforcements: z
    .looseObject({
      actions: z.array(z.looseObject({ action: z.string().optional() })).optional(),
      exemption: z.looseObject({ status: z.string().optional(), expiryDate: dateTime.optional() }).optional(),
    })
    .optional(),
});

/** `price.amount` is a string, the points' amount a number. */
const offer = z.looseObject({
  marketplaceId: z.string().optional(),
  offerType: z.string().optional(),
  price: money.optional(),
  points: z
    .looseObject({
      pointsNumber: z.int().optional(),
      pointsMonetaryValue: z
        .looseObject({ currencyCode: z.string().optional(), amount: z.number().optional() })
        .optional(),
    })
    .optional(),
  audience: z.looseObject({ value: z.string().optional(), displayName: z.string().optional() }).optional(),
});

/** Loose: fixtures also hold what nobody documented. */
export const itemSchema = z.looseObject({
  sku: z.string(),
  summaries: z.array(summary).optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  issues: z.array(issue).optional(),
  offers: z.array(offer).optional(),
  fulfillmentAvailability: z
    .array(z.looseObject({ fulfillmentChannelCode: z.string().optional(), quantity: z.int().optional() }))
    .optional(),
  procurement: z.array(z.looseObject({ costPrice: money.optional() })).optional(),
});
