/**
 * What the arguments of prompts and resources can be completed with; at most 100 values, the protocol's limit. A value
 * stands for itself, so that nothing in it can be marked, escaped or blotted out: one that would have to be is left out.
 */

import { hasHidden } from '../base/text/escape-text.ts';
import type { Session } from '../write/session.ts';

const MOST = 100;

/** Values that begin with, then those that hold, what was typed. */
function match(values: readonly string[], typed: string, { redactor }: Pick<Session, 'redactor'>): string[] {
  const wanted = typed.toLowerCase();
  const clean = values.filter((value) => !hasHidden(value) && redactor.redact(value) === value);
  const holding = clean.filter((value) => value.toLowerCase().includes(wanted));
  const starts = (value: string) => Number(value.toLowerCase().startsWith(wanted));
  return holding.sort((a, b) => starts(b) - starts(a)).slice(0, MOST);
}

/** The SDK looks a completer up by the name that the client gives: `constructor` must find nothing. */
export function withoutPrototype<Completers extends object>(completers: Completers): Completers {
  Object.setPrototypeOf(completers, null);
  return completers;
}

/** Names of countries, then their codes. */
export async function completeMarketplace(typed: string, session: Session): Promise<string[]> {
  const { marketplaces } = await import('../service/facts/marketplaces.ts');
  return match(
    [...marketplaces().map(({ name }) => name), ...marketplaces().map(({ country }) => country)],
    typed,
    session,
  );
}

/** Operation ids. */
export async function completeOperation(typed: string, session: Session): Promise<string[]> {
  const { operations } = await session.program.registry();
  return match(
    operations.map(({ id }) => id),
    typed,
    session,
  );
}

/** Values of `reportType`. */
export async function completeReportType(typed: string, session: Session): Promise<string[]> {
  const { reportTypes } = await import('../service/facts/report-types.ts');
  return match(
    reportTypes.map(({ id }) => id),
    typed,
    session,
  );
}

/** Names of accounts; none where the keychain does not answer. */
export async function completeAccount(typed: string, session: Session): Promise<string[]> {
  const names = await session
    .accounts()
    .then((accounts) => accounts.names())
    .catch(() => []);
  return match(names, typed, session);
}

/** Ids of supply sources that answers of this session held. */
export async function completeSupplySource(typed: string, session: Session): Promise<string[]> {
  const { maskText } = await session.personal();
  const ids = (await session.answers()).supplySources().map((id) => id.identifier());
  return match(
    ids.filter((id) => id !== undefined).filter((id) => maskText(id) === id),
    typed,
    session,
  );
}

/** Names in the folder of files, newest first. */
export async function completeFile(typed: string, session: Session): Promise<string[]> {
  const { shownFiles } = await import('./resources/read-files.ts');
  const names = (await shownFiles(session)).map(({ name }) => name);
  return match(names, typed, session);
}
