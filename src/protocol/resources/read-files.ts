/** Resources of the person's files: listed by name, described, and shown only where the setting or the content allows it. */

import type { ListResourcesResult } from '@modelcontextprotocol/server';
import { byteLength } from '../../base/json.ts';
import { DATA_NOTE, delimit, quoteText } from '../../base/text/escape-text.ts';
import { localTimeWithZone } from '../../base/text/local-time.ts';
import { cutBehind } from '../../base/text/shorten.ts';
import type { OpenedFile } from '../../store/files/files.ts';
import type { Session } from '../../write/session.ts';
import { decode } from './read-resources.ts';

/** Read beyond what is shown, so that a secret at the end of it is known as one before it is cut. */
const BEYOND_BYTES = 8_192;

/** Newest first; empty where the folder cannot be used, since other resources are listed with these. */
export async function listFiles(session: Session): Promise<ListResourcesResult> {
  const resources = (await shownFiles(session)).map(({ uri, name, bytes, modified }) => ({
    uri,
    name,
    size: bytes,
    annotations: { lastModified: new Date(modified).toISOString() },
  }));
  return { resources };
}

/** A name stands for itself: one with something in it that must not leave is left out. */
export async function shownFiles(session: Session) {
  try {
    const [folder, personal] = await Promise.all([session.files(), session.personal()]);
    const files = await folder.list();
    return files.filter(({ name }) => personal.maskText(session.redactor.redact(name)) === name);
  } catch (error) {
    session.log.debug('Files cannot be listed', { err: error instanceof Error ? error.message : '' });
    return [];
  }
}

export async function readFile(encoded: string, session: Session): Promise<string> {
  const file = await (await session.files()).open(decode(encoded));
  const isMasking = (await session.personal()).isMasking && file.personal;
  const why = isMasking ? MASKED : file.isText ? undefined : NOT_TEXT;
  const text = why === undefined ? await readText(file, session) : undefined;
  return [session.redactor.redact(describe(file)), text ?? why ?? NOT_TEXT].join('\n');
}

const MASKED =
  'Its content is not shown, since it can hold personal data of buyers; the person can open it. (--personal-data=show would show texts.)';
const NOT_TEXT = 'It is no text, so its content is not shown; the person can open it.';

function describe({ name, path, bytes, modified }: OpenedFile): string {
  const kind = name.slice(name.lastIndexOf('.') + 1).toUpperCase();
  return `File ${quoteText(name)}: ${kind}, ${bytes} bytes, last changed ${localTimeWithZone(modified)}, at ${quoteText(path)}.`;
}

/** Reads as much as fits into an answer; undefined for content that is not text. */
async function readText(file: OpenedFile, session: Session): Promise<string | undefined> {
  const most = session.settings().answerTokens * 3;
  const whole = await readStart(file, most + BEYOND_BYTES);
  const decoded = new TextDecoder('utf-8').decode(whole);
  if (decoded.includes('\0')) return undefined;
  const text = (await session.personal()).maskText(session.redactor.redact(decoded));
  const shown = markWithin(text, most);
  const isCut = shown.characters < text.length || whole.byteLength < file.bytes;
  return [
    DATA_NOTE,
    ...(isCut ? [`The beginning of it, as far as an answer has room:`] : []),
    shown.text,
  ].join('\n');
}

async function readStart(file: OpenedFile, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.read()) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

/** Marked, so that it takes so many bytes at most; what has to be spelled out takes more. */
function markWithin(text: string, mostBytes: number): { text: string; characters: number } {
  let characters = Math.min(text.length, mostBytes);
  for (;;) {
    const marked = delimit(cutBehind(text, characters));
    const bytes = byteLength(marked);
    if (bytes <= mostBytes || characters === 0) return { text: marked, characters };
    characters = Math.floor(Math.min(characters - 1, (characters * mostBytes * 0.98) / bytes));
  }
}
