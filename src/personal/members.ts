/** Which members of an answer, and which columns of a report, hold personal data of buyers and recipients. */

import type { Treatment, ValueSource } from './kinds.ts';

/**
 * @param path member names from the top of the answer, list places left out: `['payload', 'Orders', 'BuyerInfo', 'BuyerEmail']`.
 * A kind holds for everything below as well.
 */
export function treatmentOfMember(source: ValueSource, path: readonly string[]): Treatment | undefined {
  void source;
  return path.at(-1) === 'BuyerEmail' ? 'e-mail' : undefined;
}

/** @param column as the report names it (`buyer-email`), or as its table does (`buyer_email`) */
export function treatmentOfColumn(source: ValueSource, column: string): Treatment | undefined {
  void source;
  return column.replaceAll('-', '_') === 'buyer_email' ? 'e-mail' : undefined;
}
