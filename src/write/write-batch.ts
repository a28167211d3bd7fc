/**
 * A list of writes of the assistant's: prepared once, shown, agreed to by one yes, sent item by item, told. batch-call.ts says
 * which of it a call does: `prepareAndApprove` of a new one, `createBatchRunner` of one that is on the disk.
 */

import { identityOf } from '../accounts/owner.ts';
import { sha256, sha256OfAll } from '../base/canonical-json.ts';
import { InputError } from '../base/errors.ts';
import { count } from '../base/text/value-words.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { ToolAnswer } from '../tell/tool-answer.ts';
import { buildBatchAnswer, buildPreviewAnswer, createItemAnswers } from './answer/batch/batch-answer.ts';
import { unfinishedLines } from './answer/batch/unfinished.ts';
import { noChangeAnswer } from './answer/no-change.ts';
import { buildBatchPreview } from './ask/batch/batch-preview.ts';
import {
  type BatchValidation,
  describeValidation,
  validateBatch,
  validateUnusual,
} from './ask/batch/batch-validation.ts';
import { findJustChanged } from './ask/batch/just-changed.ts';
import type { AskedRows } from './ask/page/ask-at-page.ts';
import type { SharedBatch, ShownBatch } from './ask/shown-before.ts';
import { type ApprovedBatch, type BatchRunner, handleBatchCall, MARGIN_MS } from './batch-call.ts';
import { changedSinceShown, type IsChangedSinceShown } from './keep/undo/changed-since-shown.ts';
import type { WriteStructured } from './model/outcome.ts';
import type { Write } from './model/write.ts';
import type { BatchOwner } from './plan/batch-owner.ts';
import { checkBatch, withoutUnchanged } from './plan/check-batch.ts';
import { type BatchWrite, type PreparedBatch, standingOut } from './plan/prepared-batch.ts';
import type { BatchItem, ItemOutcome, Sender } from './run/batches/batch.ts';
import type { BatchInfo, BatchInfoItem } from './run/batches/summary.ts';
import { type Expand, toBatchResult, toResultFromJournal } from './run/items/batch-result.ts';
import { fromStoredItem, isPersonal, toStoredItem } from './run/items/stored-write.ts';
import { createWriteSender, type ShownAgain, type WriteSenderParts } from './run/items/write-sender.ts';
import type { HowToWrite, ToolContext } from './session.ts';
import type { ApprovalRequest } from './write-guard.ts';

/** A list that is on the disk, as far as going on with it needs to know. */
export interface BatchSpec {
  account: string;
  /** All items are of it. */
  operation: Operation;
  /**
   * Instead of reading each again: up to 20 at once, just before they are sent, also in a process that goes on with a
   * list of another. By key; `changed` and `unreadable` ones are not sent.
   */
  checkMany?: WriteSenderParts['checkMany'];
  /** Instead of reading each back as it is sent: all that were accepted, after the last; by key. */
  readManyBack?: (writes: readonly Write[], signal: AbortSignal) => Promise<ReadonlyMap<string, ShownAgain>>;
  /** For items that are no write of the list: a feed. Made anew in a process that goes on. */
  sender?: (writes: Sender, batch: string, isChangedSince: IsChangedSinceShown) => Sender;
  /** Items that the call asked for and that are not in the list, the same as in `PreparedBatch`. */
  leftOut?: () => readonly string[];
  /** What became of the single entries of an item that holds several: a feed's messages. */
  expand?: Expand;
}

export interface BatchRequest extends BatchSpec, HowToWrite {
  /** Name of the tool. */
  tool: string;
  /** The arguments of the call without dryRun, confirmationCode, stop and save_as: what makes a later call the same. */
  asked: unknown;
  /** What is changed, without personal data: `listings`, `stores`; a number stands before it. */
  things: { one: string; many: string };
  /** The tool has `save_as`, which gives the user the batch as a file. */
  canSave?: boolean;
  /** Reads what is there, and works out the list. @throws AppError for what would hinder the writes too; nothing is sent then */
  prepare(): Promise<PreparedBatch>;
  /**
   * Runs once the batch is approved, before it is stored. @throws AppError for what hinders it: nothing is
   * sent then
   * @param shownAt when what was shown was read, in milliseconds since the epoch
   */
  approved?: (list: PreparedBatch, shownAt: number) => Promise<void>;
}

/** @throws AppError; AskPerson while the person is asked */
export function writeBatch(request: BatchRequest, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const asked = requestDigest(request);
  let leftOut: readonly string[] = [];
  const approve = (of: BatchOwner) =>
    prepareAndApprove(request, asked, of, ctx, (sentences) => {
      leftOut = sentences;
    });
  const going = (of: BatchOwner) => createBatchRunner({ ...request, leftOut: () => leftOut }, of, ctx);
  return handleBatchCall({ ...request, asked, nothingToStop: NOTHING_TO_STOP, approve, going }, ctx);
}

