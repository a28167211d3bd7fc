/** Describes a request: the days that it was sent for, the marketplaces that it names, and doubts about them. */

import { quoteName } from '../../base/text/quote-name.ts';
import { marketplaceLabel } from '../../service/facts/marketplaces.ts';
import type { SentDay } from './resolve-days.ts';
import type { SentMarketplace } from './resolve-marketplaces.ts';
import type { UnlistedValue } from './validate-shape.ts';

export function describeSentDays(days: readonly SentDay[] = []): string[] {
  const [first] = days;
  if (first === undefined) return [];
  const sent = days.map((day) => `${day.parameter} ${day.given} as ${day.sent}`);
  return [`Days are those of ${first.of}: sent were ${sent.join(', ')}.`];
}

/** Listed values that one sentence repeats. */
const MAX_LISTED = 20;

/** One sentence for each value that was sent although the definitions do not list it; empty for none. */
export function describeUnlistedValues(values: readonly UnlistedValue[] = []): string[] {
  return values.map(({ path, listed }) => {
    const more = listed.length > MAX_LISTED ? ` and ${listed.length - MAX_LISTED} more` : '';
    const known = listed.slice(0, MAX_LISTED).map(quoteName).join(', ');
    return `${path} was sent with a value that the definitions of this server do not list (they list ${known}${more}): the service may refuse or ignore it.`;
  });
}

/** Warnings that one answer repeats. */
const MAX_WARNINGS = 5;

/** One sentence for each value that is doubtful, however often it stands there. */
export function marketplaceWarnings(marketplaces: readonly SentMarketplace[]): string[] {
  const all = [...new Set(marketplaces.map(({ warning }) => warning))].filter(
    (warning) => warning !== undefined,
  );
  const rest = all.length - MAX_WARNINGS;
  return rest > 0
    ? [...all.slice(0, MAX_WARNINGS), `${rest} more marketplaces are doubtful in the same way.`]
    : all;
}

/** `Germany (A1PA6795UKMFR9)` for each that was given by anything else than its id. */
export function namedMarketplaces(marketplaces: readonly SentMarketplace[]): string[] {
  const named = marketplaces.filter(({ given, id }) => given !== id);
  return [...new Set(named.map(({ id }) => marketplaceLabel(id) ?? id))];
}
