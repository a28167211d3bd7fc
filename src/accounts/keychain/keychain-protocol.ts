/**
 * The protocol between the program and its keychain child over pipes: one JSON request, a start signal, one
 * JSON answer.
 */

import { isJsonObject, parseJson } from '../../base/json.ts';
import { isKeychainCause, type KeychainCause } from './keychain-failure.ts';

/** The service name of every entry in the keychain. */
export const KEYCHAIN_SERVICE = 'seller-commerce-mcp';

/** The hidden first argument that starts the program as the child. */
export const KEYCHAIN_CHILD_ARGUMENT = 'keychain-child';

/**
 * The index entry, which stores the names of the accounts. The name of every other entry contains a colon.
 */
export const INDEX_ENTRY = 'accounts';

/**
 * The start signal that the child writes before it uses the keychain. A delay after it is the keychain's, not
 * that of a process start on a busy machine. JSON allows whitespace before a value, so the answer parses with
 * or without it.
 */
export const STARTED = '\n';

export type KeychainRequest =
  /** Lists the names in the index whose entry exists. */
  | { op: 'list' }
  /** Reads an entry; if it exists, `listed` is added to the index when missing. */
  | { op: 'read'; entry: string; listed?: string }
  /** Replaces the whole entry and adds `listed` to the index when missing. */
  | { op: 'write'; entry: string; value: string; listed?: string }
  /**
   * Deletes the entries and reports whether the first one existed; `unlisted` is removed from the index last.
   */
  | { op: 'delete'; entries: readonly string[]; unlisted?: string };

export type KeychainAnswer =
  | { ok: true; value?: string; names?: readonly string[]; deleted?: boolean }
  | { ok: false; cause: KeychainCause; detail: string };

export const accountEntry = (account: string) => `account:${account}`;
export const tokenEntry = (account: string) => `token:${account}`;
export const keyEntry = (id: string) => `key:${id}`;

/**
 * Parses a request without zod, which would make each start of the child slower by half. Undefined when it is
 * not valid.
 */
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

/**
 * Parses an answer by its outline only, because the child is this same program. Undefined when it is not
 * valid.
 */
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
