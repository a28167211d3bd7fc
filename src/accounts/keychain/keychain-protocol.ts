/** What the program and its keychain child say to each other over pipes: one JSON request, a sign of life, one JSON answer. */

import { isJsonObject, parseJson } from '../../base/json.ts';
import { isKeychainCause, type KeychainCause } from './keychain-failure.ts';

/** The service name under which every entry stands in the keychain. */
export const KEYCHAIN_SERVICE = 'seller-commerce-mcp';

/** The hidden first argument that makes the program be the child. */
export const KEYCHAIN_CHILD_ARGUMENT = 'keychain-child';

/** The index: one entry that holds the names of the accounts. Every other entry's name holds a colon. */
export const INDEX_ENTRY = 'accounts';

/**
 * What the child writes before it turns to the keychain: what takes long from here on is the keychain, not the start of
 * a process on a busy machine. JSON bears blanks before a value, so that the answer can be read with it or without.
 */
export const STARTED = '\n';

export type KeychainRequest =
  /** Names in the index whose entry exists. */
  | { op: 'list' }
  /** An entry that is there is then made sure to be in the index as `listed`. */
  | { op: 'read'; entry: string; listed?: string }
  /** Replaces the entry whole; `listed` is then made sure to be in the index. */
  | { op: 'write'; entry: string; value: string; listed?: string }
  /** Answers whether the first entry existed; `unlisted` leaves the index last. */
  | { op: 'delete'; entries: readonly string[]; unlisted?: string };

export type KeychainAnswer =
  | { ok: true; value?: string; names?: readonly string[]; deleted?: boolean }
  | { ok: false; cause: KeychainCause; detail: string };

export const accountEntry = (account: string) => `account:${account}`;
export const tokenEntry = (account: string) => `token:${account}`;
export const keyEntry = (id: string) => `key:${id}`;

/** By hand: zod would make each start of the child slower by half. Undefined where it is no request. */
export function parseRequest(line: string): KeychainRequest | undefined {
  const value = parseJson(line);
  return isRequest(value) ? value : undefined;
}

function isRequest(value: unknown): value is KeychainRequest {
  if (!isJsonObject(value)) return false;
  switch (value.op) {
    case 'list':
      return true;
    case 'read':
      return isText(value.entry) && isTextOrNothing(value.listed);
    case 'write':
      return isText(value.entry) && isText(value.value) && isTextOrNothing(value.listed);
    case 'delete':
      return Array.isArray(value.entries) && value.entries.every(isText) && isTextOrNothing(value.unlisted);
    default:
      return false;
  }
}

/** The child is this same program, so the outline is enough. Undefined where it is no answer. */
export function parseAnswer(text: string): KeychainAnswer | undefined {
  const value = parseJson(text);
  return isAnswer(value) ? value : undefined;
}

function isAnswer(value: unknown): value is KeychainAnswer {
  if (!isJsonObject(value)) return false;
  return value.ok === true || (value.ok === false && isKeychainCause(value.cause) && isText(value.detail));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || isText(value);
}
