/**
 * Guards every write: no tool sends one past it. It requests the approval that the settings require, by a
 * question, a page or a code, before the write is sent.
 */

import type { Config } from '../base/config.ts';
import { WriteRefusedError } from '../base/errors.ts';
import { createKeyedSemaphore } from '../base/semaphore.ts';
import type { Client } from '../call/client-types.ts';
import { APPROVAL_KEY, type ClientUser, mayBeAnsweredByHost } from '../render/client-user.ts';
import { effectOfCall } from '../service/facts/effects.ts';
import {
  type Confirmations,
  digestOfChange,
  explainRedemption,
  type Redemption,
} from './approval/confirmation.ts';
import { createDeclinedChanges, type DeclinedChanges } from './approval/declined-changes.ts';
import { AskAtPage, OPERATOR_CHOICES, type PageRows } from './approval/page/ask-at-page.ts';
import type { MaskedArguments } from './model/write-view.ts';
import type { WriteOutcome } from './records/journal/entry.ts';
import type { Journal } from './records/journal/journal.ts';
import { failureOutcome } from './run/failure.ts';
import {
  addJournalProblem,
  intentOf,
  sendAndRecord,
  sendWithoutApproval,
  type WriteContent,
  type WriteRequest,
  type WriteResult,
} from './run/send-write.ts';

export type WriteGuard = ReturnType<typeof createWriteGuard>;

/** The user, as far as the client can reach them. */
type Approver = Pick<ClientUser, 'canConfirm' | 'answer' | 'confirm'> &
  Partial<Pick<ClientUser, 'canOpenPage' | 'isHere'>>;

/** Anything that needs approval. */
export interface ApprovalRequest {
  content: WriteContent;
  /** The text that the user reads before approving. */
  preview: string;
  /** Runs only before a question or a code; returns lines to append to the preview. */
  check?: (() => Promise<readonly string[]>) | undefined;
  person: Approver;
  confirmationCode?: string;
  /** The items of a batch, for a page that shows all of them. */
  rows?: PageRows;
  /** The same as in `WriteRequest`. */
  marked?: MaskedArguments;
  /** Approval is needed even where the settings allow every write. */
  mustAsk?: boolean;
  /** The next step where writes are switched off, if it differs from that of a write. */
  whenDenied?: string;
}

type ApprovedResult<T> =
  | { outcome: 'needs_confirmation'; code: string }
  | { outcome: 'done'; journalId: string; result: T; journalProblem?: string };

export interface WriteGuardOptions {
  /** Returns how writes of an account are confirmed. */
  mode(account: string): Config['writes'];
  /**
   * Returns why writes of the account are switched off and the next step, where the setting is not the
   * reason.
   */
  denied?: (account: string) => readonly [problem: string, hint: string];
  client: Client;
  journal: Journal;
  /** Returns milliseconds of the clock that `CallOptions.deadline` uses. */
  now: () => number;
  /** The codes that the assistant carries. */
  codes: Confirmations;
  /**
   * The codes that travel with a question to the user and back; the assistant never sees or supplies them.
   */
  questions: Confirmations;
}

/** The options, and what the guard remembers. */
interface GuardState extends WriteGuardOptions {
  declined: DeclinedChanges;
}

export function createWriteGuard(given: WriteGuardOptions) {
  const options: GuardState = { ...given, declined: createDeclinedChanges(given.now) };
  const isDenied = (account: string) => options.mode(account) === 'deny';
  const refuseDenied = (account: string) => {
    if (isDenied(account)) throw new WriteRefusedError(...denialMessage(account, options));
  };
  return {
    /**
     * Runs edits of the same thing one after the other: each reads the result of the one before, so that none
     * is lost.
     * @param thing a unique name of the edited thing
     */
    inTurn: createKeyedSemaphore(),
    /** Returns true if the user is asked about every write with a placeholder, and sees its original. */
    asks: (person: Approver, account: string) => channelOf({ person }, options.mode(account)) !== undefined,
    /**
     * Requests approval for one write or a whole batch, which `sendApproved` then sends. Batches of requests
     * only need none.
     * @returns undefined if it is approved, else a code
     * @throws WriteRefusedError when it may not be done; AskPerson while the user is asked
     */
    async requestApproval(
      approval: ApprovalRequest,
      items: Iterable<Pick<WriteRequest, 'input' | 'prepared'>>,
    ): Promise<string | undefined> {
      if (allNeedNoApproval(items)) {
        refuseMarked(approval.marked);
        return undefined;
      }
      return authorize(approval, options);
    },
    /** Returns true where writes to the account are switched off. */
    isDenied,
    /**
     * Refuses anything that has to precede such an item.
     * @throws WriteRefusedError if writes are now switched off
     */
    refuseDenied,
    /**
     * Refuses a stop by a user who may not write to an account that several users share.
     * @throws WriteRefusedError
     */
    refuseStop: (account: string) => {
      if (options.denied !== undefined) refuseDenied(account);
    },
    /**
     * Sends an approved write, alone or as an item of a batch, here or in the process that began to send it.
     * @throws WriteRefusedError if writes are now switched off; whatever the client throws, with the result
     * of a read-back added where the outcome of the write is unknown
     */
    async sendApproved(request: WriteRequest): Promise<WriteResult> {
      if (needsNoApproval(request)) return sendWithoutApproval(request, options.client);
      refuseDenied(request.input.account);
      return sendAndRecord(request, options);
    },
    /** Records the outcome of an interrupted write, once a read reveals it. */
    async settle(journalId: string, outcome: WriteOutcome): Promise<void> {
      await options.journal.end(journalId, outcome);
    },
    /**
     * Runs approved work that is no call to the service, recorded before and after.
     * @throws WriteRefusedError when it may not be done; AskPerson while the user is asked; whatever `work`
     * throws
     */
    async runApproved<T>(approval: ApprovalRequest, work: () => Promise<T>): Promise<ApprovedResult<T>> {
      const code = await authorize(approval, options);
      if (code !== undefined) return { outcome: 'needs_confirmation', code };
      return recordWork(approval, work, options);
    },
  };
}

