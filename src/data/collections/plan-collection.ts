/**
 * Plans a collection of a report, a document, or all pages of an operation, with its arguments and the parts
 * not requested.
 */

import { InputError } from '../../base/errors.ts';
import { formatFailedItems } from '../../base/failure-of-one.ts';
import { aboutOf } from '../../call/access.ts';
import { callWithoutRefused } from '../../call/call-without-refused.ts';
import { PATIENCE_MS } from '../../call/client-types.ts';
import { endingRemark } from '../../call/ending-remark.ts';
import {
  describeSentDays,
  describeUnlistedValues,
  namedMarketplaces,
} from '../../call/request/describe-request.ts';
import { answerShapeOf } from '../../service/facts/answer-shapes.ts';
import { isDatasetName } from '../../service/facts/datasets.ts';
import type { AnswerShape, JsonSchema, Operation } from '../../service/facts/operation.ts';
import { own, resolveSchema } from '../../service/facts/schema-parts.ts';
import type { CollectionSource, Loader } from '../tables/table-types.ts';
import { type DocumentRequest, planDocument } from './collect-document.ts';
import { planEach } from './collect-each.ts';
import { collectPages } from './collect-pages.ts';
import { planReport } from './collect-report.ts';
import {
  type CollectionPlan,
  type CollectionSources,
  checkNotRefused,
  RECENT_PAGES_MS,
} from './collection-plan.ts';
import { MAX_EACH_CALLS } from './each-arguments.ts';
import { findKioskQuery } from './find-kiosk-query.ts';
import { listOmittedParts } from './omitted-parts.ts';
import { memberAt, nounOf, withMember } from './parse-page.ts';
import type { GivenReport } from './report-request.ts';
import { captureItems } from './save-raw.ts';

export interface CollectionRequest {
  operation?: string | undefined;
  parameters?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  report?: GivenReport | undefined;
  document?: DocumentRequest | undefined;
  fresh?: boolean | undefined;
  /** The name of its main table. */
  as?: string | undefined;
  /** A SELECT whose rows are arguments of `operation`, each for its own call. */
  each?: string | undefined;
}

/**
 * @throws InputError unless exactly one of the three is given, for arguments that only the others take, and
 * for wrong arguments; nothing is sent
 */
export async function planCollection(
  request: CollectionRequest,
  sources: CollectionSources,
): Promise<CollectionPlan> {
  const { operation = '', parameters, body, report, document, fresh, as, each } = request;
  const asked = [request.operation, report, document].filter((each) => each !== undefined);
  if (asked.length !== 1) {
    throw new InputError(
      `Exactly one of operation, report and document is taken, not ${asked.length}; nothing was sent.`,
      'Such as operation: "searchOrders", or report: {"type": "GET_MERCHANT_LISTINGS_ALL_DATA"}.',
    );
  }
  if (request.operation === undefined && [parameters, body, each].some((one) => one !== undefined)) {
    throw new InputError(
      'parameters, body and each belong to an operation; nothing was sent.',
      'What a report is about stands in report: type, marketplaces, start, end, options.',
    );
  }
  if (report !== undefined) {
    const order = { ...report, fresh, as };
    if (!isDatasetName(report.type)) return planReport(order, sources);
    const { planDataset } = await import('./collect-dataset.ts');
    return planDataset(order, sources);
  }
  if (document !== undefined) return planDocument({ ...document, as }, sources, findKioskQuery);
  return each === undefined
    ? planOperation({ operation, parameters, body, as }, sources)
    : planRows({ operation, parameters, body, as, each }, sources);
}

type OperationRequest = Pick<CollectionRequest, 'parameters' | 'body' | 'as'> & { operation: string };

/**
 * @throws InputError for an operation without pages, for one that writes, and for wrong arguments; nothing is
 * sent
 */
