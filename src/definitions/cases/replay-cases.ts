/** Declared cases as the sandbox replays them: what must arrive, and the answer to it. */

import type { Method, Operation } from '../../service/facts/operation.ts';
import { toWire } from '../read/from-wire.ts';
import type { DeclaredCase } from './declared-case.ts';

/** Fits `ReplayCase` of the sandbox, which this folder does not import. */
export interface CaseToReplay {
  id: string;
  operationId: string;
  method: Method;
  pathTemplate: string;
  request: {
    path: Record<string, string>;
    query: Record<string, string | string[]>;
    header: Record<string, string>;
    body?: unknown;
  };
  response: { status: number; headers?: Record<string, string>; body?: unknown };
  mayAdd: string[];
  auth: 'seller' | 'restricted' | 'grantless';
}

/** @param operation the one that is called: its path template and tokens count, not those of a user's file alone. */
export function toReplayCase(id: string, declared: DeclaredCase, operation: Operation): CaseToReplay {
  const { idempotencyKey: key } = operation;
  const request: CaseToReplay['request'] = { path: {}, query: {}, header: {} };
  for (const parameter of operation.parameters) {
    if (!Object.hasOwn(declared.parameters, parameter.name)) continue;
    const texts = toWire(parameter, declared.parameters[parameter.name]);
    const [text = ''] = texts;
    if (parameter.in !== 'query') request[parameter.in][parameter.name] = text;
    else if (texts.length > 0) request.query[parameter.name] = texts.length === 1 ? text : texts;
  }
  return {
    id,
    operationId: operation.name,
    method: operation.method,
    pathTemplate: operation.path,
    request: { ...request, ...(declared.body !== undefined && { body: declared.body }) },
    response: declared.response,
    mayAdd: key?.in === 'body' ? [key.name] : [],
    auth: operation.auth.kind,
  };
}
