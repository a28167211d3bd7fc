/** The one folder of the person's, as one session uses it: saves into it, reads from it, and knows what of it is harmless. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { quoteText } from '../text/escape-text.ts';
import { explainFailure } from './failures.ts';
import { fileUri } from './file-uri.ts';
import { listFiles } from './list-files.ts';
import { nameToOpen, nameToSave } from './names.ts';
import { removeLeftParts } from './parts.ts';
import { findPlace, makePlace, type Place } from './place.ts';
import { putInPlace } from './put-in-place.ts';
import { findName, isSameLook, type Look, lookAt, readChunks } from './read-file.ts';
import type { FilesFolder, OpenedFile, SavedFile } from './types.ts';
import { ContentError, writePart } from './write-part.ts';

/** Of the files without anything personal that a session saved, the newest are remembered. */
const MOST_KNOWN = 1_000;

/** Names in the error for a file that is not there. */
const MOST_NAMED = 10;

/** Nothing is looked at or made before it is used, and nothing is held open between two uses. */
export function openFilesFolder({ find }: { find(): Promise<string> }): FilesFolder {
  /** Saved by this session, with nothing personal in them. */
  const harmless = new Map<string, Look>();

  /** One that somebody takes away at once was saved all the same. */
  const know = async (place: Place, name: string) => {
    const look = await lookAt(place, name).catch(() => undefined);
    if (look === undefined) return;
    harmless.set(name, look);
    const [oldest] = harmless.keys();
    if (harmless.size > MOST_KNOWN && oldest !== undefined) harmless.delete(oldest);
  };

  return {
    folder: find,
    async save(name, content, { ending, personal, bytes }): Promise<SavedFile> {
      const wanted = nameToSave(name, ending);
      return within(find, makePlace, async (place) => {
        await removeLeftParts(place);
        const part = await writePart(place, content, bytes);
        const saved = await putInPlace(place, part, wanted).finally(() =>
          rm(place.at(part.name), { force: true }).catch(() => undefined),
        );
        harmless.delete(saved);
        if (!personal) await know(place, saved);
        return { name: saved, path: join(place.path, saved), bytes: part.bytes, uri: fileUri(saved) };
      });
    },
    async open(name): Promise<OpenedFile> {
      const wanted = nameToOpen(name);
      return within(find, findPlace, async (place) => {
        const found = place === undefined ? undefined : await findName(place, wanted);
        if (place === undefined || found === undefined) throw await notThere(wanted, place, await find());
        const look = await lookAt(place, found);
        const known = harmless.get(found);
        return {
          name: found,
          path: join(place.path, found),
          bytes: Number(look.size),
          modified: Number(look.mtimeNs / 1_000_000n),
          personal: known === undefined || !isSameLook(known, look),
          read: () => readAgain(find, found, look),
        };
      });
    },
    async list() {
      return within(find, findPlace, async (place) => {
        if (place === undefined) return [];
        await removeLeftParts(place).catch(() => undefined);
        return listFiles(place);
      });
    },
  };
}

/** @throws what the system says about the folder, explained; what a content that is saved throws, as it is */
async function within<P extends Place | undefined, T>(
  find: () => Promise<string>,
  open: (path: string) => Promise<P>,
  work: (place: P) => Promise<T>,
): Promise<T> {
  const path = await find();
  let place: P | undefined;
  try {
    place = await open(path);
    return await work(place);
  } catch (error) {
    throw error instanceof ContentError ? error.cause : explainFailure(error, path);
  } finally {
    await place?.close();
  }
}

async function* readAgain(find: () => Promise<string>, name: string, look: Look): AsyncGenerator<Uint8Array> {
  const path = await find();
  let place: Place | undefined;
  try {
    place = await findPlace(path);
    if (place === undefined) throw await notThere(name, place, path);
    yield* readChunks(place, name, look);
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    await place?.close();
  }
}

async function notThere(name: string, place: Place | undefined, path: string): Promise<InputError> {
  const files = place === undefined ? [] : await listFiles(place);
  const names = files.slice(0, MOST_NAMED).map((file) => quoteText(file.name));
  return new InputError(
    `There is no file ${quoteText(name)} in the folder of files, ${quoteText(path)}.`,
    names.length === 0
      ? 'Put it there first; the folder is empty.'
      : `The newest there: ${names.join(', ')}.`,
  );
}
