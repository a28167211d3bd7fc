/**
 * Determines how the user's spreadsheets separate a CSV from the terminal's locale, which a host's server
 * does not see.
 */

import type { CsvSigns } from '../../base/settings.ts';
import type { Outside } from '../runtime/outside.ts';

/** Countries with a decimal point and semicolons between cells. */
const SEMICOLON_AND_POINT: ReadonlySet<string> = new Set(['CH', 'LI']);

/** Returns undefined when the system has no locale of the user, or the locale C. */
export function csvOfLocale({ env, platform }: Pick<Outside, 'env' | 'platform'>): CsvSigns | undefined {
  const named = [env.LC_ALL, env.LC_NUMERIC, env.LANG].find((value) => value !== undefined && value !== '');
  // Node reads the system's locale on Windows, and these variables elsewhere.
  const tag = platform === 'win32' && named === undefined ? systemLocale() : toTag(named);
  return tag === undefined ? undefined : signsOf(tag);
}

const systemLocale = () => Intl.DateTimeFormat().resolvedOptions().locale;

/** Returns `de-DE` for `de_DE.UTF-8@euro`. */
function toTag(name: string | undefined): string | undefined {
  const [plain = ''] = (name ?? '').split(/[.@]/);
  return /^[a-z]{2,3}(?:_[A-Za-z]+)*$/.test(plain) ? plain.replaceAll('_', '-') : undefined;
}

/** Returns the separators; locales with a decimal comma separate lists by semicolons. */
function signsOf(tag: string): CsvSigns | undefined {
  if (Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return undefined;
  const parts = new Intl.NumberFormat(tag).formatToParts(1.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value;
  if (decimal === ',') return 'semicolon';
  if (decimal !== '.') return undefined;
  return SEMICOLON_AND_POINT.has(new Intl.Locale(tag).maximize().region ?? '') ? 'semicolon-point' : 'comma';
}
