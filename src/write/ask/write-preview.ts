/** The preview of a write in both its forms, for the person and for the answer; where not all fits, the whole is kept to be read. */

import { identityMark, identityOf } from '../../accounts/owner.ts';
import { byteLength } from '../../base/json.ts';
import { escapeJson, showText } from '../../base/text/escape-text.ts';
import { takeLines } from '../../base/text/shorten.ts';
import type { Replaced } from '../../privacy/personal/personal-data.ts';
import { linkTo } from '../../tell/service-answer.ts';
import { previewTokens } from '../answer/write-answer.ts';
import { sellerOf } from '../answer/write-facts.ts';
import { legendOf } from '../plan/shown-write.ts';
import type { Session } from '../session.ts';
import { describePreview, type PreviewParts } from './preview.ts';

export interface WritePreview {
  /** What the person is asked with: as long as a person reads, whatever the budget of answers. */
  question: string;
  /** Within the budget of an answer. */
  text: string;
}

export interface ClearPreview {
  parts: PreviewParts;
  replaced: readonly Replaced[];
  /** It says itself what it takes back. */
  isUndo?: boolean;
}

/**
 * @param parts with marks of personal values, where there are any
 * @param clear with the values themselves, for the person alone, and which mark is which
 */
export async function buildPreview(
  parts: PreviewParts,
  session: Session,
  clear: ClearPreview = { parts, replaced: [] },
): Promise<WritePreview> {
  const asked = describePreview(clear.parts, showText);
  const answered = describePreview({ ...parts, isForCaller: true }, showText, previewTokens(session));
  const where = asked.notShown + answered.notShown === 0 ? undefined : await keepWhole(parts, session);
  const lately = clear.isUndo === true ? [] : await latelyChanged(clear.parts, session);
  return {
    question: [asked.text(where), ...lately, ...legendOf(clear.replaced)].join('\n'),
    text: [answered.text(where), ...takeLines(lately, session.settings().answerTokens / 6, () => '')].join(
      '\n',
    ),
  };
}

/** By lists from here. */
async function latelyChanged(parts: PreviewParts, session: Session): Promise<string[]> {
  const { account, change, parameters, request } = parts;
  if (change.subject.kind === 'operation' || change.differences === undefined) return [];
  const { justChangedWords } = await import('./many/just-changed.ts');
  const write = { parameters: { ...parameters, ...request.filledIn }, change };
  return justChangedWords([write], { account, mark: identityMark(identityOf(request.owner)) }, session);
}

/** Everything that is sent, nothing of it shortened. */
async function keepWhole(parts: PreviewParts, session: Session): Promise<string | undefined> {
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
  const [link] = await linkTo(name, { value, bytes: byteLength(JSON.stringify(value)) }, session);
  return link === undefined ? undefined : `${link.uri} (a resource of this server)`;
}
