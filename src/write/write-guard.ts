/** Who may let a write go out: no tool sends one past it, and it takes the yes that the settings ask for, by a question, a page or a code, before it is sent. */

import type { Config } from '../base/config.ts';
import { WriteRefusedError } from '../base/errors.ts';
import { createKeyedSemaphore } from '../base/semaphore.ts';
import type { Client } from '../call/client-types.ts';
import { effectOfCall } from '../service/facts/effects.ts';
import { APPROVAL, mayBeHosts, type Person } from '../tell/person.ts';
import {
  type Confirmations,
  digestOfChange,
  explainRedemption,
  type Redemption,
} from './ask/confirmation.ts';
import { createDeclinedChanges, type DeclinedChanges } from './ask/declined-changes.ts';
import { AskAtPage, type AskedRows, OPERATOR_CHOICES } from './ask/page/ask-at-page.ts';
import type { WriteOutcome } from './keep/journal/entry.ts';
import type { Journal } from './keep/journal/journal.ts';
import type { Marked } from './model/write-view.ts';
import { failureOutcome } from './run/failure.ts';
import {
  intentOf,
  sendAndRecord,
  sendWithoutApproval,
  tellProblem,
  type WriteContent,
  type WriteRequest,
  type WriteResult,
} from './run/send-write.ts';

export type WriteGuard = ReturnType<typeof createWriteGuard>;

/** The person, as far as the client lets us reach them. */
type Asker = Pick<Person, 'canConfirm' | 'answer' | 'confirm'> &
  Partial<Pick<Person, 'canOpenPage' | 'isHere'>>;

/** What takes a yes. */
export interface ApprovalRequest {
  content: WriteContent;
  /** What the person reads before saying yes. */
  preview: string;
  /** Called where a question or a code is next, and nowhere else: lines that stand behind the preview. */
  check?: (() => Promise<readonly string[]>) | undefined;
  person: Asker;
  confirmationCode?: string;
  /** Each item of a list, for a page that shows all of them. */
  rows?: AskedRows;
  /** As for `WriteRequest`. */
  marked?: Marked;
  /** A yes is needed even where the settings allow every write. */
  mustAsk?: boolean;
  /** The next step where writes are switched off, if it is another than for a write. */
  whenDenied?: string;
}

type ApprovedResult<T> =
  | { outcome: 'needs_confirmation'; code: string }
  | { outcome: 'done'; journalId: string; result: T; journalProblem?: string };

export interface WriteGuardOptions {
  /** How writes of an account are confirmed. */
  mode(account: string): Config['writes'];
  /** Why writes of it are switched off, and the next step, where that is not the setting. */
  denied?: (account: string) => readonly [problem: string, hint: string];
  client: Client;
  journal: Journal;
  /** Milliseconds of the clock that `CallOptions.deadline` is told in. */
  now: () => number;
  /** Codes that the assistant carries. */
  codes: Confirmations;
  /** Codes that travel with a question to the person and back; never shown to the assistant, never taken from it. */
  questions: Confirmations;
}

/** The options, and what the guard remembers. */
interface Guarding extends WriteGuardOptions {
  declined: DeclinedChanges;
}

