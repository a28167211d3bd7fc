/**
 * Untrusted text of the service or another program, which is readable only through sinks that delimit, escape
 * and limit it.
 */

import { delimit, escapeText, showText } from './escape-text.ts';
import { requoteForeignPlaceholders } from './placeholder-shape.ts';

/**
 * The maximum characters of one text. Longer text is cut when it is read, so that every pattern runs on
 * bounded text.
 */
export const MAX_SERVICE_CHARACTERS = 1_600;

/** The characters that end a word; no token contains any of them. */
const BOUNDARY = /[\s"'`<>{}[\](),;]/;

/** An identifier that may appear undelimited, because it has no room for a sentence. */
const IDENTIFIER = /^[A-Za-z0-9][\w.:+/=~@-]{0,99}$/;

/**
 * A text from outside, created where its bytes are read. Nothing returns it unchanged, and accidental use
 * (`${text}`, JSON.stringify) throws, so that tests find it.
 */
export class ServiceText {
  readonly #text: string;
  /** The number of characters that were cut off. */
  readonly #missing: number;

  /**
   * Wraps the text.
   * @param missing characters that were cut off before
   */
  constructor(text: string, missing = 0) {
    const bounded = cut(text, MAX_SERVICE_CHARACTERS);
    this.#text = requoteForeignPlaceholders(bounded);
    this.#missing = missing + text.length - bounded.length;
  }

  /** Joins the non-empty texts. */
  static join(texts: readonly (ServiceText | undefined)[], separator: string): ServiceText {
    const nonEmpty = texts.filter((text) => text !== undefined).filter((text) => !text.isEmpty);
    const missing = nonEmpty.reduce((sum, text) => sum + text.#missing, 0);
    return new ServiceText(nonEmpty.map((text) => text.#text).join(separator), missing);
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#missing === 0;
  }

  is(word: string): boolean {
    return this.#text === word && this.#missing === 0;
  }

  /**
   * Tests the text.
   * @param pattern runs on at most 1,600 characters
   */
  matches(pattern: RegExp): boolean {
    return pattern.test(this.#text);
  }

  /** Returns an empty text if this one contains any of the secrets. */
  without(secrets: readonly string[]): ServiceText {
    return secrets.some((secret) => this.#text.includes(secret)) ? new ServiceText('') : this;
  }

  /**
   * The sink for texts that a model or a user reads, even in a terminal. The text is escaped and put between
   * « and », with the number of missing characters.
   */
  quoted(max = MAX_SERVICE_CHARACTERS): string {
    const shown = cut(this.#text, max);
    const missing = this.#missing + this.#text.length - shown.length;
    return missing === 0 ? delimit(shown) : `${delimit(shown)} (${missing} more characters)`;
  }

  /** The sink for a code, a host or an ID, which needs no delimiters if it is an unambiguous identifier. */
  shown(max = MAX_SERVICE_CHARACTERS): string {
    return this.#missing === 0 && this.#text.length <= max ? showText(this.#text) : this.quoted(max);
  }

  /** The sink for structured members and records: escaped, at most `most` characters before escaping. */
  data(max = MAX_SERVICE_CHARACTERS): string {
    return escapeText(cut(this.#text, max));
  }

  /** The sink for completions, which have no delimiters: undefined unless the text is an identifier. */
  identifier(): string | undefined {
    return this.#missing === 0 && IDENTIFIER.test(this.#text) ? this.#text : undefined;
  }

  toString(): never {
    throw forgotten();
  }

  toJSON(): never {
    throw forgotten();
  }

  valueOf(): never {
    throw forgotten();
  }

  [Symbol.toPrimitive](): never {
    throw forgotten();
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[words of the service]';
  }
}

/** Cuts between words only, because redaction would not recognize half of a secret. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = max;
  while (end > 0 && !BOUNDARY.test(text.charAt(end))) end -= 1;
  return text.slice(0, end);
}

function forgotten(): TypeError {
  return new TypeError('Words of the service leave through a sink of src/base/text/service-text.ts only.');
}
