/** What is told of a feed that is not at its end, or that ended without one: how far it is, and how to go on. */

import type { BatchInfo } from '../../batches/types.ts';
import { stuckWords } from '../../feeds/follow-feed.ts';
import { escapeText, VALUES_NOTE } from '../../text/escape-text.ts';
import type { ToolAnswer } from '../define-tool.ts';
import type { ToolContext } from '../session.ts';
import type { WriteStructured } from '../write-answer.ts';
import type { FeedAnswerParts } from './feed-answer.ts';
import type { StoredFeed } from './feed-item.ts';

export function waitingAnswer(
  { info, account, operation }: FeedAnswerParts,
  feed: StoredFeed | undefined,
  { session }: ToolContext,
): ToolAnswer<WriteStructured> {
  const [item] = info.items;
  const { kind, why = info.why, journalId } = item?.outcome ?? {};
  const outcome = waitingOutcome(info, kind);
  const [head, next] = WAITING[outcome];
  const what = `${feed?.feedType ?? 'feed'} for account ${account}`;
  const age = session.program.now() - info.createdAt;
  const stuck = outcome === 'under_way' || outcome === 'unfinished' ? stuckWords(age) : '';
  return {
    ...(outcome === 'not_accepted' || outcome === 'unknown' ? { isError: true } : {}),
    text: [
      VALUES_NOTE,
      `${head}: ${escapeText(what)}.${why === undefined ? '' : ` ${escapeText(why)}`}${stuck === '' ? '' : ` It is not done${stuck}.`}`,
      next,
      `${journalId === undefined ? '' : `Journal entry ${journalId}. `}Batch ${info.id}.`,
    ].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome,
      account,
      operation: operation.id,
      batch_id: info.id,
      ...(why === undefined ? {} : { why: escapeText(why) }),
      next_step: next,
      ...(journalId === undefined ? {} : { journal_id: journalId }),
    },
    links: [],
  };
}

type Waiting = 'under_way' | 'unfinished' | 'stopped' | 'expired' | 'not_accepted' | 'unknown';

function waitingOutcome({ state }: BatchInfo, kind: string | undefined): Waiting {
  // What was under way then is not known to the batch, and known to the service.
  const isOpen = kind === undefined || kind === 'not_sent' || kind === 'unknown';
  if (isOpen && (state === 'stopped' || state === 'expired')) return state;
  if (kind === 'unknown') return 'unknown';
  if (kind !== undefined) return 'not_accepted';
  if (state === 'under_way' || state === 'elsewhere') return 'under_way';
  return state === 'unfinished' ? state : 'not_accepted';
}

const AGAIN = 'The same call, without a code, tells how far it is; it is never sent twice.';

const WAITING: Readonly<Record<Waiting, readonly [head: string, next: string]>> = {
  under_way: ['Under way', `Feeds take minutes, some hours. ${AGAIN}`],
  unfinished: ['NOT FINISHED', `The same call, without a code, goes on with it; it is never sent twice.`],
  stopped: [
    'Stopped',
    'What the service has of it goes on there: getFeed tells, cancelFeed ends what is still in the queue.',
  ],
  expired: ['NOT FINISHED WITHIN 24 HOURS', 'Look at getFeeds before anything of it is sent again.'],
  not_accepted: ['NOT ACCEPTED', 'Nothing of it was processed. Correct what it names, then call again.'],
  unknown: [
    'NOT KNOWN WHETHER THE SERVICE HAS IT',
    'Look at getFeeds and at what it was to change before anything of it is sent again.',
  ],
};