export function createWriteGuard(given: WriteGuardOptions) {
  const options: Guarding = { ...given, declined: createDeclinedChanges(given.now) };
  const isDenied = (account: string) => options.mode(account) === 'deny';
  const refuseDenied = (account: string) => {
    if (isDenied(account)) throw new WriteRefusedError(...deniedWords(account, options));
  };
  return {
    /**
     * Edits of the same thing one after the other: each reads what the one before it wrote, so that none is lost.
     * @param thing what is edited, by a name of its own
     */
    inTurn: createKeyedSemaphore(),
    /** True where the person behind it is asked about every write that holds a mark, and sees what it stands for. */
    asks: (person: Asker, account: string) => wayToAsk({ person }, options.mode(account)) !== undefined,
    /**
     * The yes to one write or to a whole list, which `sendApproved` sends: undefined where it is there, else a code. Requests
     * alone take none.
     * @throws WriteRefusedError when it may not be done; AskPerson while the person is asked
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
    /** For what goes out before such an item does. @throws WriteRefusedError where writes are switched off by now */
    refuseDenied,
    /** Where several people use the account, only who may write to it ends what others began. @throws WriteRefusedError */
    refuseStop: (account: string) => {
      if (options.denied !== undefined) refuseDenied(account);
    },
    /**
     * What was agreed to, alone or as an item of a list, here or by the process that began to send it.
     * @throws WriteRefusedError where writes are switched off by now; whatever the client throws, with what a read-back found
     * added where the fate of the write is unknown
     */
    async sendApproved(request: WriteRequest): Promise<WriteResult> {
      if (needsNoApproval(request)) return sendWithoutApproval(request, options.client);
      refuseDenied(request.input.account);
      return sendAndRecord(request, options);
    },
    /** Records what became of a write that was cut off, once reading tells. */
    async settle(journalId: string, outcome: WriteOutcome): Promise<void> {
      await options.journal.end(journalId, outcome);
    },
    /**
     * For what takes a yes and is no call to the service: recorded before and after.
     * @throws WriteRefusedError when it may not be done; AskPerson while the person is asked; whatever `work` throws
     */
    async runApproved<T>(approval: ApprovalRequest, work: () => Promise<T>): Promise<ApprovedResult<T>> {
      const code = await authorize(approval, options);
      if (code !== undefined) return { outcome: 'needs_confirmation', code };
      return record(approval, work, options);
    },
  };
}

/** Decided here and from what is sent, so that no tool can pass a write off as a request. */
function needsNoApproval({ input, prepared }: Pick<WriteRequest, 'input' | 'prepared'>): boolean {
  return effectOfCall(input.operation, { ...input.parameters, ...prepared.filledIn }) === 'request';
}

function allNeedNoApproval(items: Iterable<Pick<WriteRequest, 'input' | 'prepared'>>): boolean {
  for (const item of items) if (!needsNoApproval(item)) return false;
  return true;
}

const deniedWords = (account: string, { denied }: Pick<WriteGuardOptions, 'denied'>) =>
  denied?.(account) ?? ([DENIED, WHEN_DENIED] as const);

const DENIED = 'Writes are switched off here (--writes=deny); nothing was sent.';

/** The next step where writes are switched off. */
const WHEN_DENIED =
  'The person can change that: the read-only switch (SELLER_READ_ONLY), or --writes (SELLER_WRITES). A preview with dryRun still works.';

