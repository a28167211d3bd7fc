/**
 * Completes the arguments of prompts and resources with at most 100 values, the protocol's limit. A value
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

/** All values, before anything is typed. */
const VALUES = {
  /** Names of countries, then their codes. */
  async marketplace() {
    const { marketplaces } = await import('../service/facts/marketplaces.ts');
    return [...marketplaces().map(({ name }) => name), ...marketplaces().map(({ country }) => country)];
  },
  /** Ids. */
  async operation({ program }) {
    const { operations } = await program.registry();
    return operations.map(({ id }) => id);
  },
  async reportType() {
    const { reportTypes } = await import('../service/facts/report-types.ts');
    return reportTypes.map(({ id }) => id);
  },
  /** Names; none where the keychain does not answer. */
  async account(session) {
    return session
      .accounts()
      .then((accounts) => accounts.names())
      .catch(() => []);
  },
  /** Ids that answers of this session held. */
  async supplySource(session) {
    const { maskText } = await session.personal();
    const ids = (await session.answers()).supplySources().map((id) => id.identifier());
    return ids.filter((id) => id !== undefined).filter((id) => maskText(id) === id);
  },
  /** Names in the folder of files, newest first. */
  async file(session) {
    const { shownFiles } = await import('./resources/read-files.ts');
    return (await shownFiles(session)).map(({ name }) => name);
  },
} satisfies Record<string, (session: Session) => Promise<readonly string[]>>;

export function completerOf(what: keyof typeof VALUES, session: Session) {
  return async (typed: string) => match(await VALUES[what](session), typed, session);
}
