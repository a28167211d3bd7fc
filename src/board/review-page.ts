/** Saves a review as a page with listing health and changes, in addition to the result for the assistant. */

import { escapeText } from '../base/text/escape-text.ts';
import { formatSize } from '../base/text/size.ts';
import type { CollectionInfo, Tables } from '../data/tables/table-types.ts';
import type { ReadingSession } from '../render/reading-session.ts';
import { readHealth, titlesOf } from './health.ts';
import { readNews } from './news.ts';
import { savePage } from './save-page.ts';

/** The maximum number of listings in a file, low enough that a browser can print it. */
const MAX_LISTINGS = 2_000;

interface ReviewSource {
  info: CollectionInfo;
  tables: Pick<Tables, 'query' | 'snapshots' | 'changes'>;
  reading: {
    account: string;
    timeoutMs: number;
    signal: AbortSignal;
    redact(text: string): string;
    /** The day or moment as it was given. */
    since: string | undefined;
  };
}

/**
 * Saves the page and adds it to the result.
 * @throws InputError | ConfigError when it cannot be saved, and as `Tables.query`
 */
export async function withReviewPage<Structured extends object>(
  { text, structured }: { text: string; structured: Structured },
  name: string,
  { info, tables, reading }: ReviewSource,
  session: Pick<ReadingSession, 'program' | 'files' | 'personal' | 'redactor'>,
) {
  const { account, redact, since } = reading;
  const health = await readHealth(info, tables, { ...reading, most: MAX_LISTINGS });
  const news = await readNews(info, tables, { redact, since, titleOf: titlesOf(health) });
  const views = news.places.length === 0 ? [health] : [health, news];
  const saved = await savePage({ name, title: 'Listing health', account, isSandbox: false, views }, session);
  const { path, bytes, uri } = saved;
  const message = `Saved ${escapeText(path)} (${formatSize(bytes)}), a page to look at in a browser.`;
  return {
    text: `${message}\n${text}`,
    structured: { ...structured, saved: { path, name: saved.name, bytes, personal: false } },
    links: [{ uri, name: saved.name, description: formatSize(bytes) }],
  };
}
