/**
 * Prepares a batch of writes, shows it, requests one approval, sends it item by item and renders the outcome.
 * batch-call.ts decides what a call does: `prepareAndApprove` for a new batch, `buildBatchHandlers` for a
 * stored one.
 */

import { identityOf } from '../accounts/owner.ts';
import { sha256, sha256OfAll } from '../base/canonical-json.ts';
import { InputError } from '../base/errors.ts';
import { count } from '../base/text/format-value.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import type { Operation } from '../service/facts/operation.ts';
import { buildBatchPreview } from './approval/batch/batch-preview.ts';
import {
  type BatchValidation,
  describeValidation,
  validateBatch,
  validateUnusual,
} from './approval/batch/batch-validation.ts';
import { findRecentChanges } from './approval/batch/recent-changes.ts';
import type { PageRows } from './approval/page/ask-at-page.ts';
import type { SharedBatch, ShownBatch } from './approval/shown-store.ts';
import { type ApprovedBatch, type BatchRunner, handleBatchCall, MARGIN_MS } from './batch-call.ts';
import type { WriteStructured } from './model/outcome.ts';
import type { Write } from './model/write.ts';
import type { BatchOwner } from './plan/batch-owner.ts';
import { checkBatch, withoutUnchanged } from './plan/check-batch.ts';
import { type BatchWrite, findStandout, type PreparedBatch } from './plan/prepared-batch.ts';
import { changedSinceShown, type IsChangedSinceShown } from './records/undo/changed-since-shown.ts';
import { buildBatchAnswer, buildPreviewAnswer, createItemAnswers } from './render/batch/batch-answer.ts';
import { unfinishedLines } from './render/batch/unfinished.ts';
import { noChangeAnswer } from './render/no-change.ts';
import type { BatchItem, ItemOutcome, Sender } from './run/batches/batch.ts';
import type { BatchInfo, BatchInfoItem } from './run/batches/summary.ts';
import { type Expand, toBatchResult, toResultFromJournal } from './run/items/batch-result.ts';
import { fromStoredItem, isPersonal, toStoredItem } from './run/items/stored-write.ts';
import { createWriteSender, type ReadBackState, type WriteSenderParts } from './run/items/write-sender.ts';
import type { ToolContext, WriteFlags } from './session.ts';
import type { ApprovalRequest } from './write-guard.ts';

