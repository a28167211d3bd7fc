/**
 * Combines many calls of one operation into one call of its batch operation, and assigns the results to the
 * calls.
 */

import { isJsonObject } from '../../base/json.ts';
import { delimit } from '../../base/text/escape-text.ts';
import type { CallInput } from '../../call/client-types.ts';
import type { BatchForm } from '../../service/facts/batches.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { resolveSchema } from '../../service/facts/schema-parts.ts';
import { memberAt } from './parse-page.ts';

/** The checked arguments of one call, with marketplaces as ids. */
export type BatchCallArguments = Pick<CallInput, 'parameters' | 'body'> & {
  /** The first marketplace of the call. */
  marketplaceId: string | undefined;
};

/** The result or error that one call has within the batch answer. */
export type BatchCallOutcome =
  | { items: readonly unknown[]; at: readonly string[] }
  /** The reason why it has no result. */
  | { problem: string };

const MAX_MESSAGE_CHARACTERS = 200;

/**
 * Returns the operation whose members a row may set: for an operation that takes only a list, one request of
 * that list.
 */
export function singleRequestOperation(operation: Operation, form: BatchForm | undefined): Operation {
  if (form?.operation !== operation.id || operation.body === undefined) return operation;
  const { defs = {} } = operation;
  const follow = (schema: JsonSchema | undefined) => resolveSchema(schema ?? {}, defs);
  const requests = follow(follow(operation.body.schema).properties?.requests);
  const { uri: _, method: __, ...properties } = follow(requests.items).properties ?? {};
  return { ...operation, body: { required: true, schema: { type: 'object', properties } } };
}

/** Returns a key that is equal for calls that can go out together. */
export function batchGroupKey(
  { by, key }: BatchForm,
  { parameters, body }: Pick<BatchCallArguments, 'parameters' | 'body'>,
): string {
  if (by.kind !== 'identifiers') return '';
  const { [key]: _, ...others } = parameters;
  return JSON.stringify([others, body]);
}

/** Returns whether the batch operation takes the arguments of the call. */
export function canBatch(
  form: BatchForm,
  many: Operation,
  { parameters }: Pick<BatchCallArguments, 'parameters'>,
): boolean {
  if (form.by.kind !== 'identifiers') return true;
  // A list of identifiers is split at its commas.
  if (String(parameters[form.key]).includes(',')) return false;
  const known = new Set(many.parameters.map(({ name }) => name));
  return Object.keys(parameters).every((name) => name === form.key || known.has(name));
}

/** Builds the arguments of one batch call from at most `form.most` calls of one group. */
export function buildBatch(
  { key, by, most }: BatchForm,
  all: readonly BatchCallArguments[],
): Pick<BatchCallArguments, 'parameters' | 'body'> {
  if (by.kind === 'identifiers') {
    const { [key]: _, ...others } = all[0]?.parameters ?? {};
    const identifiers = all.map(({ parameters }) => String(parameters[key]));
    const { identifiersType } = by;
    return { parameters: { ...others, identifiers, identifiersType, pageSize: most }, body: undefined };
  }
  if (by.kind === 'estimates') {
    const estimates = all.map(({ parameters, body }) => ({
      ...(isJsonObject(body) ? body : {}),
      IdType: by.idType,
      IdValue: String(parameters[key]),
    }));
    return { parameters: {}, body: estimates };
  }
  const marketplace = by.answered.marketplace.split('.').at(-1) ?? '';
  const requests = all.map(({ parameters, body, marketplaceId }) => {
    const { [key]: id, ...others } = parameters;
    return {
      ...by.defaults,
      ...(marketplaceId === undefined ? {} : { [marketplace]: marketplaceId }),
      ...others,
      ...(isJsonObject(body) ? body : {}),
      uri: by.uri.replace(`{${key}}`, encodeURIComponent(String(id))),
      method: 'GET',
    };
  });
  return { parameters: {}, body: { requests } };
}

/** Returns one outcome for each call, in their order, because the service answers in any order. */
export function readBatch(
  form: BatchForm,
  answer: unknown,
  all: readonly BatchCallArguments[],
): BatchCallOutcome[] {
  const { by, key } = form;
  if (by.kind === 'identifiers') {
    const items = listOf(memberAt(answer, 'items'));
    return all.map(({ parameters }) => {
      const found = items.filter((item) => memberAt(item, key) === parameters[key]);
      return found.length === 0 ? { problem: 'The service has none of this.' } : { items: found, at: [] };
    });
  }
  const isEstimate = by.kind === 'estimates';
  const answers = listOf(isEstimate ? answer : memberAt(answer, 'responses'));
  const paths = isEstimate
    ? { key: 'FeesEstimateIdentifier.IdValue', marketplace: 'FeesEstimateIdentifier.MarketplaceId' }
    : by.answered;
  const left = new Set(answers);
  return all.map((one) => {
    const id = idOf(form, one);
    const marketplace = sentMarketplaceOf(one);
    const mine = [...left].filter((each) => memberAt(each, paths.key) === id);
    const same = mine.find((each) => (memberAt(each, paths.marketplace) ?? marketplace) === marketplace);
    const found = same ?? mine[0];
    if (found === undefined) return { problem: 'The service left it out of its answer.' };
    left.delete(found);
    return isEstimate ? readEstimate(found) : readResponse(found, by.value);
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const idOf = ({ key }: BatchForm, { parameters, body }: BatchCallArguments) =>
  String(parameters[key] ?? (isJsonObject(body) ? body[key] : undefined));

/** Returns the marketplace as it is sent: the body takes precedence. */
const sentMarketplaceOf = ({ body, marketplaceId }: BatchCallArguments) =>
  memberAt(body, 'FeesEstimateRequest.MarketplaceId') ?? memberAt(body, 'marketplaceId') ?? marketplaceId;

function readEstimate(estimate: unknown): BatchCallOutcome {
  const status = memberAt(estimate, 'Status');
  if (status === 'Success' || status === undefined) {
    return { items: [estimate], at: ['payload', 'FeesEstimateResult'] };
  }
  return { problem: formatProblem(String(status), memberAt(estimate, 'Error.Message')) };
}

function readResponse(response: unknown, value: readonly string[]): BatchCallOutcome {
  const status = memberAt(response, 'status.statusCode');
  const [error] = listOf(memberAt(response, 'body.errors'));
  if ((typeof status === 'number' && status >= 300) || error !== undefined) {
    return { problem: formatProblem(`HTTP ${String(status)}`, memberAt(error, 'message')) };
  }
  const item = memberAt(response, value.join('.'));
  return { items: item === undefined ? [] : [item], at: value.slice(1) };
}

/** @param head the subject of the service's message */
export const formatProblem = (head: string, message: unknown) =>
  typeof message === 'string' ? `${head}: ${delimit(message, MAX_MESSAGE_CHARACTERS)}` : head;
