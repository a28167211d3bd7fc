/**
 * Formats the requests that a view offers the user to send to the assistant, with names that cannot end or
 * begin a sentence.
 */

import { nameWithin } from '../base/text/quote-within.ts';

const MAX_NAME_BYTES = 80;

/** Formats a SKU, an ID or a table for a sentence. */
export const formatNameInRequest = (name: string): string => nameWithin(name, MAX_NAME_BYTES);

/** Formats a country's name; an unknown ID is quoted, because it can contain any text. */
export const formatMarketplaceInRequest = (name: string): string =>
  /^[\p{L} ]{1,40}$/u.test(name) ? name : formatNameInRequest(name);

/** Codes and attributes as the service defines them; any other text is not repeated. */
const PLAIN = /^[\w.-]{1,60}(?:, [\w.-]{1,60}){0,9}$/;
export const isPlain = (text: string): boolean => PLAIN.test(text);
