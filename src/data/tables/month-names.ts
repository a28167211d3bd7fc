/** The names of months in the languages of the marketplaces, from the engine's own language data. */

const LANGUAGES = ['en', 'es', 'pt', 'fr', 'nl', 'de', 'it', 'sv', 'pl', 'tr', 'ar', 'hi'];

/** Short forms that the language data lack, or have in only one of two variants. */
const EXTRA_NAMES: Readonly<Record<string, number>> = {
  sept: 9,
  mrz: 3,
  maerz: 3,
  marz: 3,
  set: 9,
  okt: 10,
  dez: 12,
};

/** Marks a word that means different months in two languages. */
const AMBIGUOUS = 0;

let months: ReadonlyMap<string, number> | undefined;

/** Returns 1 to 12; undefined for a word that is no month, or that two languages use for different ones. */
export function monthOfName(name: string): number | undefined {
  months ??= readMonths();
  return months.get(normalizeMonth(name)) || undefined;
}

/** Removes case, accents and points, which do not distinguish months. */
const normalizeMonth = (name: string) =>
  name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('.', '').toLowerCase().replaceAll('ı', 'i');

function readMonths(): Map<string, number> {
  const found = new Map<string, number>(Object.entries(EXTRA_NAMES));
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric' as const]) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
        for (let number = 1; number <= 12; number++) {
          const parts = format.formatToParts(new Date(Date.UTC(2026, number - 1, 15)));
          const name = normalizeMonth(parts.find(({ type }) => type === 'month')?.value ?? '');
          if (!/^\p{L}/u.test(name)) continue;
          const before = found.get(name);
          found.set(name, before === undefined || before === number ? number : AMBIGUOUS);
        }
      }
    }
  }
  return found;
}
