/** Takes back one change: previewed, confirmed, sent, read back and recorded like any other write. */

import { escapeText, VALUES_NOTE } from '../../text/escape-text.ts';
import { shortenToTokens } from '../../text/shorten.ts';
import type { ToolAnswer } from '../define-tool.ts';
import { basisOf, keepWrite } from '../keep-write.ts';
import type { ToolContext } from '../session.ts';
import { buildWriteAnswer, type WriteStructured } from '../write-answer.ts';
import { buildPreview } from '../write-preview.ts';
import type { PreparedUndo } from './prepare-undo.ts';

export interface UndoOne {
  account: string;
  /** Of the change that is taken back. */
  id: string;
  undo: PreparedUndo;
  force: boolean;
  dryRun: boolean;
  confirmationCode?: string | undefined;
}

/** The notice names what was, what is and what will be; the question has room for it beside the preview. */
const MOST_NOTICE_TOKENS = 500;

export interface UndoFacts extends Record<string, unknown> {
  note: string;
  outcome: WriteStructured['outcome'] | 'changed_since';
  account: string;
}

export async function undoOne(asked: UndoOne, ctx: ToolContext): Promise<ToolAnswer<UndoFacts>> {
  const { account, id, undo, force, dryRun, confirmationCode } = asked;
  const { session, person, call } = ctx;
  const { operation, prepared, isChanged } = undo;
  if (isChanged && !force) return refuseChanged(asked);
  const { input, request, planned, change, shown } = prepared;
  const told = { account, operation, parameters: shown.request.parameters, ...shown };
  const preview = await buildPreview(told, session, {
    parts: { account, operation, parameters: input.parameters, request, change },
    replaced: [],
  });
  const { keep, readBack } = await keepWrite(prepared, session, { undoes: id });
  const result = await (await session.writes()).run({
    ...{ input, prepared: request, basis: basisOf(planned, change), dryRun, person, call },
    ...(confirmationCode === undefined ? {} : { confirmationCode }),
    ...(keep === undefined ? {} : { keep }),
    ...(prepared.marked === undefined ? {} : { marked: prepared.marked }),
    mustAsk: isChanged,
    preview: `${withinNotice(undo.clearNotice)}\n${preview.question}`,
    refused: (response) => prepared.view.seen(operation.id, response),
    ...(readBack === undefined ? {} : { readBack: () => readBack(call) }),
  });
  const text = `${withinNotice(undo.notice)}\n${preview.text}`;
  const { look } = planned;
  const parts = { account, operation, preview: text, result: prepared.view.result(result), ...shown };
  const answer = await buildWriteAnswer({ ...parts, ...(look === undefined ? {} : { look }) }, session);
  const undoes = { id, ...(isChanged ? { changed_since: true } : {}), in_words: withinNotice(undo.notice) };
  return { ...answer, structured: { ...answer.structured, undoes } };
}

const withinNotice = (notice: string) => shortenToTokens(notice, MOST_NOTICE_TOKENS);

const HOW_TO_FORCE =
  'Nothing was sent. Tell the person all three values. Only if they want the old one back all the same, call again with force: true; they are asked with this sentence.';

/** Not undone over somebody else's change. */
function refuseChanged({ account, id, undo }: UndoOne): ToolAnswer<UndoFacts> {
  const notice = withinNotice(undo.notice);
  return {
    isError: true,
    text: [VALUES_NOTE, notice, HOW_TO_FORCE].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome: 'changed_since',
      account: escapeText(account),
      undoes: { id, changed_since: true, in_words: notice },
      next_step: HOW_TO_FORCE,
    },
  };
}
