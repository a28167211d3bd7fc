/** Takes back one change like any other write, after a look whether somebody else has changed it since. */

import { escapeText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { WriteStructured } from '../../answer/tell-write.ts';
import type { HistoryEntry } from '../../keep/history/history-file.ts';
import { unchangedAnswer } from '../../plan/unseen-writes.ts';
import type { HowToWrite, Session, ToolContext } from '../../tool-context.ts';
import { writeOne } from '../../write-one.ts';
import { leaveLists, leavingWords } from './leave-lists.ts';
import type { PreparedUndo } from './prepare-undo.ts';

interface UndoOne extends HowToWrite {
  account: string;
  /** Of the change that is taken back. */
  id: string;
  /** That one, and what came after it and is taken back too. */
  all: readonly HistoryEntry[];
  undo: PreparedUndo;
  force: boolean;
}

/** The notice names what was, what is and what will be; the question has room for it beside the preview. */
const MOST_NOTICE_TOKENS = 500;

interface UndoFacts extends Record<string, unknown> {
  note: string;
  outcome: WriteStructured['outcome'] | 'changed_since';
  account: string;
}

export async function undoOne(asked: UndoOne, ctx: ToolContext): Promise<ToolAnswer<UndoFacts>> {
  const { id, all, force, dryRun, confirmationCode } = asked;
  const { session } = ctx;
  const { prepared, isChanged } = asked.undo;
  const same = unchangedAnswer(prepared, session);
  if (same !== undefined) return { ...same, structured: { ...same.structured, undoes: { id } } };
  if (isChanged && !force) return refuseChanged(asked);
  const leaving = await leavingLists(all, session);
  const notice = withinNotice([asked.undo.notice, ...leaving].join('\n'));
  const clearNotice = withinNotice([asked.undo.clearNotice, ...leaving].join('\n'));
  const { answer } = await writeOne(
    {
      prepared,
      dryRun,
      confirmationCode,
      mustAsk: isChanged,
      began: () => leaveLists(all, undefined, session),
      before: { shown: notice, clear: clearNotice },
      undoes: id,
    },
    ctx,
  );
  const undoes = { id, ...(isChanged ? { changed_since: true } : {}), in_words: notice };
  return { ...answer, structured: { ...answer.structured, undoes } };
}

/** Where the lists that made them are not finished. */
async function leavingLists(all: readonly HistoryEntry[], session: Session): Promise<string[]> {
  const batches = await session.batches();
  const lists = [...new Set(all.flatMap(({ batch }) => batch ?? []))];
  const found = await Promise.all(lists.map((list) => batches.summary(list)));
  return found.flatMap((list) => leavingWords(list, false) ?? []);
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
