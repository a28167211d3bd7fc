/** Prompt explain_listing_issues: what is wrong with a listing, in a seller's words. */

import { completable } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { LISTING_LOOKUPS } from '../../service/facts/listing-lookups.ts';
import { completeAccount, completeMarketplace } from '../completions.ts';
import { definePrompt } from '../define-prompt.ts';

export const explainListingIssues = definePrompt({
  name: 'explain_listing_issues',
  title: 'Explain what is wrong with a listing',
  description: 'Looks up the issues of a listing and explains what hurts sales, why, and what to do first.',
  arguments: ({ session }) =>
    z.object({
      identifier: z.string().min(1).describe('SKU or ASIN'),
      marketplace: completable(z.string().describe('Country: Germany, DE'), (typed) =>
        completeMarketplace(typed, session),
      ).optional(),
      account: completable(z.string(), (typed) => completeAccount(typed, session)).optional(),
    }),
  text({ identifier, marketplace, account }) {
    const where =
      marketplace === undefined ? "the account's marketplace" : `the marketplace of ${marketplace}`;
    const whose = account === undefined ? '' : ` Use account "${account}" in every call.`;
    return [
      `Find out what is wrong with my listing "${identifier}" in ${where}.${whose}`,
      'Call read_operation with operation "listings-items/getListingsItem", the SKU as parameters.sku, and includedData ["summaries","issues","offers","fulfillmentAvailability"]. If I gave an ASIN (10 characters, beginning with B0), find the SKU first: read_operation with "listings-items/searchListingsItems", identifiers and identifiersType "ASIN".',
      `If I meant more than one listing: ${LISTING_LOOKUPS}`,
      'Then tell me: what stops sales first, what it means in plain words, which attributes to correct and how, and until when an exemption holds. Do not change anything.',
    ].join('\n');
  },
});