/** Returns the digest that a later call of the same kind and arguments has too. */
export const requestDigest = ({ tool, account, asked }: Pick<BatchRequest, 'tool' | 'account' | 'asked'>) =>
  sha256({ tool, account, asked });

const NOTHING_TO_STOP = [
  'Nothing is under way for these arguments; nothing was stopped.',
  'Give exactly the arguments of the call that began it; the command `seller-commerce-mcp stop` stops whatever is under way.',
] as const;

/** Worked out, shown and asked about. */
async function prepareAndApprove(
  request: BatchRequest,
  asked: string,
  of: BatchOwner,
  ctx: ToolContext,
  leaveOut: (sentences: readonly string[]) => void,
): Promise<ApprovedBatch | ToolAnswer<WriteStructured>> {
  const { session } = ctx;
  const { ownerDigest } = of;
  const { account, operation, dryRun = false } = request;
  const key = `${ownerDigest}\n${asked}`;
  const made = await loadOrPrepare(request, key, of, ctx);
  const { list, digest, preview, shownAt } = made;
  const { leftOut = [] } = list;
  leaveOut(leftOut);
  if (preview === undefined) return noChangeAnswer(request, list, session);
  const told = {
    account,
    operation,
    preview,
    leftOut,
    total: list.writes.length,
    method: operation.method,
    unfinished: await unfinishedLines(account, ownerDigest, session),
  };
  const order = preview.shown.map(({ key: name }) => name);
  if (dryRun) {
    const validation = await validateBatch(list.writes, order, await session.client(), ctx);
    return buildPreviewAnswer({ ...told, validation }, session);
  }
  const isTakenBack = await (await session.batches()).wasTakenBack(account, ownerDigest, asked);
  let validation: BatchValidation | undefined;
  const check = async () => {
    validation = await validateUnusual(list.writes, order, await session.client(), ctx);
    return validation === undefined ? [] : describeValidation(validation).lines;
  };
  const asking = { ...list, mustAsk: list.mustAsk === true || isTakenBack };
  const lists = await session.shownBatches();
  const rows: AskedRows = {
    ...preview.page,
    total: list.writes.length,
    renew: () => void lists.keep(key, made),
    outcomes: outcomesOf(request, of, asked, session),
  };
  const code = await approveBatch(request, asking, { digest, question: preview.question, check, rows }, ctx);
  if (code !== undefined) return buildPreviewAnswer({ ...told, code, validation }, session);
  await lists.forget(key);
  const { takenOut } = ctx.person.answer('confirm') ?? {};
  const left = await leftOf(list, takenOut);
  const { writes, items } = left;
  await request.approved?.(left, shownAt);
  const stored = writes.map(toStoredItem);
  return {
    digest: left === list ? digest : digestOf(left),
    shownAt,
    words: wordsOf(request, writes.length),
    // Feeds do not show what they hold.
    personal: writes.some(isPersonal) || holdsSecrets(stored, session),
    items: items ?? stored,
    ...(takenOut === undefined || takenOut.size === 0 ? {} : { takenOut: [...takenOut] }),
  };
}

/** Without what the person took out of it at the page. @throws InputError where nothing is left */
async function leftOf(list: PreparedBatch, takenOut: ReadonlySet<string> = new Set()) {
  if (takenOut.size === 0) return list;
  const writes = list.writes.filter(({ key }) => !takenOut.has(key));
  if (writes.length === 0)
    throw new InputError('The person took everything out of the list; nothing was sent.');
  return { ...list, writes, ...(await list.itemsOf?.(writes)) };
}

/** For who looks on: read, and nothing of it marked as told. */
function outcomesOf(
  request: BatchRequest,
  { ownerDigest, owner }: BatchOwner,
  asked: string,
  session: ToolContext['session'],
) {
  const { account, operation } = request;
  let id: string | undefined;
  return async (given: string | undefined) => {
    const batches = await session.batches();
    // One that was told is found by its id alone.
    id ??= given ?? (await batches.find(account, ownerDigest, asked))?.id;
    const info = id === undefined ? undefined : await batches.info(id);
    if (info === undefined) return undefined;
    const restore = (item: BatchInfoItem) => fromStoredItem(item, { account, operation, owner });
    const isRequest = operation.effect === 'request';
    return toBatchResult(info, restore, { expand: request.expand, isRequest });
  };
}

