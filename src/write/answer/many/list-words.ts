/** What became of a list, in words: the count of each outcome, what did not go well one by one, how to go on. */

import { escapeText } from '../../../base/text/escape-text.ts';
import { shortenToTokens, takeLines } from '../../../base/text/shorten.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { End } from '../../outcome.ts';
import type { ReadBackKind } from '../../run/batches/types.ts';
import type { ListOutcome, ToldItem, ToldList } from './list-outcome.ts';
import { tellsValues, valueWords } from './list-values.ts';

/** In the order in which they are told: what needs somebody first. */
export const KINDS: Readonly<Record<End, string>> = {
  not_accepted: 'not accepted',
  failed: 'failed, not applied',
  unknown: 'not known whether it was applied',
  changed_since: 'changed by somebody since it was shown, not sent',
  not_sent: 'not sent',
  accepted_not_visible: 'accepted, not visible yet',
  accepted: 'accepted',
};
export const KIND_ORDER: readonly End[] = [
  ...(['not_accepted', 'failed', 'unknown', 'changed_since', 'not_sent'] as const),
  ...(['accepted_not_visible', 'accepted'] as const),
];

const HEADS: Readonly<Record<ListOutcome, string>> = {
  done: 'Done',
  requested: 'Requested, nothing was changed',
  accepted_not_visible: 'Accepted, not visible yet',
  partly_accepted: 'ACCEPTED IN PART',
  not_accepted: 'NOT ACCEPTED',
  unknown: 'NOT KNOWN WHETHER IT WAS APPLIED',
  under_way: 'Under way',
  unfinished: 'NOT FINISHED',
  stopped: 'Stopped',
  expired: 'ENDED AFTER 24 HOURS, NOT FINISHED',
};

export interface ListWordsParts {
  told: ToldList;
  /** `4 stores`. */
  words: string;
  account: string;
  /** That reads one of them, where there is one. */
  look: string | undefined;
}