/** Decides from the call that is sent, so that no tool can pass a write off as a request. */
function needsNoApproval({ input, prepared }: Pick<WriteRequest, 'input' | 'prepared'>): boolean {
  return effectOfCall(input.operation, { ...input.parameters, ...prepared.filledIn }) === 'request';
}

function allNeedNoApproval(items: Iterable<Pick<WriteRequest, 'input' | 'prepared'>>): boolean {
  for (const item of items) if (!needsNoApproval(item)) return false;
  return true;
}

const denialMessage = (account: string, { denied }: Pick<WriteGuardOptions, 'denied'>) =>
  denied?.(account) ?? ([DENIED, WHEN_DENIED] as const);

const DENIED = 'Writes are switched off here (--writes=deny); nothing was sent.';

/** The next step where writes are switched off. */
const WHEN_DENIED =
  'The person can change that: the read-only switch (SELLER_READ_ONLY), or --writes (SELLER_WRITES). A preview with dryRun still works.';

/** Refuses a request with placeholders, because a request is sent without a question. */
function refuseMarked(marked: MaskedArguments | undefined): void {
  if (marked === undefined) return;
  throw new WriteRefusedError(
    'Marks of personal data stand in this request, and nobody is asked about a request; nothing was sent.',
    'Leave the mark out, or ask the person for the value. In a write it is sent once the person has seen the value and agreed.',
  );
}

const NOBODY_SEES =
  'Marks of personal data stand in this write, and only the assistant, which must not see what they stand for, could confirm it here; nothing was sent.';
const SHOW_THE_PERSON =
  'A host that can ask the person (--writes=ask) shows them the values. Otherwise the person can give you the values themselves, or start the server with --personal-data=show. A preview with dryRun still works.';

/** Authorizes the write. @returns undefined if it may be done, or a code that has to confirm it first */
async function authorize(approval: ApprovalRequest, options: GuardState): Promise<string | undefined> {
  const { codes, declined } = options;
  const { content, person, confirmationCode } = approval;
  const mode = options.mode(content.account);
  const isMarked = approval.marked !== undefined;
  if (mode === 'allow' && approval.mustAsk !== true && !isMarked) return undefined;
  if (mode === 'deny') {
    const [problem, hint] = denialMessage(content.account, options);
    return refuse(approval, options, problem, approval.whenDenied ?? hint);
  }
  const answer = mode === 'code' ? undefined : person.answer(APPROVAL_KEY);
  if (answer !== undefined) return applyAnswer(answer, approval, options);
  const channel = channelOf(approval, mode);
  if (channel !== undefined) return askPerson(approval, channel, options);
  if (mode === 'page') return refuse(approval, options, 'It takes a yes at the page; nothing was sent.');
  if (isMarked) return refuse(approval, options, NOBODY_SEES, SHOW_THE_PERSON);
  // A code would let the assistant approve a change that nobody has seen, or that the user has just declined.
  if (mode === 'ask' || declined.has(content)) return refuse(approval, options, CANNOT_ASK, OPERATOR_CHOICES);
  if (confirmationCode === undefined) {
    await approval.check?.();
    return codes.issue(content);
  }
  const redemption = await codes.redeem(content, confirmationCode);
  if (redemption === 'ok') return undefined;
  return refuse(approval, options, `${explainRedemption(redemption)} Nothing was sent.`);
}

/**
 * A longer batch is shown on a page if the host can open one, because a question in the chat only summarizes
 * it.
 */
const MAX_IN_CHAT = 10;

type AskInput = Pick<ApprovalRequest, 'person' | 'rows'>;

/** The way to the user: in the chat, on a page that the host opens, or on a page that this program opens. */
type Channel = 'chat' | 'host' | 'browser';

/** Chooses how to ask. @returns undefined if nobody can be asked, or the operator chose codes */
function channelOf(approval: AskInput, mode: Config['writes']): Channel | undefined {
  const { canConfirm, canOpenPage, isHere } = approval.person;
  if (mode === 'page') return isHere || canConfirm ? 'browser' : undefined;
  if (mode !== 'ask' && mode !== 'allow') return undefined;
  if (isLong(approval)) return 'host';
  if (canConfirm) return 'chat';
  if (canOpenPage) return 'host';
  return mode === 'ask' && isHere ? 'browser' : undefined;
}

