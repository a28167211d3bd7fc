/** One write, whatever it changes, once it is prepared: previewed, agreed to, sent, read back, kept, and told. */

import type { CallResult } from '../call/client-types.ts';
import type { ToolAnswer } from '../tell/tool-answer.ts';
import { unchangedAnswer } from './answer/no-change.ts';
import { tellValidation } from './answer/tell-write.ts';
import { buildWriteAnswer } from './answer/write-answer.ts';
import { buildPreview } from './ask/write-preview.ts';
import { askValidation, BEFORE_ASKING_MS, type Validation } from './ask/write-validation.ts';
import { approvedDigest } from './keep/undo-record.ts';
import { toShown, type WriteStructured } from './model/outcome.ts';
import type { PreparedWrite } from './model/write-view.ts';
import { sendPreparedWrite } from './run/send-prepared-write.ts';
import { contentOf, type WriteRequest } from './run/send-write.ts';
import type { HowToWrite, ToolContext } from './session.ts';
import type { ApprovalRequest } from './write-guard.ts';

interface WriteOneRequest extends HowToWrite, Pick<WriteRequest, 'onRecorded'> {
  prepared: PreparedWrite;
  mustAsk?: ApprovalRequest['mustAsk'];
  /** Stands behind the answer. */
  remark?: string;
  /** Before the preview: for the assistant, and for the person in clear. */
  before?: { shown: string; clear: string };
  /** Id of the entry that it takes back. */
  undoes?: string;
  /** The undo restores only some of the original write. */
  isPart?: boolean;
}

/**
 * @returns what the service answered too, where it was sent and accepted
 * @throws WriteRefusedError when it may not be sent; AskPerson while the person is asked; whatever the client throws
 */
export async function writeOne(
  {
    prepared,
    dryRun = false,
    confirmationCode,
    saveAs,
    remark,
    before,
    undoes,
    isPart,
    mustAsk,
    onRecorded,
  }: WriteOneRequest,
  ctx: ToolContext,
): Promise<{ answer: ToolAnswer<WriteStructured>; response?: CallResult }> {
  const { session, person, call } = ctx;
  const same = unchangedAnswer(prepared, session);
  if (same !== undefined) return { answer: same };
  const { input, request, planned, change, shown, view, marked } = prepared;
  const { operation, account } = input;
  const preview = await buildPreview(prepared, { saveAs, isUndo: undoes !== undefined }, session);
  const first = createFirstCheck(prepared, ctx);
  const behind = (notice: string | undefined, text: string) =>
    notice === undefined ? text : `${notice}\n${text}`;
  const stateDigest = approvedDigest(planned, change);
  const approval: ApprovalRequest = {
    content: contentOf({ input, prepared: request, stateDigest }),
    preview: behind(before?.clear, preview.question),
    check: first.check,
    person,
    confirmationCode,
    marked,
    mustAsk,
  };
  const guard = await session.writeGuard();
  const code = dryRun ? undefined : await guard.requestApproval(approval, [{ input, prepared: request }]);
  const sent =
    dryRun || code !== undefined
      ? undefined
      : await sendPreparedWrite({ ...prepared, stateDigest, onRecorded, undoes, isPart }, call, session);
  if (dryRun) await first.ask();
  const answer = await buildWriteAnswer(
    {
      account,
      operation,
      ...shown,
      saveAs,
      preview: behind(before?.shown, preview.text),
      result: sent === undefined ? toShown(code) : 'verdict' in sent ? view.judged(sent) : sent,
      validation: first.found(),
      remark,
    },
    session,
  );
  return { answer, response: sent?.response };
}

// What the service says to one write before anybody is asked: a line of the question, or of the preview beside a code.

/** Of the question. */
const MOST_TOKENS = 400;

function createFirstCheck(write: Pick<PreparedWrite, 'input' | 'view'>, { session, call }: ToolContext) {
  let found: Validation | undefined;
  const ask = async (mostMs?: number) => {
    found = await askValidation(await session.client(), write, call, mostMs);
  };
  return {
    /** For a dry run. */
    ask,
    /** For the guard. */
    async check() {
      await ask(BEFORE_ASKING_MS);
      if (found === undefined) return [];
      const { maskText } = await session.personal();
      const redact = (text: string) => maskText(session.redactor.redact(text));
      return tellValidation(found, { maxTokens: MOST_TOKENS, redact, now: session.program.now() }).lines;
    },
    /** What was answered, as the assistant may see it; undefined where nothing was asked. */
    found: () => found,
  };
}
