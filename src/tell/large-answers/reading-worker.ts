/** The thread that reads large answers: from bytes to what is shown, with copies of what the session knows. */

import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { InputError } from '../../base/errors.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import { parseJsonBytes } from '../../call/transport/parse-answer.ts';
import { listPage } from '../../data/collections/parse-page.ts';
import { serve } from '../../data/tables/worker-thread.ts';
import { MOST_OWN } from '../../privacy/personal/known-values.ts';
import { createPersonalData, type FoundMark } from '../../privacy/personal/personal-data.ts';
import { createRedactor } from '../../privacy/secrets/redact.ts';
import { createAnswerStore } from '../answer-store.ts';
import { describeItems } from '../documents/describe-items.ts';
import type { FoundDocument } from '../documents/find-documents.ts';
import type { SaveOutcome } from '../documents/save-documents.ts';
import { buildReadAnswer, type ReadAnswerParts } from '../read-answer.ts';
import type { AnswerServices } from '../service-answer.ts';
import type {
  Mirror,
  PlainDocument,
  PlainOutcome,
  PlainPage,
  PlainParts,
  ReadingReplies,
  ReadingRequest,
  Refused,
} from './messages.ts';

/** Of one piece of a page: some milliseconds of whoever reads it. */
const PIECE_BYTES = 128 * 1024;

/** Marks that are handed over at once: their reader has other things to do in between. */
const MARKS_AT_ONCE = 1_000;

function createReader(): (request: ReadingRequest) => unknown {
  let opened: Opened | undefined;
  let marks: FoundMark[] = [];
  let texts: () => Promise<Uint8Array[]> = async () => [];
  const current = () => {
    if (opened === undefined) throw new Error('No answer was opened');
    return opened;
  };
  return async (request) => {
    switch (request.do) {
      case 'open': {
        const body = await parse(request.bytes);
        if ('refused' in body) return body;
        opened = await openAnswer(body.value, request.parts, request.mirror);
        return { documents: opened.documents.map(toPlain) } satisfies ReadingReplies['open'];
      }
      case 'document': {
        const document = current().documents[request.index];
        return document?.from === 'answer' ? document.read() : new Uint8Array();
      }
      case 'finish': {
        const finished = await current().finish(request.outcomes);
        opened = undefined;
        marks = finished.marks;
        texts = finished.texts;
        return finished.reply;
      }
      case 'marks':
        return marks.splice(0, MARKS_AT_ONCE) satisfies ReadingReplies['marks'];
      case 'kept': {
        const given = (await texts()) satisfies ReadingReplies['kept'];
        texts = async () => [];
        return given;
      }
      case 'page': {
        const body = await parse(request.bytes);
        return 'refused' in body ? body : { page: await toPage(body.value, request) };
      }
    }
  };
}

async function parse(bytes: Uint8Array): Promise<{ value: unknown } | { refused: Refused }> {
  const read = await parseJsonBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return read.ok ? { value: read.value } : { refused: { code: read.code, message: read.message } };
}

function toPlain(document: FoundDocument): PlainDocument {
  if (document.from === 'address') return document;
  const { read: _read, ...plain } = document;
  return plain;
}

interface Opened {
  documents: readonly FoundDocument[];
  finish(
    outcomes: readonly PlainOutcome[] | undefined,
  ): Promise<{ reply: ReadingReplies['finish']; marks: FoundMark[]; texts: () => Promise<Uint8Array[]> }>;
}

/** Waits, with the documents found, for what became of them. */
function openAnswer(body: unknown, plain: PlainParts, mirror: Mirror): Promise<Opened> {
  const { services, taken } = mirrored(mirror);
  return new Promise((resolve, reject) => {
    const answer = buildReadAnswer(body, toParts(plain), services, (documents) => {
      return new Promise((saved) => {
        resolve({
          documents,
          async finish(outcomes) {
            saved(outcomes?.map((outcome, at) => toOutcome(outcome, documents[at])));
            const reply = { answer: await answer };
            const { marks, texts, ...more } = taken();
            return { reply: { ...reply, ...more }, marks, texts };
          },
        });
      });
    });
    answer.catch(reject);
  });
}

function toParts({ result: { requestId, rateLimit, ...result }, ...parts }: PlainParts): ReadAnswerParts {
  return {
    ...parts,
    result: {
      ...result,
      ...(requestId === undefined ? {} : { requestId: new ServiceText(requestId) }),
      ...(rateLimit === undefined ? {} : { rateLimit: new ServiceText(rateLimit) }),
    },
  };
}

function toOutcome(outcome: PlainOutcome, document: FoundDocument | undefined): SaveOutcome {
  if (document === undefined) throw new Error('More outcomes than documents');
  return 'reason' in outcome ? { document, error: new InputError(outcome.reason) } : { document, ...outcome };
}

/** As a session has them, and what they took in meanwhile. */
function mirrored({ personal: given, secrets, answerTokens, now }: Mirror) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  const answers = createAnswerStore();
  const marks = new Map<string, FoundMark>();
  const own = new Set<string>();
  const personal = createPersonalData({
    ...given,
    keep: {
      // A number and a text, or two values with one mark: what each stands for is for the session to say.
      mark: (_account, mark, kind, original) =>
        marks.set(`${mark} ${typeof original} ${original}`, [mark, kind, original]),
      own: (contact) => own.add(contact),
    },
  });
  const services: AnswerServices = {
    program: { now: () => now },
    settings: () => ({ answerTokens }),
    answers: async () => answers,
    redactor,
    personal: async () => personal,
  };
  const taken = () => ({
    marks: [...marks.values()],
    found: { count: marks.size, own: [...own].slice(-MOST_OWN) },
    kept: answers.list(),
    texts: () =>
      Promise.all(answers.list().map(async ({ uri }) => Buffer.from((await answers.read(uri)) ?? ''))),
    supplySources: answers
      .supplySources()
      .reverse()
      .flatMap((id) => id.identifier() ?? []),
    tellsMasking: given.note !== 'told' && personal.mirror().note === 'told',
  });
  return { services, taken };
}

async function toPage(
  body: unknown,
  { operation, paging }: Extract<ReadingRequest, { do: 'page' }>,
): Promise<PlainPage> {
  const { lists, ...page } = listPage(body, paging);
  const hash = createHash('sha256');
  const plain: PlainPage['lists'] = [];
  for (const { items, ...list } of lists) {
    const pieces = piecesOf(await describeItems(operation, items));
    for (const piece of pieces) hash.update(piece);
    plain.push({ ...list, count: items.length, pieces });
  }
  return { ...page, lists: plain, fingerprint: hash.digest('base64') };
}

function piecesOf(items: readonly unknown[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let texts: string[] = [];
  let length = 0;
  const close = () => {
    if (texts.length > 0) pieces.push(Buffer.from(`[${texts.join()}]`));
    texts = [];
    length = 0;
  };
  for (const item of items) {
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length;
    if (length >= PIECE_BYTES) close();
  }
  close();
  return pieces;
}

if (parentPort !== null) serve(parentPort, createReader());