const isLong = ({ person, rows }: AskInput) =>
  person.canOpenPage === true && (rows?.total ?? 1) > MAX_IN_CHAT;

/** Records the intent before the work and the outcome after it, as for a write. */
async function recordWork<T>(
  { content, marked }: ApprovalRequest,
  work: () => Promise<T>,
  { journal }: WriteGuardOptions,
): Promise<ApprovedResult<T>> {
  const journalId = await journal.begin(intentOf(content, marked));
  try {
    const result = await work();
    const problem = await journal.end(journalId, { outcome: 'done' });
    return { outcome: 'done', journalId, result, journalProblem: problem?.message };
  } catch (error) {
    throw addJournalProblem(error, await journal.end(journalId, failureOutcome(error)));
  }
}

/** The reasons why an approval does not cover the content that would be sent now. */
const OUTDATED: Readonly<Partial<Record<Redemption, string>>> = {
  away: 'Whether this yes was used elsewhere cannot be told: the store that the servers share does not answer',
  'other-content': 'What would be written has changed since the person was asked',
  'other-seller': 'The account has other credentials or another address since the person was asked',
  'other-state': 'The state that the changes were compared with has changed since the person was asked',
};

const DECLINED_AT_PAGE = 'The person said no at the page; nothing was sent.';
const ASK_WHAT_INSTEAD = 'Ask them what they would like instead; do not repeat the call.';

const CANNOT_ASK = 'A person has to approve this write, and this host cannot ask one; nothing was sent.';
const NOT_SHOWN =
  'The host declined the question at once, or could not ask it, so that the person may not have seen it. No browser of theirs can be opened from here; nothing was sent.';
const DECLINED_BEFORE =
  'The person declined this change within the last ten minutes, and is not asked about it at a page again before they are over; nothing was sent.';

/** Asks the user. @throws AskPerson, AskAtPage, WriteRefusedError */
async function askPerson(
  approval: ApprovalRequest,
  channel: Channel,
  options: GuardState,
): Promise<undefined> {
  const { content, person, preview } = approval;
  if (channel !== 'chat') return askAtPage(approval, channel === 'browser', options);
  const checked = (await approval.check?.()) ?? [];
  return person.confirm(
    APPROVAL_KEY,
    [preview, ...checked].join('\n'),
    await options.questions.issue(content),
  );
}

/**
 * Asks the user at a page.
 * @throws AskAtPage; WriteRefusedError if the user has just declined the same change
 */
async function askAtPage(approval: ApprovalRequest, opensHere: boolean, options: GuardState): Promise<never> {
  const { content, preview, rows } = approval;
  const { account, operation } = content;
  if (opensHere && options.declined.wasByPerson(content))
    return refuse(approval, options, DECLINED_BEFORE, ASK_WHAT_INSTEAD);
  const checked = (await approval.check?.()) ?? [];
  throw new AskAtPage({
    account,
    operation,
    change: digestOfChange(content),
    opensHere,
    question: [preview, ...checked].join('\n'),
    checked,
    rows,
    issue: () => options.questions.issue(content),
    refuse(reason = DECLINED_AT_PAGE, hint = ASK_WHAT_INSTEAD) {
      options.declined.add(content, true);
      return refuse(approval, options, reason, hint);
    },
  });
}

/**
 * Applies the answer. An approval is valid once. No other answer leads to a code: one that may be the host's
 * own leads to a page, once, and the user's ends this call.
 */
async function applyAnswer(
  { action, state = '' }: NonNullable<ReturnType<Approver['answer']>>,
  approval: ApprovalRequest,
  options: GuardState,
): Promise<undefined> {
  const { content, person } = approval;
  const { declined, questions } = options;
  if (action !== 'accept') {
    const isHosts = mayBeAnsweredByHost(action, await questions.ageOf(state));
    declined.add(content, !isHosts);
    if (isHosts && person.isHere === true) return askAtPage(approval, true, options);
    if (isHosts) return refuse(approval, options, NOT_SHOWN, OPERATOR_CHOICES);
    const word = action === 'decline' ? 'said no' : 'closed the question';
    return refuse(approval, options, `The person ${word}; nothing was sent.`, ASK_WHAT_INSTEAD);
  }
  const redemption = await questions.redeem(content, state);
  if (redemption === 'ok') {
    declined.forget(content);
    return undefined;
  }
  const reason = OUTDATED[redemption] ?? 'The question to the person is no longer valid';
  return refuse(
    approval,
    options,
    `${reason}; nothing was sent.`,
    'Call the tool again, so that the person is asked anew.',
  );
}

async function refuse(
  { content, marked }: ApprovalRequest,
  { journal }: WriteGuardOptions,
  reason: string,
  hint = '',
): Promise<never> {
  const problem = await journal.refuse(intentOf(content, marked), reason);
  throw new WriteRefusedError(problem === undefined ? reason : `${reason} ${problem.message}`, hint);
}
