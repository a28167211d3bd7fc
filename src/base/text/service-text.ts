/** Words of the service, or of another program outside, which leave only through a sink: marked, escaped and bounded. */

import { delimit, escapeText, showText } from './escape-text.ts';
import { withForeignMarks } from './mark-shape.ts';

/** Characters kept of one text: what is longer is cut where it is read, so that every expression meets bounded text. */
export const MOST_SERVICE_CHARACTERS = 1_600;

/** What ends a word; no token holds any of these. */
const BOUNDARY = /[\s"'`<>{}[\](),;]/;

/** What stands for itself: an identifier, without room for a sentence. */
const IDENTIFIER = /^[A-Za-z0-9][\w.:+/=~@-]{0,99}$/;

/**
 * A text that was read from outside, made where its bytes are read. Nothing gives it back as it is, and everything
 * that would show it by accident throws (`${text}`, JSON.stringify), so that a forgotten one fails loudly in its test.
 */
export class ServiceText {
  readonly #text: string;
  /** Characters that were cut off. */
  readonly #missing: number;

  /** @param missing characters that were cut off before */
  constructor(text: string, missing = 0) {
    const kept = cut(text, MOST_SERVICE_CHARACTERS);
    this.#text = withForeignMarks(kept);
    this.#missing = missing + text.length - kept.length;
  }

  /** The texts that are not empty, one after the other. */
  static join(texts: readonly (ServiceText | undefined)[], separator: string): ServiceText {
    const told = texts.filter((text) => text !== undefined).filter((text) => !text.isEmpty);
    const missing = told.reduce((sum, text) => sum + text.#missing, 0);
    return new ServiceText(told.map((text) => text.#text).join(separator), missing);
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#missing === 0;
  }

  is(word: string): boolean {
    return this.#text === word && this.#missing === 0;
  }

  /** @param pattern meets at most 1,600 characters */
  matches(pattern: RegExp): boolean {
    return pattern.test(this.#text);
  }

  /** Nothing, where it repeats one of these. */
  without(secrets: readonly string[]): ServiceText {
    return secrets.some((secret) => this.#text.includes(secret)) ? new ServiceText('') : this;
  }

  /** The sink for texts that a model or a person reads, a terminal too: between « and », escaped, what is missing counted. */
  quoted(most = MOST_SERVICE_CHARACTERS): string {
    const shown = cut(this.#text, most);
    const missing = this.#missing + this.#text.length - shown.length;
    return missing === 0 ? delimit(shown) : `${delimit(shown)} (${missing} more characters)`;
  }

  /** The same for a code, a host or an id, which needs no marks as long as it can be nothing else. */
  shown(most = MOST_SERVICE_CHARACTERS): string {
    return this.#missing === 0 && this.#text.length <= most ? showText(this.#text) : this.quoted(most);
  }

  /** The sink for structured forms and records: escaped; at most `most` characters before escaping. */
  data(most = MOST_SERVICE_CHARACTERS): string {
    return escapeText(cut(this.#text, most));
  }

  /** The sink for completions, which can carry no marks: undefined unless it can only be an identifier. */
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

/** Only whole words are kept: half of a secret would not be known for one. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && !BOUNDARY.test(text.charAt(end))) end -= 1;
  return text.slice(0, end);
}

function forgotten(): TypeError {
  return new TypeError('Words of the service leave through a sink of src/base/text/service-text.ts only.');
}