/** A list that is on the disk, as this call or another one goes on with it. */
export function createBatchRunner(spec: BatchSpec, of: BatchOwner, ctx: ToolContext): BatchRunner {
  return {
    sender: (info) => senderOf(info, spec, of, ctx),
    progress: ({ done, total, why }) => ({
      message: `${done} of ${total} done${why === undefined ? '' : `; ${why}`}`,
      done,
      total,
    }),
    renderAnswer: (info, isStopped) => renderAnswer(info, spec, of, isStopped, ctx),
  };
}

/** A credential of ours that an argument or the service repeats lies on the disk sealed, or not at all. */
function holdsSecrets(items: Iterable<BatchItem>, { redactor }: ToolContext['session']): boolean {
  for (const item of items) {
    const text = JSON.stringify(item);
    if (redactor.redact(text) !== text) return true;
  }
  return false;
}

const wordsOf = ({ things }: BatchRequest, total: number) =>
  `${count(total)} ${total === 1 ? things.one : things.many}`;

/** A list that was shown within the last ten minutes is not read again. */
async function loadOrPrepare(
  request: BatchRequest,
  key: string,
  of: BatchOwner,
  ctx: ToolContext,
): Promise<ShownBatch> {
  const { session, person } = ctx;
  const { ownerDigest } = of;
  const lists = await session.shownBatches();
  const isAnswered = request.confirmationCode !== undefined || person.answer('confirm') !== undefined;
  const kept = isAnswered ? await lists.find(key, (one) => restoreShown(one, request, of, ctx)) : undefined;
  if (kept !== undefined) return kept;
  const shownAt = session.program.now();
  const all = await request.prepare();
  checkBatch(all.writes);
  const list = withoutUnchanged(all);
  const { writes } = list;
  // An undo says itself what it takes back.
  const lately =
    request.tool === 'undo_change'
      ? { words: [], rows: new Map<number, string>() }
      : await findJustChanged(writes.map(toChanged), { account: request.account, ownerDigest }, session);
  const remarks = [...lately.words, ...(list.remarks ?? []), ...(list.leftOut ?? [])];
  const preview = await previewOf(list, { request, remarks, lately: lately.rows }, session);
  const made = { list, digest: digestOf(list), preview, shownAt };
  // A dry run shows nothing that a yes is given to, and may not even read what its marks stand for.
  if (request.dryRun !== true) await lists.keep(key, made);
  return made;
}

/** Undefined where the list would change nothing. */
async function previewOf(
  { writes }: PreparedBatch,
  {
    request,
    remarks,
    lately,
  }: { request: BatchRequest; remarks: readonly string[]; lately: ReadonlyMap<number, string> },
  session: ToolContext['session'],
) {
  const { account, operation, saveAs, canSave = false } = request;
  const head = wordsOf(request, writes.length);
  const parts = { head, operation, account, writes, remarks, lately, saveAs, canSave };
  return writes.length === 0 ? undefined : buildBatchPreview(parts, session);
}

/** One that another replica has shown, with what stood for buyers' data in it; undefined for one of another version. */
async function restoreShown(
  { writes: stored, items, mustAsk, remarks, digest, shownAt, marks }: SharedBatch,
  request: BatchRequest,
  { owner }: BatchOwner,
  { session }: ToolContext,
): Promise<ShownBatch | undefined> {
  const { account, operation } = request;
  (await session.personal()).remember(account, new Map(marks));
  const writes: BatchWrite[] = [];
  for (const item of stored) {
    const write = fromStoredItem(item, { account, operation, owner });
    if (write === undefined) return undefined;
    writes.push({ ...write, ...standingOut(write.change) });
  }
  const itemsOf = items && (async () => Promise.reject(new InputError(...SHOWN_ELSEWHERE)));
  const list = { writes, items, mustAsk, itemsOf };
  const preview = await previewOf(list, { request, remarks, lately: new Map() }, session);
  return { list, digest, preview, shownAt };
}

const SHOWN_ELSEWHERE = [
  'Nothing can be taken out of a list that another server process has shown; nothing was sent.',
  'Call the tool again without a code, so that it is shown here.',
] as const;

const toChanged = ({ input, request, change }: BatchWrite) => ({
  parameters: { ...input.parameters, ...request.filledIn },
  change,
});

