/** The answer on a list of writes, in both forms: preview, question for a code, how far it is, what became of it. */

import { byteLength } from '../../../base/json.ts';
import { escapeJson, escapeText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { takeLines, takeValues, tokensOf } from '../../../base/text/shorten.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { linkTo } from '../../../tell/service-answer.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import { type ListPreview, rowFact } from '../../ask/many/list-preview.ts';
import type { ListValidation } from '../../ask/many/list-validation.ts';
import { validationFacts, validationWords } from '../../ask/many/list-validation.ts';
import type { Session } from '../../session.ts';
import type { WriteStructured } from '../write-answer.ts';
import { confirmationWords, ONLY_PREVIEW, SHOW_AND_CONFIRM } from '../write-words.ts';
import type { ToldItem, ToldList } from './list-outcome.ts';
import { readBackFact, tellsValues, VALUE_COLUMNS, valueFacts, valueRows } from './list-values.ts';
import {
  isTold,
  KIND_ORDER,
  type ListWordsParts,
  listWords,
  MOST_WITH_NAMES,
  nextSteps,
} from './list-words.ts';

export interface PreviewAnswerParts {
  account: string;
  operation: Operation;
  method: string;
  total: number;
  preview: ListPreview;
  /** Absent for a dry run. */
  code?: string;
  validation?: ListValidation | undefined;
  /** Sentences on other lists. */
  unfinished: readonly string[];
}

export function buildPreviewAnswer(parts: PreviewAnswerParts, session: Session): ToolAnswer<WriteStructured> {
  const { account, operation, method, total, preview, code, validation, unfinished } = parts;
  const { answerTokens } = session.settings();
  const { rest, warnings, cannotUndo, links, whole, saved, places, remarks, seller } = preview;
  const facts = {
    note: VALUES_NOTE,
    outcome: outcomeOf(code),
    account,
    operation: operation.id,
    items: total,
    next_step: code === undefined ? ONLY_PREVIEW : SHOW_AND_CONFIRM,
    confirmation_code: code,
    seller,
    ...(places === '' ? {} : { marketplaces: places }),
    request: { method, url: escapeText(operation.path) },
    ...(validation === undefined ? {} : { validation: validationFacts(validation) }),
    ...(unfinished.length === 0 ? {} : { unfinished }),
    ...(saved === undefined ? {} : { saved: escapeText(saved) }),
    ...(whole === undefined ? {} : { whole }),
  };
  const room = answerTokens - tokensOf(JSON.stringify(facts)) - 60;
  const wrong = takeValues(warnings, room / 4);
  const undo = takeValues(cannotUndo, room / 6);
  const told = takeValues(remarks, room / 6);
  const rows = takeValues(preview.shown.map(rowFact), room - tokensOf(JSON.stringify([wrong, undo, told])));
  const left = rest(rows.length);
  const head = [VALUES_NOTE, preview.text];
  const end = ['', code === undefined ? ONLY_PREVIEW : confirmationWords(code), ...unfinished];
  const lines = validation === undefined ? [] : validationWords(validation);
  const checked = takeLines(lines, Math.max(60, answerTokens - tokensOf([...head, ...end].join('\n'))), more);
  return {
    text: [...head, ...checked, ...end].join('\n'),
    structured: {
      ...facts,
      rows,
      ...(left === undefined ? {} : { rest: left }),
      ...(told.length === 0 ? {} : { remarks: told }),
      ...(wrong.length === 0 ? {} : { warnings: wrong }),
      ...(undo.length === 0 ? {} : { cannot_undo: undo.join('; ') }),
    },
    links,
  };
}

const more = (missing: number) => `  ... and ${missing} more lines`;

const outcomeOf = (code: string | undefined) =>
  code === undefined ? ('preview' as const) : ('needs_confirmation' as const);

export interface EndAnswerParts extends ListWordsParts {
  operation: Operation;
  tool: string;
  unfinished: readonly string[];
  /** Counts and the first ten: nobody waits for what became of each. */
  isBrief: boolean;
}

export async function buildListAnswer(
  parts: EndAnswerParts,
  session: Session,
): Promise<ToolAnswer<WriteStructured>> {
  const { told, operation, account, unfinished, isBrief } = parts;
  const { answerTokens } = session.settings();
  const facts = {
    note: VALUES_NOTE,
    outcome: told.outcome,
    account,
    operation: operation.id,
    items: told.total,
    counts: nonZero(told.counts),
    batch_id: told.id,
    ...(told.why === undefined ? {} : { why: escapeText(told.why) }),
    ...nextFact(parts),
    ...(unfinished.length === 0 ? {} : { unfinished }),
  };
  const most = answerTokens - tokensOf(JSON.stringify(facts)) - LINK_TOKENS;
  const clean = (value: unknown) => escapeJson(session.redactor.redactJson(value));
  const sorted = KIND_ORDER.flatMap((kind) => told.items.filter(({ outcome }) => outcome?.kind === kind));
  const first = isBrief ? [...sorted.filter(wasSent), ...sorted.filter((item) => !wasSent(item))] : sorted;
  const shown = isBrief ? first.slice(0, MOST_BRIEF) : sorted;
  const nameOf = (item: ToldItem) => shortName(item, sorted.length);
  const single = shown.filter(tellsMore).map(itemFact);
  const results = takeValues(single, most * 0.7);
  const all = tellsValues(told) ? shown.flatMap((item) => valueRows(item, nameOf(item))) : [];
  const rows = takeValues(all.map(clean), (most - tokensOf(JSON.stringify(results))) * 0.8);
  // What stands in the table is not named once more.
  const tabled = new Set(all.slice(0, rows.length).map(([key]) => key));
  const plain = shown.filter((item) => !tellsMore(item) && !tabled.has(nameOf(item))).map(nameOf);
  const accepted = takeValues(plain, most - tokensOf(JSON.stringify([results, rows])));
  const words = { ...parts, told: { ...told, items: isBrief ? shown : told.items } };
  const text = listWords(words, answerTokens - LINK_TOKENS);
  const isCut =
    shown.length < sorted.length ||
    results.length < single.length ||
    rows.length < all.length ||
    accepted.length < plain.length ||
    text !== listWords(words, Number.POSITIVE_INFINITY);
  const whole = clean({ batch_id: told.id, items: sorted.map(wholeFact) });
  const links = isCut
    ? await linkTo(
        `outcomes of batch ${told.id}, account ${account}`,
        { value: whole, bytes: byteLength(JSON.stringify(whole)) },
        session,
      )
    : [];
  const [link] = links;
  return {
    ...(told.outcome === 'not_accepted' || told.outcome === 'unknown' ? { isError: true } : {}),
    text: [
      VALUES_NOTE,
      text,
      ...(link === undefined ? [] : [`Every outcome: the resource ${link.uri}${allIn(all, told.id)}.`]),
      ...unfinished,
    ].join('\n'),
    structured: {
      ...facts,
      ...(results.length === 0 ? {} : { results }),
      ...(rows.length === 0 ? {} : { table: { columns: VALUE_COLUMNS, rows } }),
      ...(accepted.length === 0 ? {} : { accepted }),
      ...(link === undefined ? {} : { whole: link.uri }),
    },
    links,
  };
}

const LINK_TOKENS = 120;
const MOST_BRIEF = 10;

const wasSent = ({ outcome }: ToldItem) => outcome?.kind !== 'not_sent';

const allIn = (values: readonly unknown[], id: string) =>
  values.length === 0 ? '' : `, and in query_data the table changes WHERE list = '${id}'`;

const nonZero = (counts: ToldList['counts']) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** Only that it was accepted is told by its name alone. */
const tellsMore = (item: ToldItem) => item.outcome?.kind !== 'accepted' || isTold(item);

/** A call or a store is not known by its key alone; of many, only the keys. */
function shortName({ key, name }: ToldItem, items: number): string {
  const isKnown = name === key || name.startsWith(`${key} `) || name.endsWith(`(${key})`);
  return isKnown || items > MOST_WITH_NAMES ? escapeText(key) : `${escapeText(key)}: ${name}`;
}

function itemFact({ key, name, outcome, undoId }: ToldItem) {
  const { kind, why, journalId, facts }: Partial<NonNullable<ToldItem['outcome']>> = outcome ?? {};
  const readBack = readBackFact(outcome);
  return {
    key: escapeText(key),
    outcome: kind ?? 'pending',
    ...(name === key ? {} : { name }),
    ...(why === undefined ? {} : { why: escapeText(why) }),
    ...(journalId === undefined ? {} : { journal_id: journalId }),
    ...(undoId === undefined ? {} : { undo_id: undoId }),
    ...(readBack === null ? {} : { read_back: readBack }),
    ...(facts === undefined ? {} : { value: facts }),
  };
}

function wholeFact(item: ToldItem) {
  const { values = [] } = item;
  return { ...itemFact(item), ...(values.length === 0 ? {} : { values: valueFacts(values) }) };
}

function nextFact(parts: EndAnswerParts) {
  const steps = nextSteps(parts);
  return steps.length === 0 ? {} : { next_step: steps.join(' ') };
}
