/** Looks for secrets in whatever left a process: as they are, encoded in any usual way, or a piece of one. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A piece of this many characters is a leak too: what cuts a text must not leave half a secret. */
const PIECE = 12;

export interface Leak {
  /** Name given to the secret. */
  secret: string;
  /** How it stands there: `value`, `base64`, `piece`, ... */
  form: string;
  where: string;
  around: string;
}

/** @param secrets name -> value; at least 12 characters each. */
export function createLeakSearch(secrets: ReadonlyMap<string, string>) {
  const spelled = [...secrets].map(([secret, value]) => ({ secret, forms: formsOf(value) }));
  return {
    /** The first leak of each form of each secret in one text. */
    inText(text: string, where: string): Leak[] {
      return spelled.flatMap(({ secret, forms }) => {
        const found = new Map<string, Leak>();
        for (const [form, needle] of forms) {
          const at = found.has(form) ? -1 : text.indexOf(needle);
          if (at === -1) continue;
          found.set(form, { secret, form, where, around: text.slice(Math.max(0, at - 60), at + 80) });
        }
        return [...found.values()];
      });
    },
    /** Every file below a folder, whatever it is. */
    async inFolder(folder: string): Promise<Leak[]> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const found = await Promise.all(
        // latin1 keeps every byte; the forms are searched as UTF-8 too.
        files.map(async (file) => {
          const bytes = await readFile(file);
          return [
            ...this.inText(bytes.toString('utf8'), file),
            ...this.inText(bytes.toString('latin1'), file),
          ];
        }),
      );
      return found.flat();
    },
  };
}

/** The spellings of one secret, each with the name of its form. */
export function formsOf(value: string): [form: string, needle: string][] {
  const bytes = Buffer.from(value, 'utf8');
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value);
  const forms: [string, string][] = [
    ['value', value],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['JSON with \\/', json.replaceAll('/', '\\/')],
    [
      'ASCII JSON',
      json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['URL', url],
    ['URL, lower case', url.replace(/%../g, (hex) => hex.toLowerCase())],
    ['URL of URL', encodeURIComponent(url)],
    ['form', new URLSearchParams([['', value]]).toString().slice(1)],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['latin1', bytes.toString('latin1')],
    ...[0, 1, 2].flatMap((offset): [string, string][] => {
      const core = base64Core(bytes, offset);
      const safe = core.replaceAll('+', '-').replaceAll('/', '_');
      return [
        [`base64 at ${offset}`, core],
        [`base64url at ${offset}`, safe],
      ];
    }),
    ...pieces(value).map((piece): [string, string] => ['piece', piece]),
  ];
  return [...new Map(forms.map(([form, needle]) => [needle, form]))].map(([needle, form]) => [form, needle]);
}

/** Returns the characters that all texts share that hold the bytes at this offset of a base64 group. */
function base64Core(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

/** Every piece that is no public prefix (`Atza|`, `amzn1.oa2-cs.v1.`). */
function pieces(value: string): string[] {
  const own = value.replace(/^(Atz[a-z.]{0,10}\||amzn1\.oa2-cs\.v1\.)/, '');
  const count = Math.max(0, own.length - PIECE + 1);
  return Array.from({ length: count }, (_, at) => own.slice(at, at + PIECE));
}
