/**
 * Builds the answer of every write tool within the token budget: preview, request for confirmation, or
 * result.
 */

import { ownerDigestOf } from '../../accounts/owner.ts';
import { byteLength, dropUndefined, toObject } from '../../base/json.ts';
import { escapeJson, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { tokensOf } from '../../base/text/shorten.ts';
import { LINK_TOKENS, linkToWhole } from '../../render/service-answer.ts';
import type { ToolAnswer } from '../../render/tool-answer.ts';
import { fitWhole } from '../../render/value/fit-to-budget.ts';
import { differenceSchema, type WriteStructured } from '../model/outcome.ts';
import type { Session } from '../session.ts';
import { unfinishedLines } from './batch/unfinished.ts';
import { renderWrite, type WriteAnswerParts } from './render-write.ts';

export async function buildWriteAnswer(
  parts: WriteAnswerParts,
  session: Session,
): Promise<ToolAnswer<WriteStructured>> {
  const { answerTokens } = session.settings();
  const { maskText } = await session.personal();
  const redact = (text: string) => maskText(session.redactor.redact(text));
  const owner = ownerDigestOf(parts.request.owner);
  const unfinished = await unfinishedLines(parts.account, owner, session);
  const options = { maxTokens: answerTokens - NOTE_TOKENS, redact, now: session.program.now() };
  const rendered = renderWrite(parts, options);
  const facts = dropUndefined({
    ...rendered.facts,
    unfinished: unfinished.length === 0 ? undefined : unfinished,
  });
  const details = escapeJson(session.redactor.redactJson(rendered.details));
  const room = answerTokens - tokensOf(JSON.stringify(facts)) - LINK_TOKENS;
  const { value, omitted } = fitWhole(details, room);
  const { request: more, differences, read_back: found, ...others } = toObject(value);
  const name = `${parts.operation.id}, account ${parts.account}`;
  const bytes = byteLength(JSON.stringify(details));
  // If none of the details fit, there is no omission within them to report.
  const isCut = omitted.length > 0 || value === null;
  const links = isCut ? await linkToWhole(name, { value: details, bytes }, session) : [];
  const [link] = links;
  const textWith = (...more: readonly string[]) =>
    [
      VALUES_NOTE,
      ...rendered.lines,
      ...(isCut ? [tooLong(link?.uri)] : []),
      ...more,
      ...(parts.remark ? [`(${parts.remark})`] : []),
    ].join('\n');
  const whole = textWith(...unfinished);
  const { request, read_back: readBack } = facts;
  return {
    isError: facts.outcome === 'not_accepted' || facts.outcome === 'failed',
    text: tokensOf(whole) <= answerTokens ? whole : textWith(),
    structured: {
      ...facts,
      ...others,
      ...(request && { request: { ...toObject(more), ...request } }),
      ...(readBack && { read_back: { ...readBack, ...toObject(found) } }),
      ...(Array.isArray(differences) && { differences: differences.flatMap(toComplete) }),
      ...(omitted.length > 0 && { left_out: omitted.map(toLeftOut) }),
      ...(link && { whole: link.uri }),
    },
    links,
  };
}

const NOTE_TOKENS = tokensOf(VALUES_NOTE) + 1;

const tooLong = (uri: string | undefined) =>
  `It is too long to be shown whole${uri === undefined ? '.' : `; the resource ${uri} holds all of it.`}`;

/** Drops a difference that was cut to nothing. */
const toComplete = (difference: unknown) => differenceSchema.safeParse(difference).data ?? [];

function toLeftOut({ select, what, bytes, at = '' }: ReturnType<typeof fitWhole>['omitted'][number]) {
  return { path: select.length === 0 ? at : select.join(', '), what, bytes };
}