/** The parts of a stored batch that resuming it needs. */
export interface BatchSpec {
  account: string;
  /** The operation of all items. */
  operation: Operation;
  /**
   * Replaces the read of each item: it checks up to 20 at once, just before they are sent, also in a process
   * that resumes another's batch. The results are by key; `changed` and `unreadable` items are not sent.
   */
  checkMany?: WriteSenderParts['checkMany'];
  /** Replaces the read-back of each item: it reads all accepted ones after the last, by key. */
  readManyBack?: (
    writes: readonly Write[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, ReadBackState>>;
  /**
   * Sends items that are no single write of the batch, such as a feed. It is created anew in a process that
   * resumes.
   */
  sender?: (writes: Sender, batch: string, isChangedSince: IsChangedSinceShown) => Sender;
  /** Returns the requested items that are not in the batch, the same as in `PreparedBatch`. */
  leftOut?: () => readonly string[];
  /** Expands an item with several entries, such as a feed's messages, into their outcomes. */
  expand?: Expand;
}

export interface BatchRequest extends BatchSpec, WriteFlags {
  tool: string;
  /**
   * The arguments of the call without dryRun, confirmationCode, stop and save_as: they make a later call the
   * same.
   */
  asked: unknown;
  /**
   * The noun for the changed things, without personal data, such as `listings` or `stores`; a number precedes
   * it.
   */
  things: { one: string; many: string };
  /** The tool has `save_as`, which gives the user the batch as a file. */
  canSave?: boolean;
  /**
   * Reads the current state and prepares the batch.
   * @throws AppError for anything that would hinder the writes too; nothing is sent then
   */
  prepare(): Promise<PreparedBatch>;
  /**
   * Runs once the batch is approved, before it is stored.
   * @throws AppError for whatever hinders it: nothing is sent then
   * @param shownAt when the shown state was read, in milliseconds since the epoch
   */
  approved?: (list: PreparedBatch, shownAt: number) => Promise<void>;
}

/** @throws AppError; AskPerson while the user is asked */
export function writeBatch(request: BatchRequest, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const asked = requestDigest(request);
  let leftOut: readonly string[] = [];
  const approve = (of: BatchOwner) =>
    prepareAndApprove(request, asked, of, ctx, (sentences) => {
      leftOut = sentences;
    });
  const going = (of: BatchOwner) => buildBatchHandlers({ ...request, leftOut: () => leftOut }, of, ctx);
  return handleBatchCall({ ...request, asked, nothingToStop: NOTHING_TO_STOP, approve, going }, ctx);
}

/** Returns the digest that a later call of the same kind and arguments has too. */
export const requestDigest = ({ tool, account, asked }: Pick<BatchRequest, 'tool' | 'account' | 'asked'>) =>
  sha256({ tool, account, asked });

const NOTHING_TO_STOP = [
  'Nothing is under way for these arguments; nothing was stopped.',
  'Give exactly the arguments of the call that began it; the command `seller-commerce-mcp stop` stops whatever is under way.',
] as const;

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
  const shown = await loadOrPrepare(request, key, of, ctx);
  const { list, digest, preview, shownAt } = shown;
  const { leftOut = [] } = list;
  leaveOut(leftOut);
  if (preview === undefined) return noChangeAnswer(request, list, session);
  const rendered = {
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
    return buildPreviewAnswer({ ...rendered, validation }, session);
  }
  const isTakenBack = await (await session.batches()).wasTakenBack(account, ownerDigest, asked);
  let validation: BatchValidation | undefined;
  const check = async () => {
    validation = await validateUnusual(list.writes, order, await session.client(), ctx);
    return validation === undefined ? [] : describeValidation(validation).lines;
  };
  const asking = { ...list, mustAsk: list.mustAsk === true || isTakenBack };
  const lists = await session.shownBatches();
  const rows: PageRows = {
    ...preview.page,
    total: list.writes.length,
    renew: () => void lists.keep(key, shown),
    outcomes: outcomesOf(request, of, asked, session),
  };
  const code = await requestBatchApproval(
    request,
    asking,
    { digest, question: preview.question, check, rows },
    ctx,
  );
  if (code !== undefined) return buildPreviewAnswer({ ...rendered, code, validation }, session);
  await lists.forget(key);
  const { takenOut } = ctx.person.answer('confirm') ?? {};
  const left = await excludeItems(list, takenOut);
  const { writes, items } = left;
  await request.approved?.(left, shownAt);
  const stored = writes.map(toStoredItem);
  return {
    digest: left === list ? digest : digestOf(left),
    shownAt,
    words: formatHeading(request, writes.length),
    // Feed items do not show their contents, so the writes are searched for personal data.
    personal: writes.some(isPersonal) || containsSecrets(stored, session),
    items: items ?? stored,
    ...(takenOut === undefined || takenOut.size === 0 ? {} : { takenOut: [...takenOut] }),
  };
}

/** Removes the items that the user excluded at the page. @throws InputError if nothing is left */
async function excludeItems(list: PreparedBatch, takenOut: ReadonlySet<string> = new Set()) {
  if (takenOut.size === 0) return list;
  const writes = list.writes.filter(({ key }) => !takenOut.has(key));
  if (writes.length === 0)
    throw new InputError('The person took everything out of the list; nothing was sent.');
  return { ...list, writes, ...(await list.itemsOf?.(writes)) };
}

/**
 * Creates the reader of outcomes for the page. It records no outcome as shown, because the page only watches.
 */
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
    // A batch whose outcome was already shown is found by its id alone.
    id ??= given ?? (await batches.find(account, ownerDigest, asked))?.id;
    const info = id === undefined ? undefined : await batches.info(id);
    if (info === undefined) return undefined;
    const restore = (item: BatchInfoItem) => fromStoredItem(item, { account, operation, owner });
    const isRequest = operation.effect === 'request';
    return toBatchResult(info, restore, { expand: request.expand, isRequest });
  };
}

