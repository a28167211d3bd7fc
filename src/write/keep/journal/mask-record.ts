/** A record of the journal without personal data: what was sent, by the members of its operation; texts by their looks. */

import { isJsonObject } from '../../../base/json.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';

/** The others are names and numbers of ours: an account can be named like an e-mail address. */
const SENT = ['parameters', 'body'];
const TOLD = ['error', 'differences', 'what'];

type Masking = Pick<PersonalData, 'maskRecord' | 'maskTexts'>;

/** @param record an intent or an outcome, on file or as it was read from there */
export function maskRecord<T>(record: T, personal: Masking): T {
  if (!isJsonObject(record)) return record;
  const account = String(record.account ?? '');
  const operation = String(record.operation ?? '');
  const masked = (names: readonly string[], mask = (value: unknown) => value) =>
    names
      .filter((name) => record[name] !== undefined)
      .map((name) => [name, personal.maskTexts(mask(record[name]))] as const);
  const sent = masked(SENT, (value) => personal.maskRecord(account, { operation }, value));
  return { ...record, ...Object.fromEntries([...sent, ...masked(TOLD)]) };
}