async function planOperation(request: OperationRequest, sources: CollectionSources): Promise<CollectionPlan> {
  const { client, account, clock } = sources;
  const operation = sources.find(request.operation);
  const { paging } = operation;
  if (operation.effect !== 'read' || paging === undefined) throw notPaging(operation);
  const given = request.parameters ?? {};
  if (paging.input.in === 'query' && (given[paging.input.name] ?? undefined) !== undefined) {
    throw ownToken(operation, paging.input.name);
  }
  const sized = withLargestPages(operation, { parameters: given, body: request.body });
  const prepared = await client.prepare({ operation, account, ...sized });
  const plain = await client.prepare({ operation, account, parameters: given, body: sized.body });
  const table = request.as ?? nounOf(operation.name);
  const source: CollectionSource = {
    kind: 'operation',
    operation: operation.id,
    parameters: { ...plain.parameters, ...plain.filledIn },
    body: plain.body,
  };
  const named = namedMarketplaces(prepared.marketplaces);
  const about = aboutOf(prepared.marketplaces, prepared);
  const { saving } = sources;
  return {
    source,
    recentMs: RECENT_PAGES_MS,
    saveAs: saving?.name,
    checkAccess: () => checkNotRefused(client, operation, prepared.owner, about),
    async work({ openLoader, signal, tell }) {
      const described = async () => {
        const loader = await openDescribing(openLoader, operation, sources);
        await expectItems(loader, table, operation);
        return loader;
      };
      const capture = saving && { to: saving, ...captureItems(described, table, operation.id) };
      const input = { account, owner: prepared.owner, ...sized };
      let opened: Loader | undefined;
      const collect = async (parameters: PagedArguments['parameters']) => {
        await opened?.abandon();
        return collectPages({
          client,
          operation,
          paging,
          input: { ...input, parameters },
          table,
          clock,
          signal,
          tell,
          async open() {
            opened = await (capture?.open ?? described)();
            return opened;
          },
        });
      };
      const ask = (parameters: PagedArguments['parameters']) =>
        client.call({ operation, ...input, parameters }, { signal, timeoutMs: PATIENCE_MS });
      const { result, refused } = await callWithoutRefused({ operation, ...sized }, collect, ask);
      const { loader, complete, notes, personalData } = result;
      const saved = await capture?.save(capture.to, signal);
      const read = named.filter((label) => refused.every(([name]) => !label.startsWith(`${name} (`)));
      const marketplaces =
        read.length === 0 ? noteOnAllMarketplaces(operation) : [`Marketplaces: ${read.join(', ')}.`];
      const info = await loader.finish({
        source,
        complete: complete && refused.length === 0,
        notes: [
          ...(await endingNotes(operation, given, sources)),
          ...formatFailedItems(refused),
          ...marketplaces,
          ...describeSentDays(prepared.days),
          ...describeUnlistedValues(prepared.unlistedValues),
          ...notes,
          ...listOmittedParts(operation, given, personalData),
        ],
      });
      return { ...info, saved };
    },
  };
}

/**
 * Returns the note that rows of several marketplaces can be included, if the operation takes marketplaces and
 * got none.
 */
const noteOnAllMarketplaces = ({ parameters }: Operation) =>
  parameters.some(({ name }) => name.toLowerCase() === 'marketplaceids')
    ? [
        'No marketplace was given: rows of every one where the account sells can be in it, in several currencies.',
      ]
    : [];

/** Returns the warning that the operation ends; nearly every operation has none. */
async function endingNotes(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  { client, clock, find }: CollectionSources,
): Promise<string[]> {
  const toolOf = (successor: string) =>
    find(successor).paging === undefined ? 'read_operation' : 'collect_data';
  const remark = await endingRemark({ operation, given, toolOf }, client, clock.wallClock());
  return remark === '' ? [] : [remark];
}

