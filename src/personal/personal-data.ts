/** What a session does about personal data: masks what goes to the assistant, and knows what a mark of its own stands for. */

import type { ValueSource } from './kinds.ts';

export interface Masked<T> {
  value: T;
  /** Values that were replaced. */
  count: number;
}

export interface Resolved {
  /** A copy with every mark replaced by its value. */
  value: unknown;
  /** For the question to the person. */
  replaced: readonly { mark: string; original: string }[];
}

/** Per session. With `--personal-data=show` nothing is masked, and marks are still resolved. */
export interface PersonalData {
  /** False with `--personal-data=show`. */
  isMasking: boolean;
  /** Key of the marks: for the worker that queries tables. */
  key: Uint8Array;
  /** A copy of what the service answered, as it may go to the assistant; what was replaced is remembered for `account`. */
  maskAnswer(account: string, source: ValueSource, value: unknown): Masked<unknown>;
  /** One value of a kind that is known, from a table; remembered too. */
  remember(account: string, pairs: ReadonlyMap<string, string>): void;
  /** Free text: e-mail addresses, telephone numbers, and values that were masked before. */
  maskText(text: string): string;
  /** The same for every text of a value. */
  maskTexts(value: unknown): unknown;
  /** @throws InputError for a mark that stands for nothing that is known of this account, or for two things */
  resolve(account: string, value: unknown): Resolved;
  /** The line on masking, the first time it is asked for in a session after something was masked; then undefined. */
  firstNote(): string | undefined;
}
