/** Turns what undici and Node throw without an answer into a NetworkError or TimeoutError. */

import { type AppError, type Fate, NetworkError, TimeoutError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';

/** Codes of failures that may pass by themselves. */
const TRANSIENT = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'BODY_CUT_SHORT',
]);

/** A connect timeout is transient as well: nothing was sent. */
export function isTransient(error: NetworkError | TimeoutError): boolean {
  return error instanceof TimeoutError || TRANSIENT.has(error.code);
}

export interface FailureContext {
  host: string;
  fate: Fate;
  /** True when the response's headers had arrived. */
  answered: boolean;
  connectTimeoutMs: number;
  /** The text of `howToCheck`; empty for reads. */
  check: string;
}

export function networkFailure(error: unknown, context: FailureContext): AppError {
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return connectTimeout(context, error);
  const known = describe(code, context);
  const hint = [context.fate === 'unknown' ? context.check : '', known.hint]
    .filter((part) => part !== '')
    .join(' ');
  return new NetworkError(known.code, context.fate, known.message, hint, { cause: error });
}

function connectTimeout(context: FailureContext, cause: unknown): TimeoutError {
  return new TimeoutError(
    context.connectTimeoutMs,
    'not-sent',
    `${context.host} did not accept a connection within ${formatDuration(context.connectTimeoutMs)}.`,
    'Check the network, a proxy or firewall, and the address. The limit is the setting connect-timeout-ms.',
    { cause },
  );
}

interface Described {
  code: string;
  message: string;
  hint: string;
}

function describe(code: string, { host, answered }: FailureContext): Described {
  if (answered) return cutShort(host, code);
  if (NOT_HTTP.test(code)) {
    return { code: 'NOT_HTTP', message: `${host} sent something that is not HTTP.`, hint: CHECK_ADDRESS };
  }
  if (isCertificate(code)) return certificate(host, code);
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) {
    return { code, message: `The secure connection to ${host} failed (${code}).`, hint: CHECK_ADDRESS };
  }
  if (code === 'UND_ERR_SOCKET') {
    return {
      code: 'CONNECTION_CLOSED',
      message: `${host} closed the connection without an answer.`,
      hint: AGAIN,
    };
  }
  return SYSTEM[code]?.(host) ?? { code, message: `No answer from ${host} (${code}).`, hint: AGAIN };
}

const NOT_HTTP = /^HPE_|HTTPParserError|CONTENT_LENGTH_MISMATCH/;
const AGAIN = 'Try again; if it stays, check the network and the state of the service.';
const CHECK_ADDRESS = 'Check the address (https or http, host and port) and any proxy in between.';

const SYSTEM: Readonly<Record<string, (host: string) => Described>> = {
  ECONNREFUSED: (host) => ({
    code: 'ECONNREFUSED',
    message: `${host} refused the connection; nothing was sent.`,
    hint: 'Check that the service runs and that the address is right.',
  }),
  ENOTFOUND: (host) => ({
    code: 'ENOTFOUND',
    message: `The host ${host} was not found; nothing was sent.`,
    hint: 'Check the address for a typing error, and the network.',
  }),
  EAI_AGAIN: (host) => ({
    code: 'EAI_AGAIN',
    message: `The name of ${host} could not be looked up; nothing was sent.`,
    hint: 'Check the network connection and name server.',
  }),
  ECONNRESET: (host) => ({
    code: 'ECONNRESET',
    message: `${host} reset the connection without an answer.`,
    hint: AGAIN,
  }),
  UND_ERR_HEADERS_OVERFLOW: (host) => ({
    code: 'HEADERS_TOO_LARGE',
    message: `${host} sent more than 16 KB of headers.`,
    hint: CHECK_ADDRESS,
  }),
  UND_ERR_ABORTED: (host) => ({
    code: 'PROXY_REFUSED',
    message: `The proxy refused to connect to ${host}; nothing was sent.`,
    hint: 'Check the proxy address, its credentials, and NO_PROXY.',
  }),
};

function cutShort(host: string, code: string): Described {
  if (/^HPE_/.test(code) && code !== 'HPE_INVALID_EOF_STATE') {
    return { code: 'NOT_HTTP', message: `${host} sent a body that is not HTTP.`, hint: AGAIN };
  }
  return {
    code: 'BODY_CUT_SHORT',
    message: `${host} closed the connection before the whole answer had arrived.`,
    hint: AGAIN,
  };
}

function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ALTNAME/.test(code);
}

function certificate(host: string, code: string): Described {
  return {
    code,
    message: `The certificate of ${host} is not trusted (${code}); nothing was sent.`,
    hint: 'Check the address. Behind a company proxy, name its authority in NODE_EXTRA_CA_CERTS.',
  };
}

/**
 * The first code found on the error, what it aggregates, or its cause. Never its message, in which a certificate or a
 * proxy may have its say; and what is no code is none.
 */
function codeOf(error: unknown): string {
  const code = findCode(error);
  return /^\w{1,60}$/.test(code) ? code : 'UNKNOWN';
}

function findCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return findCode(error.errors[0]);
  return error.cause === undefined ? error.name : findCode(error.cause);
}