/** @throws InputError for an operation that writes; the errors of `planEach` and of the SELECT */
async function planRows(
  { operation: name, parameters = {}, body, as, each: sql }: OperationRequest & { each: string },
  sources: CollectionSources,
): Promise<CollectionPlan> {
  const operation = sources.find(name);
  if (operation.effect !== 'read') throw notPaging(operation);
  if (sources.saving !== undefined) {
    throw new InputError('save_as with each takes the rows of sql, and there is none.', 'Give sql too.');
  }
  const rows = await sources.rowsOf?.(sql, MAX_EACH_CALLS);
  if (rows === undefined) throw new InputError('There are no tables for each to ask.');
  const table = as ?? nounOf(operation.name);
  const expect = async (one: Operation, shape: AnswerShape) =>
    (await import('./expected-tables.ts')).expectedAnswer(one, shape);
  const recentMs = RECENT_PAGES_MS;
  const before = await endingNotes(operation, {}, sources);
  return planEach({ operation, parameters, body, sql, rows, table, recentMs, expect, before }, sources);
}

/** Announces the columns, so that a statement over missing data has no rows rather than no columns. */
async function expectItems(loader: Loader, table: string, operation: Operation): Promise<void> {
  const shape = await answerShapeOf(operation);
  if (shape === undefined) return;
  const { expectedItems } = await import('./expected-tables.ts');
  const expected = expectedItems(operation, shape);
  if (expected !== undefined) await loader.expectItems(table, expected);
}

/** Wraps a loader so that documents inside items become text, because they cannot be queried. */
async function openDescribing(
  open: () => Promise<Loader>,
  operation: Operation,
  { describe }: CollectionSources,
): Promise<Loader> {
  const loader = await open();
  if (describe === undefined) return loader;
  return {
    ...loader,
    addItems: async (table, items, key, at) =>
      loader.addItems(table, await describe(operation, items), key, at),
  };
}

function notPaging({ name, id, effect }: Operation): InputError {
  return effect === 'read'
    ? new InputError(
        `${name} has no pages to collect; nothing was sent.`,
        `Call it with read_operation: it answers at once. Operation: ${id}.`,
      )
    : new InputError(
        `${id} does not only read (its effect: ${effect}); nothing was sent.`,
        'collect_data takes operations that read. Reports are collected with report: {"type": ...}.',
      );
}

function ownToken({ name }: Operation, parameter: string): InputError {
  return new InputError(
    `${name} was not sent: ${parameter} is set by collect_data itself, which reads all pages.`,
    `Leave ${parameter} out.`,
  );
}

// Page sizes default to the largest that an operation allows.

const SIZE = /^(?:pageSize|maxResults|maxResultsPerPage|limit)$/i;

interface PagedArguments {
  parameters: Readonly<Record<string, unknown>>;
  body: unknown;
}

/**
 * Returns the same arguments with the page size at its documented maximum, if there is one and none was
 * given.
 */
function withLargestPages(operation: Operation, { parameters, body }: PagedArguments): PagedArguments {
  const sizePath = operation.parameters.find(({ name }) => SIZE.test(name));
  const most = sizePath?.schema.maximum;
  const sized =
    sizePath === undefined || most === undefined || own(parameters, sizePath.name) !== undefined
      ? parameters
      : { ...parameters, [sizePath.name]: most };
  return { parameters: sized, body: body === undefined ? undefined : largestInBody(operation, body) };
}

/** Sets the size in the body, beside the offset. */
function largestInBody(operation: Operation, body: unknown): unknown {
  const input = operation.paging?.input;
  const shape = operation.body?.schema;
  if (input?.in !== 'body' || shape === undefined) return body;
  const path = input.name.split('.').slice(0, -1);
  const defs = operation.defs ?? {};
  let schema: JsonSchema | undefined = resolveSchema(shape, defs);
  for (const name of path) {
    const member: JsonSchema | undefined = own(schema?.properties, name);
    schema = member && resolveSchema(member, defs);
  }
  const sizes = Object.entries(schema?.properties ?? {}).filter(([name]) => SIZE.test(name));
  const [found] = sizes.map(([name, member]) => ({ name, most: resolveSchema(member, defs)?.maximum }));
  if (found?.most === undefined) return body;
  const sizePath = [...path, found.name].join('.');
  return memberAt(body, sizePath) === undefined ? withMember(body, sizePath, found.most) : body;
}
