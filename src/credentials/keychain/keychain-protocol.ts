/** What the program and its keychain child say to each other: one JSON request, one JSON answer, over pipes. */

/** The service name under which every entry stands in the keychain. */
export const KEYCHAIN_SERVICE = 'seller-commerce-mcp';

/** The hidden first argument that makes the program be the child. */
export const KEYCHAIN_CHILD_ARGUMENT = 'keychain-child';

export type KeychainRequest =
  /** Names in the index whose entry exists. */
  | { op: 'list' }
  | { op: 'read'; entry: string }
  /** Replaces the entry whole; `listed` is then made sure to be in the index. */
  | { op: 'write'; entry: string; value: string; listed?: string }
  /** Answers whether the first entry existed; `unlisted` leaves the index last. */
  | { op: 'delete'; entries: readonly string[]; unlisted?: string };

/** Why the keychain did not do what it was asked. */
export type KeychainCause =
  | 'locked'
  | 'denied'
  | 'absent'
  | 'not-installed'
  | 'refused'
  | 'timed-out'
  | 'no-child'
  | 'too-large'
  | 'failed';

export type KeychainAnswer =
  | { ok: true; value?: string; names?: readonly string[]; deleted?: boolean }
  | { ok: false; cause: KeychainCause; detail: string };

/** The index: one entry that holds the names of the accounts. Every other entry's name holds a colon. */
export const INDEX_ENTRY = 'accounts';

export function accountEntry(account: string): string {
  return `account:${account}`;
}

export function tokenEntry(account: string): string {
  return `token:${account}`;
}
