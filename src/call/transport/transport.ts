/** The bottom: one request over undici, one answer or one clear error; belongs to the process. */

import { onAbort } from '../../base/cancel-signal.ts';
import type { Config } from '../../base/config.ts';
import { type AppError, CancelledError, TimeoutError, WriteTooLateError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { howToCheck } from '../api-error.ts';
import type { ApiRequest, Send } from '../api-request.ts';
import { type ConnectionPool, openPool, type PoolSettings } from './connection-pool.ts';
import { type ExchangeEnd, ExchangeHandler, type RawAnswer } from './http-exchange.ts';
import { networkFailure } from './network-failure.ts';
import { parseAnswer } from './parse-answer.ts';
import { type NamedClient, userAgent } from './user-agent.ts';

export interface TransportSettings extends PoolSettings, Pick<Config, 'maxResponseBytes'> {
  /** Version of this program, for the User-Agent. */
  version: string;
}

export interface Transport {
  /** @throws NetworkError | TimeoutError | CancelledError */
  send: Send;
  /** Destroys every socket; requests under way fail. */
  close(): Promise<void>;
}

export function createTransport(settings: TransportSettings): Transport {
  let opening: Promise<ConnectionPool> | undefined;
  const common = {
    accept: 'application/json',
    'accept-encoding': 'gzip, br, deflate',
    'user-agent': userAgent(settings.version),
  };
  return {
    async send(request) {
      request.signal.throwIfAborted();
      opening ??= openPool(settings);
      const pool = await opening;
      // It may have been told to end meanwhile, which nobody would hear of any more.
      request.signal.throwIfAborted();
      const limit = Math.min(settings.maxResponseBytes, request.bound?.maxBytes ?? Number.POSITIVE_INFINITY);
      const ending = await dispatch(pool, request, common, limit);
      const answer = ending.kind === 'answer' ? ending.answer : answerDespite(ending, request, settings);
      return parseAnswer(answer, request, limit);
    },
    async close() {
      await (await opening)?.destroy();
    },
  };
}

/** A session's view of the transport that all share: its requests also tell the client that the session works for. */
export function withClientName(
  transport: Transport,
  version: string,
  client: () => NamedClient | undefined,
): Transport {
  let known: { named: NamedClient; agent: string } | undefined;
  return {
    ...transport,
    send(request) {
      const named = client();
      if (named === undefined) return transport.send(request);
      if (known?.named !== named) known = { named, agent: userAgent(version, named) };
      const headers = { 'user-agent': known.agent, ...request.headers };
      return transport.send({ ...request, headers });
    },
  };
}

function dispatch(
  pool: ConnectionPool,
  request: ApiRequest,
  common: Readonly<Record<string, string>>,
  limit: number,
): Promise<ExchangeEnd> {
  const url = new URL(request.url);
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(
      limit,
      (ending) => {
        leave();
        resolve(ending);
      },
      request.whyTooLate,
    );
    const stop = () => handler.abort(request.signal.reason);
    const leave = onAbort(request.signal, stop);
    const { origin } = url;
    const path = url.pathname + url.search;
    const headers = { ...common, ...request.headers };
    try {
      pool.for(url).dispatch({ origin, path, method: request.method, headers, body: request.body }, handler);
    } catch (error) {
      handler.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** A failure status counts even when its body never arrived whole, and a 204 has none that could be missed. */
function answerDespite(
  ending: Extract<ExchangeEnd, { kind: 'failure' }>,
  request: ApiRequest,
  settings: TransportSettings,
): RawAnswer {
  const { answer, error, sent } = ending;
  if (error instanceof WriteTooLateError) throw error;
  if (request.signal.aborted) throw ended(request, sent);
  if (answer !== undefined && (answer.status === 204 || answer.status >= 300)) {
    return { status: answer.status, headers: answer.headers, body: Buffer.alloc(0) };
  }
  throw networkFailure(error, {
    host: new URL(request.url).host,
    fate: sent ? 'unknown' : 'not-sent',
    answered: answer !== undefined,
    connectTimeoutMs: settings.connectTimeoutMs,
    check: howToCheck(request),
  });
}

/** Cancelled or past the deadline: says how far the request came. */
function ended(request: ApiRequest, sent: boolean): AppError {
  const { reason } = request.signal;
  if (!sent) return reason;
  const check = howToCheck(request);
  if (!(reason instanceof TimeoutError)) {
    return new CancelledError('The call was cancelled while it was under way.', check, 'unknown');
  }
  const host = new URL(request.url).host;
  const message = `${host} did not answer ${request.operation.name} within ${formatDuration(reason.timeoutMs)}.`;
  const hint = `${check} Call again in a minute; the limit is the setting call-timeout-ms.`.trim();
  return new TimeoutError(reason.timeoutMs, 'unknown', message, hint);
}