/** Creates the runner of a stored batch, for the call that began it or for another one. */
export function buildBatchHandlers(spec: BatchSpec, of: BatchOwner, ctx: ToolContext): BatchRunner {
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

/**
 * Returns true if an argument or the service repeats one of our credentials. Such items are stored sealed, or
 * not at all.
 */
function containsSecrets(items: Iterable<BatchItem>, { redactor }: ToolContext['session']): boolean {
  for (const item of items) {
    const text = JSON.stringify(item);
    if (redactor.redact(text) !== text) return true;
  }
  return false;
}

const formatHeading = ({ things }: BatchRequest, total: number) =>
  `${count(total)} ${total === 1 ? things.one : things.many}`;

/** Returns the batch that was shown within the last ten minutes, or reads and prepares it anew. */
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
  const prior = isAnswered ? await lists.find(key, (one) => restoreShown(one, request, of, ctx)) : undefined;
  if (prior !== undefined) return prior;
  const shownAt = session.program.now();
  const all = await request.prepare();
  checkBatch(all.writes);
  const list = withoutUnchanged(all);
  const { writes } = list;
  // The text of an undo already names what it undoes.
  const lately =
    request.tool === 'undo_change'
      ? { words: [], rows: new Map<number, string>() }
      : await findRecentChanges(writes.map(toChanged), { account: request.account, ownerDigest }, session);
  const remarks = [...lately.words, ...(list.remarks ?? []), ...(list.leftOut ?? [])];
  const preview = await previewOf(list, { request, remarks, lately: lately.rows }, session);
  const shown = { list, digest: digestOf(list), preview, shownAt };
  // A dry run shows nothing that can be approved, and may not even read the originals of its placeholders.
  if (request.dryRun !== true) await lists.keep(key, shown);
  return shown;
}

/** Builds the preview. @returns undefined if the batch would change nothing */
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
  const head = formatHeading(request, writes.length);
  const parts = { head, operation, account, writes, remarks, lately, saveAs, canSave };
  return writes.length === 0 ? undefined : buildBatchPreview(parts, session);
}

/**
 * Restores a batch that another replica has shown, with the originals of its placeholders.
 * @returns undefined for a batch of another version
 */
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
    writes.push({ ...write, ...findStandout(write.change) });
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

/** Requests one approval or code for exactly this batch and for the values that it was compared with. */
async function requestBatchApproval(
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
  const rendered =
    info.items.length === 0
      ? toResultFromJournal(info, await entriesOf(info.id, ctx))
      : toBatchResult(await readBackBatch(info, restore, spec, ctx), restore, {
          expand: spec.expand,
          isRequest: operation.effect === 'request',
        });
  const unfinished = await unfinishedLines(account, ownerDigest, ctx.session, info.id);
  const leftOut = spec.leftOut?.() ?? [];
  const parts = { told: rendered, words: info.words, leftOut, account, operation, unfinished, isBrief };
  return buildBatchAnswer(parts, ctx.session);
}

const entriesOf = async (batch: string, { session }: ToolContext) =>
  (await (await session.journal()).list()).filter((entry) => entry.batch === batch);

/** Reads items back together, once after the last, where the batch does so. */
async function readBackBatch(
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
  // Accepted items are reported as accepted even if none of them can be read again.
  const shown = await readManyBack(writes, signal).catch(() => new Map<string, ReadBackState>());
  const wasRead = new Set(writes.map(({ key }) => key));
  const seen = accepted.flatMap(({ key, outcome }) =>
    shown.get(key) === 'same' ? (outcome?.journalId ?? []) : [],
  );
  // These writes are recorded as seen, because another value that is read later was then changed by someone
  // else.
  await (await session.journal()).noteSeen(seen);
  const merged = (outcome: ItemOutcome | undefined, key: string): ItemOutcome | undefined => {
    if (outcome?.kind !== 'accepted' || !wasRead.has(key)) return outcome;
    const found = shown.get(key) ?? 'failed';
    return found === 'not_yet'
      ? { ...outcome, kind: 'accepted_not_visible' }
      : { ...outcome, readBack: found };
  };
  return { ...info, items: info.items.map((item) => ({ ...item, outcome: merged(item.outcome, item.key) })) };
}
