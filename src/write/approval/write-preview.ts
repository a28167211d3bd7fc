/**
 * Builds the preview of a write in both forms, for the user and for the answer. If not all of it fits, the
 * whole becomes a resource.
 */

import { ownerDigestOf } from '../../accounts/owner.ts';
import { byteLength } from '../../base/json.ts';
import { escapeJson } from '../../base/text/escape-text.ts';
import { takeLines } from '../../base/text/shorten.ts';
import { linkToWhole } from '../../render/service-answer.ts';
import { remedyLines } from '../model/format/change-lines.ts';
import { sellerOf } from '../model/format/seller-lines.ts';
import type { PreparedWrite } from '../model/write-view.ts';
import { legendOf } from '../plan/mask-request.ts';
import type { Session } from '../session.ts';
import { describePreview, type PreviewParts } from './write-question.ts';

/** Returns the max tokens of a preview, which leave room for the text after it. */
export const previewTokens = (session: Session) => session.settings().answerTokens - 200;

/**
 * Builds the question and the text. The length of the question does not depend on the budget of answers; the
 * text stays within it. `isCut` tells which of them say in their first line that something is cut.
 * @param of.isUndo the text of the undo names what it restores
 */
export async function buildPreview(
  write: Pick<PreparedWrite, 'input' | 'request' | 'change' | 'shown' | 'replaced'>,
  of: { saveAs?: string | undefined; isUndo?: boolean },
  session: Session,
): Promise<{ question: string; text: string; isCut: { question: boolean; text: boolean } }> {
  const { input, request, change, shown, replaced } = write;
  const { operation, account, parameters } = input;
  const clear: PreviewParts = { operation, account, parameters, request, change, saveAs: of.saveAs };
  const masked: PreviewParts = { ...clear, ...shown, parameters: shown.request.parameters };
  const asked = describePreview(clear);
  const answered = describePreview({ ...masked, isForCaller: true }, previewTokens(session));
  const where = asked.notShown + answered.notShown === 0 ? undefined : await saveWhole(masked, session);
  const lately = of.isUndo === true ? [] : await latelyChanged(clear, session);
  const notes = takeLines(lately, session.settings().answerTokens / 6, () => '');
  return {
    question: [asked.text(where), ...lately, ...legendOf(replaced)].join('\n'),
    text: [answered.text(where), ...notes, ...remedyLines(masked.change)].join('\n'),
    isCut: { question: asked.notShown > 0, text: answered.notShown > 0 },
  };
}

/** Returns the sentences about recent changes by batches from here. */
async function latelyChanged(parts: PreviewParts, session: Session): Promise<string[]> {
  const { account, change, parameters, request } = parts;
  if (change.subject.kind === 'operation' || change.differences === undefined) return [];
  const { findRecentChanges } = await import('./batch/recent-changes.ts');
  const write = { parameters: { ...parameters, ...request.filledIn }, change };
  const of = { account, ownerDigest: ownerDigestOf(request.owner) };
  return (await findRecentChanges([write], of, session)).words;
}

/** Saves everything that is sent as a resource; nothing is shortened. */
async function saveWhole(parts: PreviewParts, session: Session): Promise<string | undefined> {
  const { operation, account, parameters, request, change } = parts;
  const { method, url, headers, body, filledIn } = request;
  const whole = {
    operation: operation.id,
    account,
    seller: sellerOf(request, [parameters]),
    request: { method, url, headers, parameters, filled_in: filledIn, body },
    differences: change.differences,
    warnings: change.warnings.map(({ path, message }) => ({ path, message })),
  };
  const value = escapeJson(session.redactor.redactJson(whole));
  const name = `preview of ${operation.id}, account ${account}`;
  const [link] = await linkToWhole(name, { value, bytes: byteLength(JSON.stringify(value)) }, session);
  return link === undefined ? undefined : `${link.uri} (a resource of this server)`;
}
