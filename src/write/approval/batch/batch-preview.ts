/**
 * Builds the preview of a batch for the user and for the answer. The whole batch becomes a resource, and a
 * file on request.
 */

import type { ApprovalRow } from '../../../../views/data.ts';
import { InputError } from '../../../base/errors.ts';
import { yieldEvery } from '../../../base/event-loop.ts';
import { thisComputer } from '../../../base/invocation.ts';
import { byteLength, dropUndefined } from '../../../base/json.ts';
import { escapeJson, escapeText } from '../../../base/text/escape-text.ts';
import type { ReplacedPlaceholder } from '../../../privacy/personal/personal-data.ts';
import { linkToWhole } from '../../../render/service-answer.ts';
import type { ResourceLink } from '../../../render/tool-answer.ts';
import { sellerOf } from '../../model/format/seller-lines.ts';
import { legendOf } from '../../plan/mask-request.ts';
import type { BatchWrite, PreparedBatch } from '../../plan/prepared-batch.ts';
import { isPersonal } from '../../run/items/stored-write.ts';
import type { Session } from '../../session.ts';
import type { BatchPreview } from '../shown-store.ts';
import { previewTokens } from '../write-preview.ts';
import { type BatchQuestion, describeBatchQuestion } from './batch-question.ts';
import { type BatchQuestionParts, type BatchRow, describeRows, largestChange } from './batch-rows.ts';

/** @throws InputError | ConfigError if the file cannot be saved; nothing was sent then */
export async function buildBatchPreview(
  parts: Pick<BatchQuestionParts, 'head' | 'operation' | 'account' | 'remarks'> & {
    writes: readonly BatchWrite[];
    /** The recent changes from here, by the index in the batch. */
    lately: ReadonlyMap<number, string>;
    saveAs: string | undefined;
    /** The tool can save the batch as a file. */
    canSave: boolean;
  },
  session: Session,
): Promise<BatchPreview> {
  const { writes, remarks = [] } = parts;
  const [first] = writes;
  if (first === undefined) throw new Error('A list without writes cannot be shown');
  const replaced = new Map<string, ReplacedPlaceholder>();
  for (const write of writes) for (const one of write.replaced ?? []) replaced.set(one.mark, one);
  const common = { ...parts, request: { ...first.request, method: parts.operation.method } };
  const clear: BatchQuestionParts = {
    ...common,
    rows: writes.map((write) => ({ ...write, ...write.input, filledIn: write.request.filledIn })),
  };
  const masked: BatchQuestionParts = {
    ...common,
    rows: writes.map(({ key, shown, unusual, amounts, request: { filledIn } }) => ({
      key,
      ...shown,
      filledIn,
      unusual,
      amounts,
    })),
  };
  const asked = describeBatchQuestion(clear);
  const { order } = asked;
  const answered = describeBatchQuestion({ ...masked, order, isForCaller: true }, previewTokens(session));
  refuseUnsummed(asked, writes);
  const isCut = asked.notShown + answered.notShown > 0;
  const saved = await saveFile(parts, { ...clear, order }, session);
  const links = isCut ? await saveWhole(masked, answered, session) : [];
  const where = [
    ...links.map(({ uri }) => `${uri} (a resource of this server)`),
    saved === undefined ? (parts.canSave ? AS_FILE : IN_PARTS) : escapeText(saved),
  ].join(', or ');
  const file =
    saved === undefined ? [] : [`The whole list is saved on ${thisComputer()}: ${escapeText(saved)}`];
  const legend = legendOf([...replaced.values()]);
  return {
    ...answered,
    question: [asked.text(where), ...file, ...legend].join('\n'),
    page: {
      head: asked.head,
      around: [...asked.around, ...file, ...legend],
      rows: () => pageRows({ ...clear, order }, parts.lately),
    },
    text: [answered.text(where), ...file].join('\n'),
    remarks,
    seller: sellerOf(first.request, answered.calls),
    links,
    whole: links[0]?.uri,
    saved,
  };
}

/** Builds every row in the order of the question; nothing is shortened. */
async function pageRows(
  parts: BatchQuestionParts & Required<Pick<BatchQuestionParts, 'order'>>,
  lately: ReadonlyMap<number, string>,
): Promise<ApprovalRow[]> {
  const { wordsOf } = describeRows(parts);
  const rows: ApprovalRow[] = [];
  for (const { at } of parts.order) {
    await yieldEvery(VALUES_A_TURN, rows.length);
    const row = parts.rows.at(at);
    if (row === undefined) continue;
    const { key, name, change, unusual } = wordsOf(row);
    const share = largestChange(row);
    const size = share && Math.round(share * 1e6) / 1e6;
    const words = { change: change.text, odd: unusual.join('; '), lately: lately.get(at) ?? '' };
    rows.push(dropUndefined({ key, name, ...words, size }));
  }
  return rows;
}