/** A request is sent without a question. */
function refuseMarked(marked: Marked | undefined): void {
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

/** Resolves to undefined when it may be done, to a code when it has to be confirmed first. */
async function authorize(approval: ApprovalRequest, options: Guarding): Promise<string | undefined> {
  const { codes, declined } = options;
  const { content, person, confirmationCode } = approval;
  const mode = options.mode(content.account);
  const isMarked = approval.marked !== undefined;
  if (mode === 'allow' && approval.mustAsk !== true && !isMarked) return undefined;
  if (mode === 'deny') {
    const [problem, hint] = deniedWords(content.account, options);
    return refuse(approval, options, problem, approval.whenDenied ?? hint);
  }
  const answer = mode === 'code' ? undefined : person.answer(APPROVAL);
  if (answer !== undefined) return judge(answer, approval, options);
  const way = wayToAsk(approval, mode);
  if (way !== undefined) return askPerson(approval, way, options);
  if (mode === 'page') return refuse(approval, options, 'It takes a yes at the page; nothing was sent.');
  if (isMarked) return refuse(approval, options, NOBODY_SEES, SHOW_THE_PERSON);
  // A code would let the assistant approve what nobody has seen, or what a person has just declined.
  if (mode === 'ask' || declined.has(content))
    return refuse(approval, options, NOBODY_ASKED, OPERATOR_CHOICES);
  if (confirmationCode === undefined) {
    await approval.check?.();
    return codes.issue(content);
  }
  const redemption = await codes.redeem(content, confirmationCode);
  if (redemption === 'ok') return undefined;
  return refuse(approval, options, `${explainRedemption(redemption)} Nothing was sent.`);
}

/** A longer list is looked at on a page, where the host can open one: a question in the chat sums most of it up. */
const MOST_IN_CHAT = 10;

type Asking = Pick<ApprovalRequest, 'person' | 'rows'>;

/** In the chat; on a page that the host opens; on a page that this program opens. */
type Way = 'chat' | 'host' | 'browser';

/** Undefined where nobody can be asked, or the assistant carries a code by the operator's choice. */
function wayToAsk(approval: Asking, mode: Config['writes']): Way | undefined {
  const { canConfirm, canOpenPage, isHere } = approval.person;
  if (mode === 'page') return isHere || canConfirm ? 'browser' : undefined;
  if (mode !== 'ask' && mode !== 'allow') return undefined;
  if (isLong(approval)) return 'host';
  if (canConfirm) return 'chat';
  if (canOpenPage) return 'host';
  return mode === 'ask' && isHere ? 'browser' : undefined;
}

const isLong = ({ person, rows }: Asking) => person.canOpenPage === true && (rows?.total ?? 1) > MOST_IN_CHAT;

/** Intent before, outcome after, as for a write. */
async function record<T>(
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
    throw tellProblem(error, await journal.end(journalId, failureOutcome(error)));
  }
}

/** Why a yes to a question is not one to what would be sent now. */
const OUTDATED: Readonly<Partial<Record<Redemption, string>>> = {
  away: 'Whether this yes was used elsewhere cannot be told: the store that the servers share does not answer',
  'other-content': 'What would be written has changed since the person was asked',
  'other-seller': 'The account has other credentials or another address since the person was asked',
  'other-state': 'The state that the changes were compared with has changed since the person was asked',
};

const SAID_NO = 'The person said no at the page; nothing was sent.';
const ASK_WHAT_INSTEAD = 'Ask them what they would like instead; do not repeat the call.';

const NOBODY_ASKED = 'A person has to approve this write, and this host cannot ask one; nothing was sent.';
const NOT_SHOWN =
  'The host declined the question at once, or could not ask it, so that the person may not have seen it. No browser of theirs can be opened from here; nothing was sent.';
const DECLINED_BEFORE =
  'The person declined this change within the last ten minutes, and is not asked about it at a page again before they are over; nothing was sent.';

/** Where it goes out to be answered. @throws AskPerson, AskAtPage, WriteRefusedError */
async function askPerson(approval: ApprovalRequest, way: Way, options: Guarding): Promise<undefined> {
  const { content, person, preview } = approval;
  if (way !== 'chat') return askAtPage(approval, way === 'browser', options);
  const checked = (await approval.check?.()) ?? [];
  return person.confirm(APPROVAL, [preview, ...checked].join('\n'), await options.questions.issue(content));
}

/** @throws AskAtPage; WriteRefusedError where the person has declined the same a moment ago */
async function askAtPage(approval: ApprovalRequest, opensHere: boolean, options: Guarding): Promise<never> {
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
    refuse(reason = SAID_NO, hint = ASK_WHAT_INSTEAD) {
      options.declined.add(content, true);
      return refuse(approval, options, reason, hint);
    },
  });
}

/**
 * An approval is good once. Anything else leads to no code: what may be the host's own to a page, once, and what is the
 * person's to the end of this call.
 */
async function judge(
  { action, state = '' }: NonNullable<ReturnType<Asker['answer']>>,
  approval: ApprovalRequest,
  options: Guarding,
): Promise<undefined> {
  const { content, person } = approval;
  const { declined, questions } = options;
  if (action !== 'accept') {
    const isHosts = mayBeHosts(action, await questions.ageOf(state));
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
