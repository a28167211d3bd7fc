/** The text of a Data Kiosk query as the sandbox needs it: names, arguments and selections of GraphQL, and nothing else. */

import { invalid } from '../answer.ts';

type Argument = string | number | readonly Argument[] | { readonly [name: string]: Argument };

export interface Selection {
  name: string;
  takes: Readonly<Record<string, Argument>>;
  selects: readonly Selection[];
}

const TOKEN = /[\s,]*("(?:[^"\\]|\\.)*"|[{}()[\]:]|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)/y;

/** @throws Refusal for a text of another form */
export function readQuery(text: string): readonly Selection[] {
  const tokens = tokensOf(text.trim());
  if (tokens[0] === 'query') tokens.shift();
  const reader = new Reader(tokens);
  const selected = reader.selections();
  return reader.isAtEnd() ? selected : invalid('query: goes on behind its end.');
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return invalid(`query: cannot be read from character ${at + 1}.`);
    tokens.push(token);
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  isAtEnd = (): boolean => this.#at === this.#tokens.length;

  selections(): Selection[] {
    this.#expect('{');
    const selected: Selection[] = [];
    while (!this.#takes('}')) selected.push(this.#selection());
    return selected.length > 0 ? selected : invalid('query: selects no field.');
  }

  #selection(): Selection {
    const name = this.#next();
    const takes = this.#takes('(') ? this.#members(')') : {};
    return { name, takes, selects: this.#tokens[this.#at] === '{' ? this.selections() : [] };
  }

  #members(end: string): Record<string, Argument> {
    const members: Record<string, Argument> = {};
    while (!this.#takes(end)) {
      const name = this.#next();
      this.#expect(':');
      members[name] = this.#argument();
    }
    return members;
  }

  #argument(): Argument {
    if (this.#takes('{')) return this.#members('}');
    if (this.#takes('[')) {
      const items: Argument[] = [];
      while (!this.#takes(']')) items.push(this.#argument());
      return items;
    }
    const token = this.#next();
    if (token.startsWith('"')) return String(JSON.parse(token));
    return /^-?\d/.test(token) ? Number(token) : token;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token ?? invalid('query: ends too early.');
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) invalid(`query: has ${found} where ${token} is needed.`);
  }
}
