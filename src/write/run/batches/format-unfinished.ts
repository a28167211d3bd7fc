/**
 * Writes the line about batches that are unfinished, or ended unreported, for the answer of the next write
 * call.
 */

import { commandLine, hasCommandLine } from '../../../base/invocation.ts';
import { END_FACTS, ENDS, type OutcomeCounts } from '../../model/outcome.ts';
import { formatAuthor } from '../../records/author.ts';
import type { BatchSummary } from './summary.ts';

/** The max number of batches that are named; the rest is counted. */
const MAX_LISTED = 3;

/** Returns the line, or undefined without any batch. @param now milliseconds since the epoch */
export function formatUnfinished(batches: readonly BatchSummary[], now: number): string | undefined {
  if (batches.length === 0) return undefined;
  const listed = batches.slice(-MAX_LISTED).map((batch) => formatBatch(batch, now));
  const more = batches.length - listed.length;
  return [...listed, ...(more === 0 ? [] : [`And ${more} older.`])].join(' ');
}

function formatBatch(batch: BatchSummary, now: number): string {
  const { id, tool, words, state, total, counts, createdAt, until, why, by } = batch;
  const name = `${words} (${tool}, batch ${id}, confirmed ${formatAge(now - createdAt)}${formatAuthor(by)})`;
  const done = total - counts.pending;
  if (state === 'under_way' || state === 'elsewhere') {
    const where = state === 'elsewhere' ? ' by another process' : '';
    return `Under way${where}: ${name}, ${done} of ${total} done.`;
  }
  if (state === 'unfinished') {
    const stop = hasCommandLine() ? `; ${commandLine(`stop ${id}`)} ends it` : '; with stop: true it ends';
    const because = why === undefined ? '' : ` Why: ${why}`;
    // A resumed feed of the user's own needs its document.
    const byId = words.startsWith('feed ') ? '' : `, and so does ${tool} with confirmationCode ${id} alone`;
    return `Unfinished: ${name}, ${done} of ${total} done. The same call, without a code, goes on within ${formatLeft(until - now)}${byId}${stop}.${because}`;
  }
  const how = { ended: 'Ended', stopped: 'Stopped', expired: 'Not finished within 24 hours, and ended' }[
    state
  ];
  const because = state === 'stopped' && why !== undefined ? ` Why: ${why}` : '';
  return `${how}: ${name}: ${formatItemCounts(counts)}. The same call tells each.${because}`;
}

/** Formats the counts: `12 accepted, 1 failed`. */
export function formatItemCounts(counts: OutcomeCounts): string {
  const parts = ENDS.flatMap((end) => (counts[end] > 0 ? [`${counts[end]} ${END_FACTS[end].short}`] : []));
  if (counts.pending > 0) parts.push(`${counts.pending} still to be sent`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** Formats an age: `5 min ago`. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

function formatLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
