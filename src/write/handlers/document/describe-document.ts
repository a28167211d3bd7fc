/**
 * Describes a document for its approval request: for the user from the real document, for the assistant from
 * the masked one.
 */

import { InputError } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import { escapeText, quoteText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import type { ToolContext } from '../../session.ts';
import type { SentMessage } from '../feed/feed.ts';
import { listingsRefusal } from '../feed/listings-check.ts';
import type { ContentOptions, DocumentContent } from './content/content.ts';
import {
  type ContentText,
  type ContentView,
  describeContent,
  describeDeletions,
  formatContentCount,
  formatUnit,
  outlineItem,
} from './content/describe-content.ts';
import { LISTINGS_FEED } from './content-type.ts';
import type { LoadedDocument } from './load-document.ts';

/** The maximum number of items that an approval request reads, because it has no room for more. */
const MAX_ITEMS = 200;
/**
 * The maximum size of an approval request's items. The answer repeats its items as values, so they get less.
 */
const QUESTION_BYTES = 5_000;
const ANSWER_BYTES = 2_000;
/** The maximum number of items to name to the assistant without their values. */
const MAX_OUTLINED = 10;

export interface DescribedDocument {
  /**
   * Returns the messages that the report refers to; empty where the form is not known, or where there are too
   * many.
   */
  messages(): SentMessage[];
  /** The seller whose listings the document changes, as the document names it. */
  sellerId?: string;
  /** The number of items. */
  total: number;
  /** The options that the document was read with, for the page. */
  read: ContentOptions;
  /** The number of items that the assistant may know of. */
  shownTotal: number;
  /** The description that is made from the real document. */
  forPerson: ContentText;
  /**
   * The description made from the masked document alone, so that documents that differ only in masked values
   * read the same.
   */
  forAssistant: ContentText;
}

interface DescribeDocumentOptions {
  feedType?: string | undefined;
  /** The marketplaces of the feed. */
  places?: readonly string[];
}

/**
 * @throws InputError for a listings feed that would be rejected, and for a JSON document that names a member
 * twice
 */
export async function describeDocument(
  loaded: LoadedDocument,
  { feedType, places = [] }: DescribeDocumentOptions,
  { session, call }: ToolContext,
): Promise<DescribedDocument> {
  const threads = await session.contentThreads();
  const { bytes, shown, isPrivate, mask } = loaded;
  const { contentType } = loaded.document;
  const options = { contentType, feedType, places, maxItems: MAX_ITEMS, isResolved: isPrivate };
  const read = async (some: Uint8Array, isResolved: boolean) => {
    const content = await threads.read(some, { ...options, isResolved }, call);
    if ('problems' in content) throw refusalOf(content.problems, feedType);
    return content;
  };
  // The masked form comes first, so that a rejection is built from it.
  const masked = shown === undefined ? undefined : await read(shown, false);
  const real = masked !== undefined && shown === bytes ? masked : await read(bytes, isPrivate);
  const clear: ContentView = { places, mask: (value) => value };
  const forAssistant =
    masked === undefined
      ? describeHidden(loaded, real, { places, mask })
      : describeContent(masked, { places, mask }, ANSWER_BYTES);
  return {
    messages: () => messagesOf(real),
    ...(real.sellerId === undefined ? {} : { sellerId: real.sellerId }),
    total: real.total,
    read: options,
    shownTotal: (masked ?? real).total,
    forPerson: describeContent(real, clear, QUESTION_BYTES),
    forAssistant,
  };
}

function refusalOf(problems: readonly string[], feedType: string | undefined): InputError {
  if (feedType === LISTINGS_FEED) return listingsRefusal(problems);
  return new InputError(
    `The document was not sent: ${problems.slice(0, MAX_OUTLINED).map(escapeText).join('; ')}.`,
    'Correct what is named, then call again.',
  );
}

function messagesOf({ messages }: DocumentContent): SentMessage[] {
  const all = parseJson(Buffer.from(messages).toString());
  return (Array.isArray(all) ? all : []).map(([messageId, sku]) => ({
    messageId: Number(messageId),
    ...(typeof sku === 'string' ? { sku } : {}),
  }));
}

/**
 * Describes a hidden document by its counts and, for a listings feed, by its SKUs, operations and names of
 * attributes.
 */
function describeHidden({ rows }: LoadedDocument, real: DocumentContent, view: ContentView): ContentText {
  const nothing = { warnings: [], totals: [], notShown: 0 };
  if (real.form === 'listings') {
    const lines = real.items.slice(0, MAX_OUTLINED).map((item) => outlineItem(item, real.form, view));
    const missing = real.total - lines.length;
    return {
      ...nothing,
      count: formatContentCount(real, view),
      warnings: describeDeletions(real),
      lines: [...lines, ...(missing > 0 ? [`... and ${count(missing)} more`] : [])],
    };
  }
  const total = rows ?? (real.form === 'table' ? real.total : 0);
  return { ...nothing, count: total === 0 ? '' : `${count(total)} ${formatUnit('table', total)}`, lines: [] };
}

const NAMES = { text: 'a text of this call', query: 'rows of a query' } as const;

/**
 * Returns for example `"prices.txt", 1,234 bytes, text/tab-separated-values`.
 * @param isForPerson adds size and digest, with which a masked value could be guessed
 */
export function documentLine({ document, name, source }: LoadedDocument, isForPerson: boolean): string {
  const what = source === 'file' ? `the file ${quoteText(name ?? '')}` : NAMES[source];
  const type = escapeText(document.contentType);
  if (!isForPerson) return `${what}, ${type}`;
  return `${what}, ${count(document.bytes)} bytes, ${type}, SHA-256 ${document.sha256.slice(0, 16)}`;
}