/** `24 accepted, 1 not accepted`. */
export function countWords({ counts }: Pick<ToldList, 'counts'>): string {
  const kinds: readonly End[] = [...KIND_ORDER].reverse();
  const told = kinds.flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${counts[kind].toLocaleString('en-US')} ${KINDS[kind]}`],
  );
  const waiting = counts.pending === 0 ? [] : [`${counts.pending.toLocaleString('en-US')} not sent yet`];
  return [...told, ...waiting].join(', ');
}

/** @param maxTokens for all of it */
export function listWords(parts: ListWordsParts, maxTokens: number): string {
  const { told, words, account } = parts;
  const { outcome, items, id } = told;
  return [
    `${HEADS[outcome]}: ${escapeText(words)}, account ${account}: ${countWords(told)}.`,
    ...(told.why === undefined ? [] : [shortenToTokens(escapeText(told.why), 100)]),
    ...takeLines(itemLines(items, tellsValues(told)), Math.max(60, maxTokens - FRAME_TOKENS), more),
    ...nextSteps(parts),
    `Batch ${id}.`,
  ].join('\n');
}

/** Room for the lines around those of the items. */
const FRAME_TOKENS = 250;

const more = (missing: number) => `  ... and ${missing} more lines that are not listed here`;

/** What says more than that it was accepted stands on its own line, what went wrong first. */
function itemLines(items: readonly ToldItem[], withValues: boolean): string[] {
  return KIND_ORDER.flatMap((kind) => {
    const all = items.filter(({ outcome }) => outcome?.kind === kind);
    const changed = (item: ToldItem) => (withValues && MAY_BE_THERE.has(kind) ? (item.values ?? []) : []);
    const single = all.filter(isTold);
    const plain = all.filter((item) => !isTold(item));
    const listed = plain.filter((item) => changed(item).length > 0);
    const named = plain.filter((item) => changed(item).length === 0);
    const heads = new Set(listed.map(({ outcome }) => headOf(kind, outcome)));
    return [
      ...single.map((item) =>
        [`  ${item.name}: ${wordsOf(item)}`, ...[changed(item)].filter(isFilled).map(valueWords)].join(' '),
      ),
      ...[...heads].flatMap((head) => [
        `  ${head}:`,
        ...listed
          .filter(({ outcome }) => headOf(kind, outcome) === head)
          .map((item) => `    ${item.name}: ${valueWords(changed(item))}`),
      ]),
      ...(named.length === 0 ? [] : [`  ${capital(KINDS[kind])}: ${namesOf(named)}`]),
    ];
  });
}

const isFilled = (values: readonly unknown[]) => values.length > 0;

/** What these say of old and new values is so, or may be. */
const MAY_BE_THERE: ReadonlySet<End> = new Set(['accepted', 'accepted_not_visible', 'unknown']);

const READ_BACK: Readonly<Record<ReadBackKind, string>> = {
  same: 'read back, the service has what was sent',
  differs: 'read back, the service has something else',
  failed: 'could not be read back',
};

function headOf(kind: End, outcome: ToldItem['outcome']): string {
  const { readBack } = outcome ?? {};
  const read = kind === 'accepted' ? [readBack === undefined ? 'not read back' : READ_BACK[readBack]] : [];
  return [capital(KINDS[kind]), ...read].join('; ');
}

/** Whether more is known of it than its outcome. */
export function isTold({ outcome }: ToldItem): boolean {
  if (outcome === undefined || outcome.kind === 'changed_since') return false;
  return outcome.why !== undefined || outcome.facts !== undefined;
}

function wordsOf({ outcome }: ToldItem): string {
  if (outcome === undefined) return 'not sent yet';
  const { kind, why, facts } = outcome;
  const answer = facts === undefined ? '' : ` ${escapeText(JSON.stringify(facts))}`;
  const isAccepted = kind === 'accepted' || kind === 'accepted_not_visible';
  if (why !== undefined && isAccepted) return `${escapeText(why)}${answer}`;
  return `${KINDS[kind]}${why === undefined ? '' : `: ${escapeText(why)}`}${answer}`;
}

/** Named one by one; of more, the first. */
export const MOST_NAMED = 30;
/** Of more, only the key of each. */
export const MOST_WITH_NAMES = 10;

function namesOf(items: readonly ToldItem[]): string {
  const rest = items.length - MOST_NAMED;
  const names = items
    .slice(0, MOST_NAMED)
    .map(({ name, key }) => (items.length > MOST_WITH_NAMES ? escapeText(key) : name));
  return `${names.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** How to go on, in sentences. */
export function nextSteps({ told, look }: Pick<ListWordsParts, 'told' | 'look'>): string[] {
  const { outcome, counts } = told;
  const how = look === undefined ? '' : ` with read_operation ${look}`;
  const refused = counts.not_accepted + counts.failed > 0;
  return [
    ...(outcome === 'under_way' ? [UNDER_WAY] : []),
    ...(outcome === 'unfinished' ? [UNFINISHED] : []),
    ...(outcome === 'stopped' || outcome === 'expired' ? [ENDED_EARLY] : []),
    ...(refused && outcome !== 'under_way' ? [REFUSED] : []),
    ...(counts.changed_since > 0 ? [CHANGED] : []),
    ...(counts.unknown > 0 ? [`${NOT_KNOWN}${how}.`] : []),
    ...(counts.accepted_not_visible > 0 ? [`${NOT_VISIBLE}${how}; do not send it again.`] : []),
  ];
}

export const UNDER_WAY =
  'It goes on by itself. Call again with the same arguments to see how far it is (no code, no new question); with stop: true it ends between two items.';
export const UNFINISHED =
  'Nothing is being sent now. The same call with the same arguments goes on where it ended, without a code, for 24 hours after the yes, and so does the id of the batch as confirmationCode alone; with stop: true it ends for good.';
const ENDED_EARLY =
  'What was not sent never will be: a new call asks for it anew. Leave out what was accepted.';
const REFUSED = 'Send again only what was refused, corrected; never what was accepted.';
const CHANGED = 'A new call shows what is there now and asks anew.';
const NOT_KNOWN = 'Do not repeat what is not known: read it first';
const NOT_VISIBLE = 'It can take minutes until an accepted change is seen: look again later';

/** That reads one of the list. */
export function lookOf(operation: Operation): string | undefined {
  return operation.state?.operation;
}
