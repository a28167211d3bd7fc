/** How the person's own spreadsheets separate a CSV: read from the locale of the terminal, which a host's server does not see. */

import type { CsvSigns } from '../../base/settings.ts';
import type { Outside } from '../runtime/outside.ts';

/** Decimals stand behind a point there, and semicolons between cells all the same. */
const SEMICOLON_AND_POINT: ReadonlySet<string> = new Set(['CH', 'LI']);

/** Undefined where the system says nothing of the person: in the locale C, or in none. */
export function csvOfLocale({ env, platform }: Pick<Outside, 'env' | 'platform'>): CsvSigns | undefined {
  const named = [env.LC_ALL, env.LC_NUMERIC, env.LANG].find((value) => value !== undefined && value !== '');
  // Node on Windows asks the system, elsewhere these variables.
  const tag = platform === 'win32' && named === undefined ? systemLocale() : toTag(named);
  return tag === undefined ? undefined : signsOf(tag);
}

const systemLocale = () => Intl.DateTimeFormat().resolvedOptions().locale;

/** `de-DE` of `de_DE.UTF-8@euro`. */
function toTag(name: string | undefined): string | undefined {
  const [plain = ''] = (name ?? '').split(/[.@]/);
  return /^[a-z]{2,3}(?:_[A-Za-z]+)*$/.test(plain) ? plain.replaceAll('_', '-') : undefined;
}

/** Regional settings that put a comma before decimals have a semicolon for lists. */
function signsOf(tag: string): CsvSigns | undefined {
  if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return undefined;
  const parts = new Intl.NumberFormat(tag).formatToParts(1.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value;
  if (decimal === ',') return 'semicolon';
  if (decimal !== '.') return undefined;
  return SEMICOLON_AND_POINT.has(new Intl.Locale(tag).maximize().region ?? '') ? 'semicolon-point' : 'comma';
}