/**
 * Refuses changes that no range can summarize. An undo is exempt, because it restores the former values
 * whatever their form.
 */
function refuseUnsummed({ unsummed, shown }: BatchQuestion, writes: readonly BatchWrite[]): void {
  if (unsummed === 0) return;
  let isUndo = true;
  for (const { undoes } of writes) isUndo &&= undoes !== undefined;
  if (isUndo) return;
  throw new InputError(
    `${unsummed + shown.length} of the list set amounts that no range can sum up (such as a plan of quantity discounts, or a price as a text), and a question has room for ${shown.length} of them; nothing was sent.`,
    `Send them in several calls, ${shown.length} at most in each.`,
  );
}

/** A user opens no resource, so these hints name another way. */
const AS_FILE = 'say no and ask for the list as a file (save_as)';
const IN_PARTS = 'say no and ask for fewer of them at once';

/** Saves every row as a resource; nothing is shortened. */
async function saveWhole(
  parts: BatchQuestionParts,
  { calls }: Pick<BatchQuestion, 'calls'>,
  session: Session,
): Promise<ResourceLink[]> {
  const { operation, account, request } = parts;
  const { all, bytes } = await renderEach(parts.rows.map(wholeRow), session);
  const name = `list of ${all.length} x ${operation.name}, account ${account}`;
  const details = {
    operation: operation.id,
    account,
    seller: sellerOf(request, calls),
    request: { method: request.method, url: escapeText(request.owner.baseUrl + operation.path) },
  };
  return linkToWhole(name, { value: { ...details, rows: all }, bytes }, session);
}

/** Renders each value as it is shown, and counts the bytes of all as JSON. */
export async function renderEach(values: Iterable<unknown>, session: Session) {
  const all: unknown[] = [];
  let bytes = 0;
  for (const one of values) {
    await yieldEvery(VALUES_A_TURN, all.length);
    const value = escapeJson(session.redactor.redactJson(one));
    bytes += byteLength(JSON.stringify(value));
    all.push(value);
  }
  return { all, bytes };
}

/** The number of values before other work may run: a few milliseconds. */
const VALUES_A_TURN = 200;

function wholeRow({ key, change, parameters, body, unusual }: BatchRow) {
  const { warnings } = change;
  return {
    key,
    parameters,
    body,
    differences: change.differences?.map(({ path, before, after }) => ({ path, before, after })),
    unusual: unusual?.length === 0 ? undefined : unusual,
    warnings: warnings.length === 0 ? undefined : warnings.map(({ path, message }) => ({ path, message })),
  };
}

/** Returns a row in the structured form. */
export function rowFact({ key, name, change, unusual }: BatchQuestion['shown'][number]) {
  return {
    key: escapeText(key),
    name: name === key ? undefined : name,
    change: change.short,
    unusual: unusual.length === 0 ? undefined : unusual.join('; '),
  };
}

// The whole batch can become a file of the user's: each write is a row, and its changes are text.

/** The number of rows described before other work may run: a few milliseconds. */
const ROWS_A_TURN = 100;
const COLUMNS = ['key', 'name', 'change', 'out_of_the_ordinary'];

/**
 * Saves the batch as a file and returns the path; undefined if none was requested.
 * @throws InputError | ConfigError if it cannot be saved
 */
async function saveFile(
  { saveAs, writes }: Pick<PreparedBatch, 'writes'> & { saveAs: string | undefined },
  clear: BatchQuestionParts,
  session: Session,
): Promise<string | undefined> {
  if (saveAs === undefined) return undefined;
  const [{ exportFormatOf }, { createRowWriter }, { chooseCsvSigns }] = await Promise.all([
    import('../../../data/tables/export-format.ts'),
    import('../../../data/tables/worker/row-format.ts'),
    import('../../../render/rows/csv-signs.ts'),
  ]);
  const { signs: csv } = await chooseCsvSigns(undefined, session, clear.account);
  const writer = createRowWriter({ format: exportFormatOf(saveAs), csv, name: saveAs }, COLUMNS);
  const { order, wordsOf } = describeRows(clear);
  async function* batches() {
    // Cells are made in the rows' own order, in which rows can be loaded quickly.
    const cells: string[][] = [];
    for (const row of clear.rows) {
      await yieldEvery(ROWS_A_TURN, cells.length);
      const { key, name, change, unusual } = wordsOf(row);
      cells.push([key, name, change.text, unusual.join('; ')]);
    }
    for (const { at } of order) yield [cells[at] ?? []];
  }
  let personal = false;
  for (const write of writes) personal ||= isPersonal(write);
  return (await (await session.files()).save(saveAs, writer.pieces(batches()), { personal })).path;
}
