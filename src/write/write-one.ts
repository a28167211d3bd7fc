/**
 * Handles one prepared write, whatever it changes: preview, approval, sending, read-back, record and answer.
 */

import type { CallResult } from '../call/client-types.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import { buildPreview } from './approval/write-preview.ts';
import { MAX_VALIDATION_MS, type Validation, validateWrite } from './approval/write-validation.ts';
import { toShownOutcome, type WriteStructured } from './model/outcome.ts';
import type { PreparedWrite } from './model/write-view.ts';
import { approvedDigest } from './records/undo-record.ts';
import { unchangedAnswer } from './render/no-change.ts';
import { renderValidation } from './render/render-write.ts';
import { buildWriteAnswer } from './render/write-answer.ts';
import { sendThroughGuard } from './run/send-prepared-write.ts';
import { contentOf, type WriteRequest } from './run/send-write.ts';
import type { ToolContext, WriteFlags } from './session.ts';
import type { ApprovalRequest } from './write-guard.ts';

interface WriteOneRequest extends WriteFlags, Pick<WriteRequest, 'onRecorded'> {
  prepared: PreparedWrite;
  mustAsk?: ApprovalRequest['mustAsk'];
  /** A remark that follows the answer. */
  remark?: string;
  /** The notice before the preview: masked for the assistant, and in clear for the user. */
  before?: { shown: string; clear: string };
  /** The id of the journal entry that this write undoes. */
  undoes?: string;
  /** The undo restores only some of the original write. */
  isPart?: boolean;
}

/**
 * @returns the answer, and the service's response if the write was sent and accepted
 * @throws WriteRefusedError when it may not be sent; AskPerson while the user is asked; whatever the client
 * throws
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
  const unchanged = unchangedAnswer(prepared, session);
  if (unchanged !== undefined) return { answer: unchanged };
  const { input, request, planned, change, shown, view, marked } = prepared;
  const { operation, account } = input;
  const preview = await buildPreview(prepared, { saveAs, isUndo: undoes !== undefined }, session);
  const first = createFirstCheck(prepared, ctx);
  const prependNotice = (notice: string | undefined, text: string) =>
    notice === undefined ? text : `${notice}\n${text}`;
  const stateDigest = approvedDigest(planned, change);
  const approval: ApprovalRequest = {
    content: contentOf({ input, prepared: request, stateDigest }),
    preview: prependNotice(before?.clear, preview.question),
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
      : await sendThroughGuard({ ...prepared, stateDigest, onRecorded, undoes, isPart }, call, session);
  if (dryRun) await first.ask();
  const answer = await buildWriteAnswer(
    {
      account,
      operation,
      ...shown,
      saveAs,
      preview: prependNotice(before?.shown, preview.text),
      result: sent === undefined ? toShownOutcome(code) : 'verdict' in sent ? view.judged(sent) : sent,
      validation: first.found(),
      remark,
    },
    session,
  );
  return { answer, response: sent?.response };
}

// The service validates one write before anybody is asked. The result is a line of the question, or of the
// preview beside a code.

/** The share of the question that the validation may fill. */
const MAX_TOKENS = 400;

function createFirstCheck(write: Pick<PreparedWrite, 'input' | 'view'>, { session, call }: ToolContext) {
  let found: Validation | undefined;
  const ask = async (mostMs?: number) => {
    found = await validateWrite(await session.client(), write, call, mostMs);
  };
  return {
    /** Validates for a dry run. */
    ask,
    /** Validates for the guard. */
    async check() {
      await ask(MAX_VALIDATION_MS);
      if (found === undefined) return [];
      const { maskText } = await session.personal();
      const redact = (text: string) => maskText(session.redactor.redact(text));
      return renderValidation(found, { maxTokens: MAX_TOKENS, redact, now: session.program.now() }).lines;
    },
    /** Returns the validation as the assistant may see it; undefined if the service was not asked. */
    found: () => found,
  };
}
