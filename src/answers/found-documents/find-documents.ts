/** The documents of an answer, wherever they stand: in base64, packed or not, and at signed addresses. */

import { isJsonObject } from '../../json.ts';
import { formatPath, type Segments } from '../../json-difference.ts';
import type { AnsweredOperation } from '../../service/facts/operation.ts';
import { type InlineDocument, inspectText, mayBeDocument, readText } from './base64-text.ts';
import { isAddressMember, isCollected, isContent, isOpaque, isUploadPlace, subjectOf } from './members.ts';
import { addressOf, guessKind, isSigned } from './signed-address.ts';

/** Documents of one answer that are saved. */
export const MOST_DOCUMENTS = 100;

interface Place {
  /** Dotted, from the answer's root: text of the service, in the names of members. */
  at: string;
  /** `label`. */
  subject: string;
}

export interface AnswerDocument extends Place, InlineDocument {
  from: 'answer';
  /** Unpacked. @throws DocumentError for one that is larger than is unpacked */
  read(): Promise<Uint8Array>;
}

export interface AddressedDocument extends Place {
  from: 'address';
  address: string;
  /** `PDF`, as the address has it. */
  guess: string | undefined;
  /** True where the address itself is shown. */
  isShown: boolean;
}

export type FoundDocument = AnswerDocument | AddressedDocument;

export interface FoundDocuments {
  /** In the order in which they stand in the answer. */
  documents: readonly FoundDocument[];
  /** The answer with words in the place of each document; the answer itself where there is none. */
  withWords(words: (document: FoundDocument, index: number) => string): unknown;
}

/** A text of the answer that may be a document. */
interface Candidate {
  holder: object;
  key: string;
  text: string;
  segments: Segments;
}

/**
 * @param answer as it came, before anything of it is masked or cut
 * @param showsCollected the addresses of what collect_data reads stay: whoever has one can read the document
 */
export async function findDocuments(
  operation: AnsweredOperation,
  answer: unknown,
  showsCollected = true,
): Promise<FoundDocuments> {
  const root = { answer };
  const documents: FoundDocument[] = [];
  const places = new Map<object, Map<string, number>>();
  for (const { holder, key, text, segments } of listCandidates(root)) {
    const document = await inspect(operation, text, segments.slice(1), showsCollected);
    if (document === undefined) continue;
    const own = places.get(holder) ?? new Map<string, number>();
    places.set(holder, own.set(key, documents.length));
    documents.push(document);
  }
  return {
    documents,
    withWords(words) {
      if (documents.length === 0) return answer;
      const replace = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null) return value;
        const own = places.get(value);
        const member = (key: string, inner: unknown) => {
          const index = own?.get(key);
          const document = index === undefined ? undefined : documents[index];
          if (index === undefined || document === undefined) return replace(inner);
          return document.from === 'address' && document.isShown ? inner : words(document, index);
        };
        if (Array.isArray(value)) return value.map((inner, at) => member(String(at), inner));
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, member(key, inner)]));
      };
      const replaced = replace(root);
      return isJsonObject(replaced) ? replaced.answer : answer;
    },
  };
}

/** One look at every text. */
function listCandidates(root: object): Candidate[] {
  const found: Candidate[] = [];
  const visit = (holder: object, path: Segments, name: string) => {
    for (const [key, value] of Object.entries(holder)) {
      const inner = Array.isArray(holder) ? name : key;
      if (typeof value === 'string') {
        if (isOpaque(inner) || !mayBeEither(value, inner)) continue;
        found.push({ holder, key, text: value, segments: [...path, segmentOf(holder, key)] });
      } else if (typeof value === 'object' && value !== null) {
        visit(value, [...path, segmentOf(holder, key)], inner);
      }
    }
  };
  visit(root, [], '');
  return found;
}

const segmentOf = (holder: object, key: string) => (Array.isArray(holder) ? Number(key) : key);

const mayBeEither = (text: string, name: string) =>
  addressOf(text) !== undefined || mayBeDocument(text, isContent(name));

async function inspect(
  operation: AnsweredOperation,
  text: string,
  segments: Segments,
  showsCollected: boolean,
): Promise<FoundDocument | undefined> {
  const names = segments.filter((segment) => typeof segment === 'string');
  const place = { at: formatPath(segments), subject: subjectOf(names, operation) };
  const address = addressOf(text);
  if (address !== undefined) {
    if (isUploadPlace(operation)) return undefined;
    if (!isSigned(address) && !isAddressMember(names, operation)) return undefined;
    const isShown = showsCollected && isCollected(operation);
    return { ...place, from: 'address', address, guess: guessKind(address), isShown };
  }
  const inline = await inspectText(text, isContent(names.at(-1) ?? ''));
  return inline && { ...place, ...inline, from: 'answer', read: () => readText(text) };
}
