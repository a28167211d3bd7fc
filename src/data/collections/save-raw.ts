/**
 * Saves collected data as the service sent it into the user's folder: documents unpacked, pages as JSON
 * lines.
 */

import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chunksUntilAborted } from '../../base/chunks-until-aborted.ts';
import { AppError } from '../../base/errors.ts';
import { isJsonObject, jsonText } from '../../base/json.ts';
import type { ValueSource } from '../../privacy/personal/kinds.ts';
import { maskValue } from '../../privacy/personal/mask-value.ts';
import { type MemberRule, rulesOf, treatmentOfColumn } from '../../privacy/personal/members.ts';
import type { FilesFolder, SavedFile } from '../../store/files/files.ts';
import { type FileKind, fileKind } from '../documents/file-kind.ts';
import { openUnpacked } from '../documents/unpack.ts';
import { isMaskable } from '../tables/personal-tables.ts';
import type { Loader, TableInfo } from '../tables/table-types.ts';
import { memberAt } from './parse-page.ts';

/** The place where a caller wants the files. */
export interface SaveTarget {
  /** The requested name, `orders.tsv`; several files get numbers. */
  name: string;
  files(): Promise<FilesFolder>;
}

export interface RawFile extends Pick<SavedFile, 'name' | 'path' | 'bytes' | 'uri'> {
  kind: FileKind;
  /** The id of its report, if there are several. */
  label?: string | undefined;
}

export interface SavedRaw {
  files: RawFile[];
  /** False only if nothing in the files can concern a buyer. */
  personal: boolean;
  /** The reason why not everything was saved; the tables exist nevertheless. */
  problem?: AppError;
}

export interface RawDocument {
  file: string;
  label?: string | undefined;
}

/** Saves downloaded documents. @throws errors that are no failure of saving */
export async function saveRaw(
  { name, files }: SaveTarget,
  documents: readonly RawDocument[],
  personal: boolean,
  signal: AbortSignal,
): Promise<SavedRaw> {
  return collectFiles(personal, signal, async (saved) => {
    const { numberNames } = await import('../../store/files/file-names.ts');
    const names = numberNames(name, documents.length);
    const folder = await files();
    for (const [at, { file, label }] of documents.entries()) {
      const { kind, pieces, close } = await openUnpacked(file);
      try {
        const about = { ending: kind.ending, personal };
        const made = await folder.save(names[at] ?? name, chunksUntilAborted(pieces(), signal), about);
        saved({ ...made, kind, label });
      } finally {
        await close();
      }
    }
  });
}

/** Returns whether a document may contain data about a buyer; an unknown one may. */
export function mayBePersonal(
  source: ValueSource,
  isRestricted: boolean,
  tables: readonly TableInfo[],
): boolean {
  const columns = tables.flatMap((table) => table.columns);
  // The columns of nested JSON, or of a report without a type, are not conclusive.
  const isKnown = source.reportType !== undefined && columns.length > 1 && tables.length === 1;
  return (
    !isKnown ||
    isRestricted ||
    columns.some((column) => isMaskable(column) || treatmentOfColumn(source, column.name) !== undefined)
  );
}

/**
 * Captures the items of all pages beside the rows that are made of them.
 * @param table the table of the operation's own list; items of other lists carry their list's name
 */
export function captureItems(open: () => Promise<Loader>, table: string, operation: string) {
  let file: string | undefined;
  let personal = false;
  return {
    async open(): Promise<Loader> {
      const loader = await open();
      const own = join(loader.folder, 'items.jsonl');
      file = own;
      const keys = new Set<unknown>();
      await appendFile(own, '', { mode: 0o600 });
      return {
        ...loader,
        async addItems(target, items, key, at = []) {
          const added = await loader.addItems(target, items, key, at);
          const fresh = items.filter((item) => {
            const value = key === undefined || !isJsonObject(item) ? undefined : memberAt(item, key);
            const isRepeated = value !== undefined && keys.has(value);
            if (value !== undefined) keys.add(value);
            return !isRepeated;
          });
          const rule = at.reduce<MemberRule>((above, name) => above.child(name), rulesOf({ operation }));
          // Items are personal if an answer would mask a value in them.
          personal ||= fresh.some((item) => maskValue(item, { rule, mark: () => '' }).count > 0);
          const lines = fresh.map((item) => jsonText(target === table ? item : { list: target, item }));
          await appendFile(own, lines.map((line) => `${line}\n`).join(''));
          return added;
        },
      };
    },
    save({ name, files }: SaveTarget, signal: AbortSignal): Promise<SavedRaw> {
      return collectFiles(personal, signal, async (saved) => {
        if (file === undefined) return;
        const pieces = chunksUntilAborted(createReadStream(file), signal);
        saved({
          ...(await (await files()).save(name, pieces, { ending: 'jsonl', personal })),
          kind: JSON_LINES,
        });
      });
    },
  };
}

const JSON_LINES = fileKind(Buffer.from('{"a":1}\n{"a":2}\n'));

async function collectFiles(
  personal: boolean,
  signal: AbortSignal,
  save: (saved: (file: RawFile) => void) => Promise<void>,
): Promise<SavedRaw> {
  const files: RawFile[] = [];
  try {
    await save((file) => files.push(file));
    return { files, personal };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { files, personal, problem: error };
  }
}
