/** The scope of a report's rows, whatever marketplace is requested, and the peculiarities of its columns. */

import { findMarketplace } from './find-marketplace.ts';
import { reportTraits } from './generated/report-traits.ts';
import { marketplaceById } from './marketplaces.ts';

export interface ReportTraits {
  /**
   * The scope of the rows. `marketplace`: the requested one. `region`: all marketplaces of the region.
   * `account`: the same rows for every marketplace of the region.
   */
  scope: 'marketplace' | 'region' | 'account' | 'not known';
  /** The heading of the column with the marketplace of each row. */
  marketplace?: string;
  /** True when it accepts the option `preferredReportDocumentLocale`, the language of its headings. */
  locale?: true;
  /** The headings of a file whose first row of each settlement has the values for all of its rows. */
  settlement?: { id: string; shared: readonly string[] };
  /** The thread or the reason. */
  source: string;
}

/** Returns the traits of a report type; undefined for an unknown one. */
export function traitsOfReport(type: string): ReportTraits | undefined {
  return Object.hasOwn(reportTraits, type) ? reportTraits[type] : undefined;
}

/**
 * Returns options for English headings if the type accepts them and the caller names no language. They are a
 * preference: an existing report in any language is accepted, because columns are also recognized by their
 * values.
 */
export function headingOptions(type: string): Readonly<Record<string, string>> {
  return traitsOfReport(type)?.locale === true ? { preferredReportDocumentLocale: 'en_US' } : {};
}

/**
 * Returns the regions of an account-wide report, which is the same for every marketplace of a region;
 * undefined for any other report.
 */
export function accountWideRegions(type: string, marketplaces: readonly string[]): string[] | undefined {
  if (traitsOfReport(type)?.scope !== 'account') return undefined;
  // An ID that is newer than the table counts as a region of its own.
  return [...new Set(marketplaces.map((id) => marketplaceById(id)?.region ?? id))].sort();
}

/** The headings of a row's marketplace in reports, as SQL names. */
export const MARKETPLACE_HEADINGS: readonly string[] = [
  'sales_channel',
  'marketplace',
  'marketplace_name',
  'marketplace_id',
  'amazon_store',
  'store',
];

/** Matches `Amazon.de`, `amazon.co.uk`, `www.amazon.com.mx`. */
const DOMAIN = /^(?:www\.)?amazon\.([a-z]{2,3}(?:\.[a-z]{2})?)$/;

/** Matches `SI CA Prod Marketplace` and similar names, which some settlements use for Canada and others. */
const INTERNAL = /^si (?:prod )?([a-z]{2}) (?:prod )?marketplace$/;

/**
 * Returns the English country name of a marketplace as reports name it (`Amazon.de`, `DE`, an ID, `SI CA Prod
 * Marketplace`). Undefined for another channel (`Non-Amazon`) and unknown values.
 */
export function countryOfChannel(value: string): string | undefined {
  const text = value.trim().toLowerCase();
  const [, domain] = DOMAIN.exec(text) ?? [];
  const [, internal] = INTERNAL.exec(text) ?? [];
  const code = domain === 'com' ? 'us' : (domain?.split('.').at(-1) ?? internal);
  const found = findMarketplace(code ?? value.trim());
  return found.kind === 'known' ? found.marketplace.name : undefined;
}

/** Returns true for the name of a sales channel, whatever the heading of its column. */
export const isChannelName = (value: string): boolean => {
  const text = value.trim().toLowerCase();
  return DOMAIN.test(text) || INTERNAL.test(text) || /^non-amazon(?: |$)/.test(text);
};
