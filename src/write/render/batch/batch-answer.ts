/**
 * Builds the answer about a batch of writes, in both forms: preview, request for a code, progress, and the
 * outcome of each item.
 */

import { byteLength, dropUndefined, isJsonObject } from '../../../base/json.ts';
import { escapeJson, escapeText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { capital, count } from '../../../base/text/format-value.ts';
import {
  shortenToCharacters,
  shortenToTokens,
  takeLines,
  takeValues,
  tokensOf,
} from '../../../base/text/shorten.ts';
import { maskServiceAnswer } from '../../../render/mask-answer.ts';
import { hideSecretAnswer } from '../../../render/secret-answers.ts';
import { linkToWhole } from '../../../render/service-answer.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { fitWhole } from '../../../render/value/fit-to-budget.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { renderEach, rowFact } from '../../approval/batch/batch-preview.ts';
import { type BatchValidation, describeValidation } from '../../approval/batch/batch-validation.ts';
import type { BatchPreview } from '../../approval/shown-store.ts';
import { moreLines } from '../../model/format/fit-lines.ts';
import { describeValue, formatMoney } from '../../model/format/value.ts';
import { type MemberValue, type PlainValue, percentOf } from '../../model/member-values.ts';
import {
  END_FACTS,
  formatNextStep,
  HEADS,
  type ItemEnd,
  isBad,
  POSSIBLY_APPLIED,
  toShownOutcome,
  type WriteStructured,
} from '../../model/outcome.ts';
import type { ItemOutcome, ReadBackKind } from '../../run/batches/batch.ts';
import type { BatchResult, ItemResult } from '../../run/items/batch-result.ts';
import type { ItemAnswer } from '../../run/items/item-outcome.ts';
import type { Session, ToolContext } from '../../session.ts';
import { undefinedIfEmpty } from '../render-write.ts';

interface PreviewAnswerParts {
  account: string;
  operation: Operation;
  method: string;
  total: number;
  preview: BatchPreview;
  /** The items that are not in the batch, the same as in `PreparedBatch`; the remarks name them too. */
  leftOut?: readonly string[] | undefined;
  /** The confirmation code, absent for a dry run. */
  code?: string;
  validation?: BatchValidation | undefined;
  /** Sentences about other batches. */
  unfinished: readonly string[];
}

export function buildPreviewAnswer(parts: PreviewAnswerParts, session: Session): ToolAnswer<WriteStructured> {
  const { account, operation, method, total, preview, leftOut = [], code, validation, unfinished } = parts;
  const { answerTokens } = session.settings();
  const { rest, warnings, cannotUndo, links, whole, saved, places, remarks, seller } = preview;
  const next = formatNextStep(code);
  const checked = validation && describeValidation(validation);
  const facts = {
    note: VALUES_NOTE,
    outcome: toShownOutcome(code).outcome,
    account,
    operation: operation.id,
    items: total,
    complete: leftOut.length === 0 ? undefined : false,
    next_step: next.data,
    confirmation_code: code,
    seller,
    marketplaces: places === '' ? undefined : places,
    request: { method, url: escapeText(operation.path) },
    validation: checked?.data,
    unfinished: undefinedIfEmpty(unfinished),
    saved: saved && escapeText(saved),
    whole,
  };
  const room = answerTokens - tokensOf(JSON.stringify(facts)) - 60;
  const wrong = takeValues(warnings, room / 4);
  const undo = takeValues(cannotUndo, room / 6);
  const shown = takeValues(remarks, room / 6);
  const rows = takeValues(preview.shown.map(rowFact), room - tokensOf(JSON.stringify([wrong, undo, shown])));
  const head = [VALUES_NOTE, preview.text];
  const end = ['', next.line, ...unfinished];
  const max = Math.max(60, answerTokens - tokensOf([...head, ...end].join('\n')));
  return {
    text: [...head, ...takeLines(checked?.lines ?? [], max, more), ...end].join('\n'),
    structured: dropUndefined({
      ...facts,
      rows,
      rest: rest(rows.length),
      remarks: undefinedIfEmpty(shown),
      warnings: undefinedIfEmpty(wrong),
      cannot_undo: undefinedIfEmpty(undo)?.join('; '),
    }),
    links,
  };
}

const more = (missing: number) => `  ... and ${missing} more lines`;

interface BatchAnswerParts {
  told: BatchResult;
  /** The heading, such as `4 stores`. */
  words: string;
  /** The items that are not in the batch, the same as in `PreparedBatch`. */
  leftOut?: readonly string[] | undefined;
  account: string;
  operation: Operation;
  /** Sentences about other batches. */
  unfinished: readonly string[];
  /** True for counts and the first ten items only, because nobody waits for each outcome. */
  isBrief: boolean;
}

export async function buildBatchAnswer(
  parts: BatchAnswerParts,
  session: Session,
): Promise<ToolAnswer<WriteStructured>> {
  const { told, operation, account, unfinished, isBrief } = parts;
  const { answerTokens } = session.settings();
  const { leftOut: allLeftOut = [] } = parts;
  const leftOut = takeValues(allLeftOut, answerTokens * LEFT_OUT_SHARE);
  const steps = nextSteps(parts);
  const facts = {
    note: VALUES_NOTE,
    outcome: told.outcome,
    account,
    operation: operation.id,
    items: told.total,
    counts: nonZero(told.counts),
    complete: allLeftOut.length === 0 ? undefined : false,
    left_out: undefinedIfEmpty(leftOut),
    batch_id: told.id,
    why: told.why && escapeText(told.why),
    taken_out: takenOutFact(told, answerTokens),
    next_step: steps.length === 0 ? undefined : steps.join(' '),
    unfinished: undefinedIfEmpty(unfinished),
  };
  const max = answerTokens - tokensOf(JSON.stringify(facts)) - LINK_TOKENS;
  const clean = (value: unknown) => escapeJson(session.redactor.redactJson(value));
  const sorted = KIND_ORDER.flatMap((kind) => told.items.filter(({ outcome }) => outcome?.kind === kind));
  const first = isBrief ? [...sorted.filter(wasSent), ...sorted.filter((item) => !wasSent(item))] : sorted;
  const shown = isBrief ? first.slice(0, MAX_BRIEF) : sorted;
  const nameOf = (item: ItemResult) => shortName(item, sorted.length);
  const single = shown.filter(needsLine).map(itemFact);
  const results = takeValues(single, max * 0.7);
  const all = showsValues(told) ? shown.flatMap((item) => valueRows(item, nameOf(item))) : [];
  const rows = takeValues(all.map(clean), (max - tokensOf(JSON.stringify(results))) * 0.8);
  // Items in the table are not named again.
  const tabled = new Set(all.slice(0, rows.length).map(([key]) => key));
  const plain = shown.filter((item) => !needsLine(item) && !tabled.has(nameOf(item))).map(nameOf);
  const accepted = takeValues(plain, max - tokensOf(JSON.stringify([results, rows])));
  const words = { ...parts, leftOut, told: { ...told, items: isBrief ? shown : told.items } };
  const text = formatBatch(words, answerTokens - LINK_TOKENS);
  const isCut =
    shown.length < sorted.length ||
    results.length < single.length ||
    rows.length < all.length ||
    accepted.length < plain.length ||
    text !== formatBatch(words, Number.POSITIVE_INFINITY);
  const links = isCut ? await saveOutcomes(told.id, account, sorted, session) : [];
  const [link] = links;
  return {
    isError: isBad(told.outcome),
    text: [
      VALUES_NOTE,
      text,
      ...(link === undefined ? [] : [`Every outcome: the resource ${link.uri}${allIn(all, told.id)}.`]),
      ...unfinished,
    ].join('\n'),
    structured: dropUndefined({
      ...facts,
      results: undefinedIfEmpty(results),
      table: undefinedIfEmpty(rows) && { columns: VALUE_COLUMNS, rows },
      accepted: undefinedIfEmpty(accepted),
      whole: link?.uri,
    }),
    links,
  };
}

async function saveOutcomes(id: string, account: string, items: readonly ItemResult[], session: Session) {
  const { all, bytes: inside } = await renderEach(items.map(wholeFact), session);
  const frame = { batch_id: id, items: [] };
  const bytes = byteLength(JSON.stringify(frame)) + Math.max(0, items.length - 1) + inside;
  const value = { ...frame, items: all };
  return linkToWhole(`outcomes of batch ${id}, account ${account}`, { value, bytes }, session);
}

const LINK_TOKENS = 120;
const MAX_BRIEF = 10;

const wasSent = ({ outcome }: ItemResult) => outcome?.kind !== 'not_sent';

const allIn = (values: readonly unknown[], id: string) =>
  values.length === 0 ? '' : `, and in query_data the table changes WHERE list = '${id}'`;

const nonZero = (counts: BatchResult['counts']) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** Returns true if the item needs more than its name; an accepted item without remarks does not. */
const needsLine = (item: ItemResult) => item.outcome?.kind !== 'accepted' || hasDetails(item);

/** Names an item. A call or a store needs its name beside the key; with many items, only the key is shown. */
function shortName({ key, name }: ItemResult, items: number): string {
  const isKnown = name === key || name.startsWith(`${key} `) || name.endsWith(`(${key})`);
  return isKnown || items > MAX_WITH_NAMES ? escapeText(key) : `${escapeText(key)}: ${name}`;
}

function itemFact({ key, name, outcome, undoId }: ItemResult) {
  const { kind, why, journalId, facts }: Partial<ItemOutcome> = outcome ?? {};
  return {
    key: escapeText(key),
    outcome: kind ?? 'pending',
    name: name === key ? undefined : name,
    why: why && escapeText(why),
    journal_id: journalId,
    undo_id: undoId,
    read_back: readBackOf(outcome),
    value: facts,
  };
}

function wholeFact(item: ItemResult) {
  const values = (item.values ?? []).map((value) => ({ ...value, percent: percentOf(value) }));
  return { ...itemFact(item), values: undefinedIfEmpty(values) };
}

// The text of the outcome has the count of each outcome, the items that did not go well one by one, and the
// next steps.

/** The outcomes in the order of rendering: those that need attention come first. */
const KIND_ORDER: readonly ItemEnd[] = [
  ...(['not_accepted', 'failed', 'unknown', 'changed_since', 'not_sent'] as const),
  ...(['requested', 'accepted_not_visible', 'accepted'] as const),
];

/** Formats the counts: `24 accepted, 1 not accepted`. */
function formatCounts({ counts }: Pick<BatchResult, 'counts'>): string {
  const kinds: readonly ItemEnd[] = [...KIND_ORDER].reverse();
  const shown = kinds.flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${count(counts[kind])} ${END_FACTS[kind].words}`],
  );
  const waiting = counts.pending === 0 ? [] : [`${count(counts.pending)} not sent yet`];
  return [...shown, ...waiting].join(', ');
}

/** Renders the text of the outcome. @param maxTokens the limit for all of it */
function formatBatch(parts: BatchAnswerParts, maxTokens: number): string {
  const { told, words, leftOut = [], account } = parts;
  const { outcome, items, id } = told;
  const takenOut = [...leftOut, ...takenOutLine(told, maxTokens)];
  const room = maxTokens - FRAME_TOKENS - tokensOf(takenOut.join('\n'));
  return [
    `${HEADS[outcome]}${changesNothing(told) ? ', nothing was changed' : ''}: ${escapeText(words)}, account ${account}: ${formatCounts(told)}.`,
    ...(told.why === undefined ? [] : [shortenToTokens(escapeText(told.why), 100)]),
    ...takenOut,
    ...takeLines(itemLines(items, showsValues(told)), Math.max(60, room), moreOfList),
    ...nextSteps(parts),
    `Batch ${id}.`,
  ].join('\n');
}

/** Returns true if the calls only requested something and started no work. */
const changesNothing = ({ outcome, counts }: BatchResult) =>
  outcome === 'requested' && counts.requested === 0;

/** The shares of an answer, and the max tokens, for items that were left out. */
const TAKEN_OUT_SHARE = 1 / 6;
const LEFT_OUT_SHARE = 1 / 6;
const MAX_TAKEN_OUT = 1_000;

/** Returns the number of excluded items and the first of their keys. */
function takenOutFact({ takenOut = [] }: BatchResult, answerTokens: number) {
  if (takenOut.length === 0) return undefined;
  const max = Math.min(answerTokens * TAKEN_OUT_SHARE, MAX_TAKEN_OUT);
  return { number: takenOut.length, keys: takeValues(takenOut.map(escapeText), max) };
}

function takenOutLine(told: BatchResult, answerTokens: number): string[] {
  const { number = 0, keys = [] } = takenOutFact(told, answerTokens) ?? {};
  if (number === 0) return [];
  const more = number - keys.length;
  const names = `${keys.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
  return [`Taken out by the person, and not sent: ${names}. ${NOT_AGAIN}`];
}

const NOT_AGAIN = 'Do not put them into a list again unless the person asks for it.';

const moreOfList = (missing: number) => `  ${moreLines(missing)}`;

/** The tokens reserved for the lines around those of the items. */
const FRAME_TOKENS = 250;

/** Renders each item with remarks on its own line, failed ones first. */
function itemLines(items: readonly ItemResult[], withValues: boolean): string[] {
  return KIND_ORDER.flatMap((kind) => {
    const all = items.filter(({ outcome }) => outcome?.kind === kind);
    const changed = (item: ItemResult) =>
      withValues && POSSIBLY_APPLIED.has(kind) ? (item.values ?? []) : [];
    const single = all.filter(hasDetails);
    const plain = all.filter((item) => !hasDetails(item));
    const listed = plain.filter((item) => changed(item).length > 0);
    const named = plain.filter((item) => changed(item).length === 0);
    const heads = new Set(listed.map(({ outcome }) => headOf(kind, outcome)));
    return [
      ...single.map((item) =>
        [`  ${item.name}: ${itemText(item)}`, ...[changed(item)].filter(isFilled).map(valuesText)].join(' '),
      ),
      ...[...heads].flatMap((head) => [
        `  ${head}:`,
        ...listed
          .filter(({ outcome }) => headOf(kind, outcome) === head)
          .map((item) => `    ${item.name}: ${valuesText(changed(item))}`),
      ]),
      ...(named.length === 0 ? [] : [`  ${capital(END_FACTS[kind].words)}: ${namesOf(named)}`]),
    ];
  });
}

const isFilled = (values: readonly unknown[]) => values.length > 0;

const READ_BACK: Readonly<Record<ReadBackKind, string>> = {
  same: 'read back, the service has what was sent',
  differs: 'read back, the service has something else',
  failed: 'could not be read back',
};

function headOf(kind: ItemEnd, outcome: ItemResult['outcome']): string {
  const { readBack } = outcome ?? {};
  const read = kind === 'accepted' ? [readBack === undefined ? 'not read back' : READ_BACK[readBack]] : [];
  return [capital(END_FACTS[kind].words), ...read].join('; ');
}

/** Returns true if more than the outcome is known about the item. */
function hasDetails({ outcome }: ItemResult): boolean {
  if (outcome === undefined || outcome.kind === 'changed_since') return false;
  return outcome.why !== undefined || outcome.facts !== undefined;
}

function itemText({ outcome }: ItemResult): string {
  if (outcome === undefined) return 'not sent yet';
  const { kind, why, facts } = outcome;
  const answer = facts === undefined ? '' : ` ${escapeText(JSON.stringify(facts))}`;
  const isAccepted = kind === 'accepted' || kind === 'accepted_not_visible' || kind === 'requested';
  if (why !== undefined && isAccepted) return `${escapeText(why)}${answer}`;
  return `${END_FACTS[kind].words}${why === undefined ? '' : `: ${escapeText(why)}`}${answer}`;
}

/** The max number of items that are named; the rest is counted. */
const MAX_NAMED = 30;
/** The max number of items that have names; a larger batch shows only keys. */
const MAX_WITH_NAMES = 10;

function namesOf(items: readonly ItemResult[]): string {
  const rest = items.length - MAX_NAMED;
  const names = items
    .slice(0, MAX_NAMED)
    .map(({ name, key }) => (items.length > MAX_WITH_NAMES ? escapeText(key) : name));
  return `${names.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`;
}

function nextSteps({ told, operation }: BatchAnswerParts): string[] {
  const { outcome, counts } = told;
  const how = operation.state === undefined ? '' : ` with read_operation ${operation.state.operation}`;
  const refused = counts.not_accepted + counts.failed > 0;
  return [
    ...(outcome === 'under_way' ? [UNDER_WAY] : []),
    ...(outcome === 'unfinished' ? [UNFINISHED] : []),
    ...(outcome === 'stopped' || outcome === 'expired' ? [ENDED_EARLY] : []),
    ...(refused && outcome !== 'under_way' ? [REFUSED] : []),
    ...(counts.requested > 0 ? [REQUESTED] : []),
    ...(counts.changed_since > 0 ? [CHANGED] : []),
    ...(counts.unknown > 0 ? [`${NOT_KNOWN}${how}.`] : []),
    ...(counts.accepted_not_visible > 0 ? [`${NOT_VISIBLE}${how}; do not send it again.`] : []),
  ];
}

const REQUESTED =
  'The service still works on what was requested, and it may fail: make the call that stands beside each to see how it ended. Do not send it again before.';
const UNDER_WAY =
  'It goes on by itself. Call again with the same arguments to see how far it is (no code, no new question); with stop: true it ends between two items.';
const UNFINISHED =
  'Nothing is being sent now. The same call with the same arguments goes on where it ended, without a code, for 24 hours after the yes, and so does the id of the batch as confirmationCode alone; with stop: true it ends for good.';
const ENDED_EARLY =
  'What was not sent never will be: a new call asks for it anew. Leave out what was accepted.';
const REFUSED = 'Send again only what was refused, corrected; never what was accepted.';
const CHANGED = 'A new call shows what is there now and asks anew.';
const NOT_KNOWN = 'Do not repeat what is not known: read it first';
const NOT_VISIBLE = 'It can take minutes until an accepted change is seen: look again later';

// The table of changed values has the member, old and new value, the change in percent and the outcome.

/** The max length of a value in the table; the resource has it whole. */
const MAX_CHARACTERS = 100;

const VALUE_COLUMNS = ['item', 'member', 'old', 'new', 'currency', 'percent', 'outcome', 'read_back'];

/**
 * Returns true if the answer shows values. A running batch would repeat them in each call, and a stopped one
 * has a short answer.
 */
const showsValues = ({ outcome }: Pick<BatchResult, 'outcome'>) =>
  outcome !== 'under_way' && outcome !== 'stopped';

/** @param name the name that the rest of the answer uses for the item */
function valueRows({ values = [], outcome }: ItemResult, name: string): unknown[][] {
  return values.map((value) => [
    name,
    value.member,
    cut(value.old),
    cut(value.new),
    value.currency ?? null,
    percentOf(value) ?? null,
    outcome?.kind ?? 'pending',
    readBackOf(outcome) ?? null,
  ]);
}

const cut = (value: PlainValue) =>
  typeof value === 'string' ? shortenToCharacters(value, MAX_CHARACTERS) : value;

/** @returns undefined if the item was not read back */
const readBackOf = (outcome: ItemResult['outcome']) =>
  outcome?.kind === 'accepted_not_visible' ? 'not visible yet' : outcome?.readBack;

/** Formats a percentage: `-10`, `12.5`, and `4.00` for 4.0001, which is not 4. */
const formatPercent = (percent: number): string =>
  String(percent).length > percent.toFixed(2).length ? percent.toFixed(2) : String(percent);

/** Formats changed values: `price: 19.99 EUR -> 17.99 EUR (-10 %)`. */
function valuesText(values: readonly MemberValue[]): string {
  return values
    .map((value) => {
      const percent = percentOf(value);
      const share = percent === undefined ? '' : ` (${percent > 0 ? '+' : ''}${formatPercent(percent)} %)`;
      return `${escapeText(value.member)}: ${formatSide(value, 'old')} -> ${formatSide(value, 'new')}${share}`;
    })
    .join('; ');
}

function formatSide(value: MemberValue, side: 'old' | 'new'): string {
  const one = value[side];
  if (one === null) return side === 'old' ? 'none' : 'removed';
  return formatMoney(one, value.currency) ?? describeValue(one, [], MAX_CHARACTERS);
}

const MAX_ITEM_TOKENS = 300;

/** Masks and shortens the service's response to one item; facts that the outcome already has are left out. */
export function createItemAnswers(ctx: ToolContext): ItemAnswer {
  const { session } = ctx;
  return async ({ input, change }, response, view) => {
    const { operation, account, body } = input;
    const plain = await hideSecretAnswer({ operation, body, result: response, session });
    if (plain === undefined) return undefined;
    // Stores and listings are read back instead, so only remarks remain.
    const shown = change.subject.kind === 'operation' ? plain : remarksOf(plain);
    if (shown === undefined) return undefined;
    const { whole } = await maskServiceAnswer({
      operation,
      account,
      result: response,
      whole: shown,
      session,
    });
    const value = escapeJson(session.redactor.redactJson(view.value(whole)));
    return fitWhole(value, MAX_ITEM_TOKENS).value ?? undefined;
  };
}

/** Returns the service's remarks on something that it accepted. */
function remarksOf(answer: unknown): unknown {
  if (!isJsonObject(answer) || !Array.isArray(answer.issues) || answer.issues.length === 0) return undefined;
  return { issues: answer.issues };
}
