/** Answers to messages that are no JSON-RPC request the SDK can read, so that their sender does not wait in vain. */

import { isJsonObject, type JsonObject, parseJson } from '../base/json.ts';

/** An error answer of JSON-RPC; the id is null where the message had none that can be repeated. */
export interface MessageRefusal {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** A line of small requests would otherwise be answered with many times its size. */
const MAX_BATCH_ANSWERS = 100;

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

/**
 * One answer for each request in a line that the SDK has refused: JSON-RPC 2.0, sections 4 and 5. Notifications,
 * answers to requests of ours, and what is no JSON get none.
 */
export function refuseMessage(line: string): MessageRefusal[] {
  const value = parseJson(line);
  if (!Array.isArray(value)) return isRequest(value) ? [refuseRequest(value)] : [];
  const message = 'Batches are not supported; send each message on a line of its own.';
  const requests = value.filter(isRequest);
  if (requests.length <= MAX_BATCH_ANSWERS)
    return requests.map((request) => refusal(request, INVALID_REQUEST, message));
  const all = `${message} This one held ${requests.length}; no more than ${MAX_BATCH_ANSWERS} are answered singly.`;
  return [refusal({}, INVALID_REQUEST, all)];
}

/** Returns whether a message expects an answer: it has an id and is not itself an answer. */
function isRequest(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, 'id') && !isAnswer(value);
}

function isAnswer(value: JsonObject): boolean {
  return !Object.hasOwn(value, 'method') && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
}

function refuseRequest(request: JsonObject): MessageRefusal {
  const { jsonrpc, id, method, params } = request;
  const invalid = (message: string) => refusal(request, INVALID_REQUEST, message);
  if (jsonrpc !== '2.0') return invalid('"jsonrpc" must be "2.0".');
  if (!isId(id)) return invalid('"id" must be a string or an integer.');
  if (typeof method !== 'string') return invalid('"method" must be a string.');
  if (params !== undefined && !isJsonObject(params))
    return refusal(request, INVALID_PARAMS, '"params" must be an object, or left out.');
  if (Object.keys(request).some((name) => !MEMBERS.includes(name)))
    return invalid(`A request has no members but ${MEMBERS.join(', ')}.`);
  return refusal(request, INVALID_PARAMS, '"params" does not have the shape that the protocol gives it.');
}

function refusal({ id }: JsonObject, code: number, message: string): MessageRefusal {
  return { jsonrpc: '2.0', id: isId(id) ? id : null, error: { code, message } };
}

/** Returns whether it is an id of the protocol, which excludes JSON-RPC's null and fractions. */
export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}