/** One yes or code for exactly this list, and for the values that it was compared with. */
async function approveBatch(
  request: BatchRequest,
  { writes, mustAsk = false }: PreparedBatch,
  {
    digest,
    question,
    check,
    rows,
  }: { digest: string; question: string } & Required<Pick<ApprovalRequest, 'check' | 'rows'>>,
  ctx: ToolContext,
) {
  const { session, person } = ctx;
  const [first] = writes;
  if (first === undefined) throw new InputError('The list is empty; nothing was sent.');
  const marked = writes.some((write) => write.marked !== undefined);
  const parameters = { items: writes.length, list: digest };
  const states = writes.map(({ stateDigest, change }) => [stateDigest ?? null, change.cannotUndo ?? null]);
  const content = {
    account: request.account,
    operation: request.tool,
    parameters,
    body: undefined,
    identity: identityOf(first.request.owner),
    stateDigest: sha256OfAll(states),
  };
  const approval = {
    content,
    preview: question,
    check,
    rows,
    person,
    confirmationCode: request.confirmationCode,
    marked: marked ? { parameters } : undefined,
    mustAsk,
  };
  const requests = writes.map(({ input, request }) => ({ input, prepared: request }));
  return (await session.writeGuard()).requestApproval(approval, requests);
}

/** Of what is sent. */
function digestOf({ writes, items, content = items }: PreparedBatch): string {
  if (content !== undefined) return sha256OfAll(content);
  return sha256OfAll(
    writes.map(({ key, input, request }) => [
      key,
      input.operation.id,
      input.parameters,
      request.filledIn,
      input.body ?? null,
    ]),
  );
}

async function senderOf(
  { id: batch, shownAt: since }: BatchInfo,
  spec: BatchSpec,
  { owner, ownerDigest }: BatchOwner,
  ctx: ToolContext,
): Promise<Sender> {
  const { session } = ctx;
  const { writesOf } = await session.journal();
  const isChangedSince = changedSinceShown(writesOf, { owner: ownerDigest, batch, since });
  const [client, registry, guard, personal] = await Promise.all([
    session.client(),
    session.program.registry(),
    session.writeGuard(),
    session.personal(),
  ]);
  const { account, operation, checkMany } = spec;
  const list = { account, operation, checkMany, batch, owner, isChangedSince };
  const answerOf = createItemAnswers(ctx);
  const sender = createWriteSender({ ...list, session, client, registry, guard, personal, answerOf });
  return spec.sender?.(sender, batch, isChangedSince) ?? sender;
}

async function renderAnswer(
  info: BatchInfo,
  spec: BatchSpec,
  { ownerDigest, owner }: BatchOwner,
  isBrief: boolean,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { account, operation } = spec;
  const restore = (item: BatchInfoItem) => fromStoredItem(item, { account, operation, owner });
  const told =
    info.items.length === 0
      ? toResultFromJournal(info, await entriesOf(info.id, ctx))
      : toBatchResult(await readBack(info, restore, spec, ctx), restore, {
          expand: spec.expand,
          isRequest: operation.effect === 'request',
        });
  const unfinished = await unfinishedLines(account, ownerDigest, ctx.session, info.id);
  const leftOut = spec.leftOut?.() ?? [];
  const parts = { told, words: info.words, leftOut, account, operation, unfinished, isBrief };
  return buildBatchAnswer(parts, ctx.session);
}

const entriesOf = async (batch: string, { session }: ToolContext) =>
  (await (await session.journal()).list()).filter((entry) => entry.batch === batch);

/** Where items are read back together: once, after the last. */
async function readBack(
  info: BatchInfo,
  restore: (item: BatchInfoItem) => Write | undefined,
  { readManyBack }: BatchSpec,
  { call, session }: ToolContext,
): Promise<BatchInfo> {
  if (readManyBack === undefined || info.state !== 'ended' || call.signal.aborted) return info;
  const accepted = info.items.filter(({ outcome }) => outcome?.kind === 'accepted');
  const left = Math.max(1, Math.floor(call.deadline - MARGIN_MS / 2 - performance.now()));
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(left)]);
  const writes = accepted.flatMap((item) => restore(item) ?? []);
  // That they were accepted is told also where none of them can be read again.
  const shown = await readManyBack(writes, signal).catch(() => new Map<string, ShownAgain>());
  const wasRead = new Set(writes.map(({ key }) => key));
  const seen = accepted.flatMap(({ key, outcome }) =>
    shown.get(key) === 'same' ? (outcome?.journalId ?? []) : [],
  );
  // These writes are recorded as seen, because another value that is read later was then changed by someone
  // else.
  await (await session.journal()).noteSeen(seen);
  const judged = (outcome: ItemOutcome | undefined, key: string): ItemOutcome | undefined => {
    if (outcome?.kind !== 'accepted' || !wasRead.has(key)) return outcome;
    const found = shown.get(key) ?? 'failed';
    return found === 'not_yet'
      ? { ...outcome, kind: 'accepted_not_visible' }
      : { ...outcome, readBack: found };
  };
  return { ...info, items: info.items.map((item) => ({ ...item, outcome: judged(item.outcome, item.key) })) };
}
