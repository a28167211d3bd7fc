/**
 * Saves the documents of an answer into the user's folder, and reports for each one the file or the error.
 */

import { join } from 'node:path';
import { chunksUntilAborted } from '../../base/chunks-until-aborted.ts';
import { forEachConcurrently } from '../../base/concurrent.ts';
import { AppError, CancelledError, InputError } from '../../base/errors.ts';
import { formatSize } from '../../base/text/size.ts';
import type { CallOptions, CallResult } from '../../call/client-types.ts';
import type { Downloads } from '../../call/download/download.ts';
import type { FileKind } from '../../data/documents/file-kind.ts';
import { openUnpacked } from '../../data/documents/unpack.ts';
import type { Tables } from '../../data/tables/table-types.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { FilesFolder, SavedFile } from '../../store/files/files.ts';
import { mayBePersonalDocument } from './document-members.ts';
import { type FoundDocument, MAX_DOCUMENTS } from './find-documents.ts';

/** The number of signed addresses that are downloaded at once. */
const AT_ONCE = 4;

export interface SaveJob {
  documents: readonly FoundDocument[];
  /** The requested name: `labels.pdf`; several documents get numbers. */
  name: string;
  /** False only if they cannot contain data of a buyer. */
  personal: boolean;
  files(): Promise<FilesFolder>;
  downloads(): Promise<Downloads>;
  /** Makes a download folder for this job alone. */
  scratch(): Promise<string>;
  /** The base address of the service that answered, which decides from where documents may be downloaded. */
  givenBy: string;
  /** The time of the answer in milliseconds since the epoch. */
  givenAt: number;
  signal: AbortSignal;
  /** The remaining time in milliseconds. */
  leftMs: number;
  tell(message: string): void;
}

export interface SavedDocument {
  document: FoundDocument;
  file: SavedFile;
  kind: FileKind;
}

export interface FailedDocument {
  document: FoundDocument;
  error: unknown;
}

/** The outcome of each document, in the order of the answer. */
export type SaveOutcome = SavedDocument | FailedDocument;

export const isSaved = (outcome: SaveOutcome | undefined): outcome is SavedDocument =>
  outcome !== undefined && 'file' in outcome;

/** Checks a file name before anything is sent. @throws InputError for a name that no file may have */
export async function checkSaveAs(name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { nameToSave } = await import('../../store/files/file-names.ts');
  nameToSave(name);
}

/** Saves the documents in the answer; undefined if none are to be saved. @throws errors that end the call */
export type SaveDocuments =
  | ((documents: readonly FoundDocument[]) => Promise<readonly SaveOutcome[] | undefined>)
  | undefined;

/** The part of the call's time that is reserved for the answer. */
const MARGIN_MS = 2_000;

/** The parts of a call and its session that saving needs. */
interface SavingContext {
  session: Pick<SaveJob, 'files' | 'downloads'> & {
    program: { now(): number };
    tables(account: string): Promise<Pick<Tables, 'makeScratch'>>;
  };
  call: Required<Pick<CallOptions, 'signal' | 'deadline'>>;
  tell(progress: { message: string }): void;
}

/**
 * Saves all documents of an answer under this name; undefined if there is no name. A write has happened by
 * then, so that it reports all outcomes instead of throwing.
 * @throws for a read only: InputError if the answer has no document, or the first error if none could be
 * saved
 */
export function createDocumentSaver(
  name: string | undefined,
  {
    operation,
    account,
    result,
  }: { operation: Operation; account: string; result: Pick<CallResult, 'owner'> },
  { session, call, tell }: SavingContext,
): SaveDocuments {
  if (name === undefined) return undefined;
  return async (documents) => {
    const isRead = operation.effect === 'read';
    if (documents.length === 0 && isRead) throw noDocumentError(operation);
    if (documents.length === 0) return [];
    const outcomes = await saveDocuments({
      documents,
      name,
      personal: mayBePersonalDocument(operation),
      files: () => session.files(),
      downloads: () => session.downloads(),
      scratch: async () => (await session.tables(account)).makeScratch(),
      givenBy: new URL(result.owner.baseUrl).origin,
      givenAt: session.program.now(),
      signal: call.signal,
      leftMs: call.deadline - performance.now() - MARGIN_MS,
      tell: (message) => tell({ message }),
    });
    const [first] = outcomes;
    if (isRead && first !== undefined && !isSaved(first) && !outcomes.some(isSaved)) throw first.error;
    return outcomes;
  };
}

