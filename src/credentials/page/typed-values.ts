/** What becomes of the values of a form that was refused: shown again, kept out of sight, or gone. */

import type { SecretName, ShownValues } from './fields.ts';
import type { Trouble } from './render.ts';

export type Fields = Readonly<Record<string, string>>;

/** Secrets that were typed and not refused. */
export type KeptSecrets = Partial<Record<SecretName, string>>;

/** The fields whose values are never sent back. */
export const secretNames = ['clientSecret', 'refreshToken'] as const;

export function namesOf(kept: KeptSecrets): SecretName[] {
  return secretNames.filter((name) => kept[name] !== undefined);
}

/** The secrets that stand in for fields which came back empty. */
export function stillKept(typed: Fields, kept: KeptSecrets): KeptSecrets {
  const used: KeptSecrets = {};
  for (const name of secretNames) {
    if ((typed[name] ?? '').trim() === '' && kept[name] !== undefined) used[name] = kept[name];
  }
  return used;
}

/** What was typed and not refused; a value that stands in another field too belongs to one of them at most. */
export function keep(given: Fields, { problems }: Trouble): KeptSecrets {
  const kept: KeptSecrets = {};
  for (const name of secretNames) {
    const value = given[name]?.trim() ?? '';
    const isElsewhere = Object.entries(given).some(
      ([other, text]) => other !== name && text.trim() === value,
    );
    if (value === '' || isElsewhere || problems.some(({ path }) => path === name)) continue;
    kept[name] = value;
  }
  return kept;
}

/** Pasted into the wrong field, a secret would come back as an ordinary value: what was refused or is secret goes. */
export function showable(
  names: readonly (keyof ShownValues)[],
  given: Fields,
  { problems }: Trouble,
  secrets: readonly (string | undefined)[],
): ShownValues {
  const shown: ShownValues = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || problems.some(({ path }) => path === name)) continue;
    if (!secrets.includes(value.trim())) shown[name] = value;
  }
  return shown;
}
