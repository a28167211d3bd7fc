/** The way of one request through the sandbox: read, meet a fault perhaps, be decided, be answered and noted. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Decision, decide, replyHeaders, type ServiceParts, type Visit } from './decide.ts';
import { applyFault, type Faults } from './faults.ts';
import { parseBody, readBody, sendAnswer } from './http.ts';
import type { Recorder } from './records.ts';
import { resolveTarget } from './resolve-target.ts';
import type { Fault, RecordedRequest } from './types.ts';

export interface HandlerParts extends ServiceParts {
  faults: Faults;
  recorder: Recorder;
  /** Aborts when the sandbox closes. */
  stopped: AbortSignal;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export function createHandler(parts: HandlerParts): Listener {
  return (request, response) => {
    // A rejection means that the caller went away or the sandbox is closing: nobody is left to answer.
    serve(parts, request, response).catch(() => response.destroy());
  };
}

async function serve(parts: HandlerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const visit = await readVisit(parts, request);
  const fault = parts.faults.take(visit.target.operation);
  const delayMs = (parts.options.latencyMs ?? 0) + (fault?.delayMs ?? 0);
  if (delayMs > 0) await sleep(delayMs, undefined, { signal: parts.stopped });
  const outcome = conclude(parts, visit, fault, response);
  note(parts, visit, outcome);
  if (outcome.answer !== 'cut') sendAnswer(response, outcome.answer, replyHeaders(parts, visit));
}

async function readVisit(parts: HandlerParts, request: IncomingMessage): Promise<Visit> {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const method = request.method ?? 'GET';
  return {
    method,
    path,
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    headers: flatten(request.headers),
    target: resolveTarget(parts.routes, parts.replay, method, path),
    text: await readBody(request),
  };
}

const flatten = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

/** The outcome, with the fault in place of the service's own answer where one was asked for. */
function conclude(
  parts: HandlerParts,
  visit: Visit,
  fault: Fault | undefined,
  response: ServerResponse,
): Decision | { answer: 'cut'; caseId?: string } {
  if (fault === undefined) return decide(parts, visit);
  const effect = fault.when === 'after' ? decide(parts, visit) : undefined;
  const failure = applyFault(fault, response);
  if (failure === undefined) return effect ?? decide(parts, visit);
  return { answer: failure };
}

function note(parts: HandlerParts, visit: Visit, { answer, caseId }: ReturnType<typeof conclude>): void {
  const { method, path, target } = visit;
  const status = answer === 'cut' ? 0 : answer.status;
  if (target.operation !== undefined) {
    parts.counter.answered(target.operation, answer === 'cut' ? 'cut' : status);
  }
  parts.options.onAnswer?.({ method, path, operation: target.operation, status });
  if (target.kind === 'exchange') return;
  parts.recorder.add(() => describe(visit, caseId, status));
}

function describe(visit: Visit, caseId: string | undefined, status: number): RecordedRequest {
  const { method, path, query, headers, target, text = '' } = visit;
  const parsed = parseBody(text);
  return {
    method,
    path,
    query: Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)])),
    headers,
    body: 'problem' in parsed ? text : parsed.value,
    operation: target.operation,
    caseId,
    status,
  };
}