function noDocumentError({ name }: Operation): InputError {
  return new InputError(
    `${name} was called, but its answer holds no document; nothing was saved.`,
    'Leave save_as out to see the answer. What is still being made comes with a later call.',
  );
}

/** Never throws: a document that could not be saved is an outcome too. */
export async function saveDocuments(job: SaveJob): Promise<SaveOutcome[]> {
  const { documents, name } = job;
  const { numberNames } = await import('../../store/files/file-names.ts');
  const names = numberNames(name, Math.min(documents.length, MAX_DOCUMENTS));
  const timeLimit = AbortSignal.timeout(Math.max(1, Math.floor(job.leftMs)));
  const signal = AbortSignal.any([job.signal, timeLimit]);
  const outcomes: SaveOutcome[] = [];
  let done = 0;
  const save = async (document: FoundDocument, at: number) => {
    outcomes[at] = await saveOne(document, names[at], { ...job, signal }).catch((error: unknown) => ({
      document,
      error: signal.aborted ? createEndError(job.signal) : error,
    }));
    done += 1;
    job.tell(`Saved ${done} of ${documents.length} documents`);
  };
  await forEachConcurrently(documents, save, AT_ONCE);
  return outcomes;
}

async function saveOne(
  document: FoundDocument,
  name: string | undefined,
  job: SaveJob,
): Promise<SavedDocument> {
  if (name === undefined) throw tooManyError(job.documents.length);
  job.signal.throwIfAborted();
  return document.from === 'answer' ? saveInline(document, name, job) : saveAddressed(document, name, job);
}

async function saveInline(
  document: Extract<FoundDocument, { from: 'answer' }>,
  name: string,
  { files, personal }: SaveJob,
): Promise<SavedDocument> {
  const { kind } = document;
  const bytes = await document.read();
  const about = { ending: kind.ending, personal, bytes: bytes.length };
  return { document, kind, file: await (await files()).save(name, yieldOnce(bytes), about) };
}

async function saveAddressed(
  document: Extract<FoundDocument, { from: 'address' }>,
  name: string,
  job: SaveJob,
): Promise<SavedDocument> {
  const { files, personal, givenBy, givenAt, signal } = job;
  const downloads = await job.downloads();
  const { rm } = await import('node:fs/promises');
  const folder = await job.scratch();
  try {
    const file = join(folder, 'document');
    await downloads.download(document.address, file, {
      givenBy,
      givenAt,
      signal,
      onProgress: ({ bytes }) => job.tell(`Downloads ${document.subject}: ${formatSize(bytes)}`),
    });
    const { kind, pieces, close } = await openUnpacked(file);
    try {
      const about = { ending: kind.ending, personal };
      const saved = await (await files()).save(name, chunksUntilAborted(pieces(), signal), about);
      return { document, kind, file: saved };
    } finally {
      await close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The reason why a document could not be saved, as it appears in the answer. */
class NotSavedError extends AppError {
  override readonly name = 'NotSavedError';
}

/** Reports a cancellation if the call itself ended; otherwise the time was over. */
function createEndError({ aborted }: AbortSignal): AppError {
  if (aborted) return new CancelledError('The call was cancelled before the document was saved.');
  return new NotSavedError('The time for this call was over.', 'Call again for fewer documents at once.');
}

function tooManyError(count: number): NotSavedError {
  return new NotSavedError(
    `The answer holds ${count} documents, and at most ${MAX_DOCUMENTS} of one answer are saved.`,
    'Ask for fewer at once.',
  );
}
