/** The preview of a list for the person and for the answer; the whole list as a resource, and as a file where one is asked for. */

import { InputError } from '../../../base/errors.ts';
import { letOthersRun } from '../../../base/event-loop.ts';
import { byteLength } from '../../../base/json.ts';
import { escapeJson, escapeText, showText } from '../../../base/text/escape-text.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { linkTo } from '../../../tell/service-answer.ts';
import type { ResourceLink } from '../../../tell/tool-answer.ts';
import { previewTokens } from '../../answer/write-answer.ts';
import { sellerOf } from '../../answer/write-facts.ts';
import type { ListedWrite } from '../../plan/listed-write.ts';
import { legendOf } from '../../plan/shown-write.ts';
import type { Session } from '../../session.ts';
import { saveList } from './list-file.ts';
import { describeMany, type ManyPreview, type ManyPreviewParts } from './preview.ts';

export interface ListPreview {
  /** For the person alone. */
  question: string;
  /** As the assistant may see it. */
  text: string;
  /** The rows of the text, for the structured form. */
  shown: ManyPreview['shown'];
  rest: ManyPreview['rest'];
  places: string;
  /** What was left out, how it is sent. */
  remarks: readonly string[];
  seller: ReturnType<typeof sellerOf> | undefined;
  warnings: readonly string[];
  /** Why some cannot be taken back afterwards. */
  cannotUndo: readonly string[];
  links: ResourceLink[];
  /** Where all of it can be read. */
  whole: string | undefined;
  /** Path of the file. */
  saved: string | undefined;
}

export interface ListPreviewParts {
  head: string;
  operation: Operation;
  account: string;
  writes: readonly ListedWrite[];
  remarks: readonly string[];
  saveAs: string | undefined;
}

/** @throws InputError | ConfigError where the file cannot be saved; nothing was sent then */
export async function buildListPreview(parts: ListPreviewParts, session: Session): Promise<ListPreview> {
  const { writes } = parts;
  const [first] = writes;
  if (first === undefined) throw new Error('A list without writes cannot be shown');
  const replaced = writes.flatMap((write) => write.replaced ?? []);
  const common = { ...parts, request: first.request };
  const clear: ManyPreviewParts = {
    ...common,
    rows: writes.map(({ key, change, input, unusual, amounts }) => ({
      key,
      change,
      parameters: input.parameters,
      body: input.body,
      ...(unusual && { unusual }),
      ...(amounts && { amounts }),
    })),
  };
  const masked: ManyPreviewParts = {
    ...common,
    rows: writes.map(({ key, shown, unusual, amounts }) => ({
      key,
      ...shown,
      ...(unusual && { unusual }),
      ...(amounts && { amounts }),
    })),
  };
  const asked = describeMany(clear, showText);
  const answered = describeMany({ ...masked, isForCaller: true }, showText, previewTokens(session));
  refuseUnsummed(asked, writes);
  const isCut = asked.notShown + answered.notShown > 0;
  const saved = await saveList(parts, clear, session);
  const links = isCut ? await keepWhole(masked, session) : [];
  const [link] = links;
  const places = [
    ...(link === undefined ? [] : [`${link.uri} (a resource of this server)`]),
    ...(saved === undefined ? (isCut ? [AS_FILE] : []) : [escapeText(saved)]),
  ];
  const where = places.length === 0 ? undefined : places.join(', or ');
  const file = saved === undefined ? [] : [`The whole list is saved on this computer: ${escapeText(saved)}`];
  return {
    question: [asked.text(where), ...file, ...legendOf(unique(replaced))].join('\n'),
    text: [answered.text(where), ...file].join('\n'),
    shown: answered.shown,
    rest: answered.rest,
    places: answered.places,
    remarks: parts.remarks,
    seller: sellerOf(
      first.request,
      masked.rows.map(({ parameters }) => parameters),
    ),
    warnings: answered.warnings,
    cannotUndo: answered.cannotUndo,
    links,
    whole: link?.uri,
    saved,
  };
}

/** An undo puts back what was there: it is asked about in whatever form that is. */
function refuseUnsummed({ unsummed, shown }: ManyPreview, writes: readonly ListedWrite[]): void {
  if (unsummed === 0 || writes.every(({ undoes }) => undoes !== undefined)) return;
  throw new InputError(
    `${unsummed + shown.length} of the list set amounts that no range can sum up (such as a plan of quantity discounts, or a price as a text), and a question has room for ${shown.length} of them; nothing was sent.`,
    `Send them in several calls, ${shown.length} at most in each.`,
  );
}

/** A person opens no resource. */
const AS_FILE = 'say no and ask for the list as a file (save_as)';

/** The same mark stands once. */
function unique<T extends { mark: string }>(replaced: readonly T[]): T[] {
  return [...new Map(replaced.map((each) => [each.mark, each])).values()];
}

/** Every row of it, nothing shortened. */
async function keepWhole(parts: ManyPreviewParts, session: Session): Promise<ResourceLink[]> {
  const { operation, account, request } = parts;
  const all: unknown[] = [];
  let bytes = 0;
  for (const [at, row] of parts.rows.entries()) {
    if (at % ROWS_A_TURN === 0) await letOthersRun();
    const value = escapeJson(session.redactor.redactJson(wholeRow(row)));
    bytes += byteLength(JSON.stringify(value));
    all.push(value);
  }
  const name = `list of ${all.length} x ${operation.name}, account ${account}`;
  const calls = parts.rows.map(({ parameters }) => parameters);
  const details = {
    operation: operation.id,
    account,
    seller: sellerOf(request, calls),
    request: { method: request.method, url: escapeText(request.owner.baseUrl + operation.path) },
  };
  return linkTo(name, { value: { ...details, rows: all }, bytes }, session);
}

/** Before others are let run: a few milliseconds. */
const ROWS_A_TURN = 200;

function wholeRow({ key, change, parameters, body, unusual }: ManyPreviewParts['rows'][number]) {
  return {
    key,
    parameters,
    body,
    differences: change.differences?.map(({ path, before, after }) => ({ path, before, after })),
    ...(unusual === undefined || unusual.length === 0 ? {} : { unusual }),
    ...(change.warnings.length === 0
      ? {}
      : { warnings: change.warnings.map(({ path, message }) => ({ path, message })) }),
  };
}

/** A row in the structured form. */
export function rowFact({ key, name, change, unusual }: ManyPreview['shown'][number]) {
  return {
    key: escapeText(key),
    ...(name === key ? {} : { name }),
    change: change.short,
    ...(unusual.length === 0 ? {} : { unusual: unusual.join('; ') }),
  };
}
