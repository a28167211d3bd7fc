/** How far the rows of a report reach, whatever marketplace was asked for, and what is particular about its columns. */

import { findMarketplace } from './find-marketplace.ts';
import { reportTraits } from './generated/report-traits.ts';
import { marketplaceById } from './marketplaces.ts';

export interface ReportTraits {
  /**
   * `marketplace`: rows of the one that was asked for. `region`: rows of all marketplaces of the region. `account`: the
   * same rows whichever marketplace of the region is asked for.
   */
  scope: 'marketplace' | 'region' | 'account' | 'not known';
  /** Heading of the column that says where each row is from. */
  marketplace?: string;
  /** It takes the option `preferredReportDocumentLocale`, the language of its headings. */
  locale?: true;
  /** Headings of a file whose first row of each settlement carries what holds for all of its rows. */
  settlement?: { id: string; shared: readonly string[] };
  /** The thread or the reason. */
  source: string;
}

/** Undefined for a report type that is not known here. */
export function traitsOfReport(type: string): ReportTraits | undefined {
  return Object.hasOwn(reportTraits, type) ? reportTraits[type] : undefined;
}

/**
 * Options that ask for English headings where the type takes them and the caller names no language. They are a wish: a
 * report that is there already fits whatever its language is, since columns are found by their values too.
 */
export function headingOptions(type: string): Readonly<Record<string, string>> {
  return traitsOfReport(type)?.locale === true ? { preferredReportDocumentLocale: 'en_US' } : {};
}

/** The same account-wide report answers for every marketplace of a region; undefined for any other report. */
export function accountWideRegions(type: string, marketplaces: readonly string[]): string[] | undefined {
  if (traitsOfReport(type)?.scope !== 'account') return undefined;
  // An id that is newer than the table is a region of its own.
  return [...new Set(marketplaces.map((id) => marketplaceById(id)?.region ?? id))].sort();
}

/** Headings under which reports name the marketplace of a row, in the spelling of SQL names. */
export const MARKETPLACE_HEADINGS: readonly string[] = [
  'sales_channel',
  'marketplace',
  'marketplace_name',
  'marketplace_id',
  'amazon_store',
  'store',
];

/** `Amazon.de`, `amazon.co.uk`, `www.amazon.com.mx`. */
const DOMAIN = /^(?:www\.)?amazon\.([a-z]{2,3}(?:\.[a-z]{2})?)$/;

/** `SI CA Prod Marketplace`, as some settlements call Canada (and so on). */
const INTERNAL = /^si (?:prod )?([a-z]{2}) (?:prod )?marketplace$/;

/**
 * English name of the country of the marketplace that a report calls so (`Amazon.de`, `DE`, an id, `SI CA Prod
 * Marketplace`); undefined for another channel (`Non-Amazon`) and for whatever is not known.
 */
export function countryOfChannel(value: string): string | undefined {
  const text = value.trim().toLowerCase();
  const [, domain] = DOMAIN.exec(text) ?? [];
  const [, internal] = INTERNAL.exec(text) ?? [];
  const code = domain === 'com' ? 'us' : (domain?.split('.').at(-1) ?? internal);
  const found = findMarketplace(code ?? value.trim());
  return found.kind === 'known' ? found.marketplace.name : undefined;
}

/** True for the name of a sales channel, whatever the heading of its column is. */
export const isChannelName = (value: string): boolean => {
  const text = value.trim().toLowerCase();
  return DOMAIN.test(text) || INTERNAL.test(text) || /^non-amazon(?: |$)/.test(text);
};
