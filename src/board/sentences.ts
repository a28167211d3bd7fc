/** What a view has the person ask the assistant: words of ours, with names that can neither end nor begin a sentence. */

import { nameWithin } from '../base/text/quote-within.ts';

const MOST_BYTES = 80;

/** A SKU, an id or a table as a sentence may hold it. */
export const named = (name: string): string => nameWithin(name, MOST_BYTES);

/** A country by its name; an id that is not known might be anything. */
export const placeName = (name: string): string => (/^[\p{L} ]{1,40}$/u.test(name) ? name : named(name));

/** Codes and attributes as the service defines them; anything else is not repeated. */
const PLAIN = /^[\w.-]{1,60}(?:, [\w.-]{1,60}){0,9}$/;
export const isPlain = (text: string): boolean => PLAIN.test(text);
