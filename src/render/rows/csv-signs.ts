/**
 * Chooses the separators of a CSV: as requested, else as configured, else as in the marketplace's country.
 */

import { thisComputer } from '../../base/invocation.ts';
import type { CsvSigns } from '../../base/settings.ts';
import { marketplaceById, marketplaceName } from '../../service/facts/marketplaces.ts';
import type { ReadingSession } from '../reading-session.ts';

export interface ChosenCsvSigns {
  signs: CsvSigns;
  /** The reason for the choice: `as in Germany`; empty if nothing is known. */
  because: string;
}

/** @throws CredentialError for an unknown account */
export async function chooseCsvSigns(
  requested: CsvSigns | undefined,
  session: ReadingSession,
  account: string,
): Promise<ChosenCsvSigns> {
  if (requested !== undefined) return { signs: requested, because: 'as asked' };
  const { csv } = session.settings();
  if (csv !== undefined) return { signs: csv, because: `as set for ${thisComputer()} (--csv)` };
  const { marketplaceId } = await (await session.accounts()).profile(account);
  const known = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId);
  if (known === undefined) return { signs: 'comma', because: '' };
  return { signs: known.csv, because: `as in ${marketplaceName(known.id)}` };
}

const WORDS: Readonly<Record<CsvSigns, string>> = {
  comma: 'commas between cells, a point before decimals',
  semicolon: 'semicolons between cells, a comma before decimals',
  'semicolon-point': 'semicolons between cells, a point before decimals',
};

/** Returns a sentence. */
export function describeCsvSigns({ signs, because }: ChosenCsvSigns): string {
  const why = because === '' ? '' : `, ${because}`;
  return `The CSV has ${WORDS[signs]}${why}; csv writes it otherwise, and .xlsx needs neither.`;
}
