import { describe, expect, it } from 'vitest';
import { NetworkError, TimeoutError } from '../../../src/base/errors.ts';
import {
  type FailureContext,
  isTransient,
  networkFailure,
} from '../../../src/call/transport/network-failure.ts';

const context: FailureContext = {
  host: 'api.test',
  fate: 'unknown',
  answered: false,
  connectTimeoutMs: 10_000,
  check: 'Look first.',
};
const RAW = 'raw words';
const withCode = (code: string) => Object.assign(new Error(RAW), { code });
const failure = (code: string, fields: Partial<FailureContext> = {}) =>
  networkFailure(withCode(code), { ...context, ...fields });

describe('a failure without an answer', () => {
  it.each([
    ['ECONNREFUSED', 'ECONNREFUSED', 'api.test refused the connection; nothing was sent.', 'service runs'],
    ['ENOTFOUND', 'ENOTFOUND', 'The host api.test was not found; nothing was sent.', 'typing error'],
    [
      'EAI_AGAIN',
      'EAI_AGAIN',
      'The name of api.test could not be looked up; nothing was sent.',
      'name server',
    ],
    ['ECONNRESET', 'ECONNRESET', 'api.test reset the connection without an answer.', 'Try again'],
    ['UND_ERR_SOCKET', 'CONNECTION_CLOSED', 'api.test closed the connection without an answer.', 'Try again'],
    ['UND_ERR_HEADERS_OVERFLOW', 'HEADERS_TOO_LARGE', 'api.test sent more than 16 KB of headers.', 'address'],
    [
      'UND_ERR_ABORTED',
      'PROXY_REFUSED',
      'The proxy refused to connect to api.test; nothing was sent.',
      'NO_PROXY',
    ],
    ['HPE_INVALID_CONSTANT', 'NOT_HTTP', 'api.test sent something that is not HTTP.', 'Check the address'],
    [
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      'NOT_HTTP',
      'api.test sent something that is not HTTP.',
      'Check the address',
    ],
    [
      'CERT_HAS_EXPIRED',
      'CERT_HAS_EXPIRED',
      'The certificate of api.test is not trusted (CERT_HAS_EXPIRED); nothing was sent.',
      'NODE_EXTRA_CA_CERTS',
    ],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'is not trusted', 'NODE_EXTRA_CA_CERTS'],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'is not trusted',
      'NODE_EXTRA_CA_CERTS',
    ],
    [
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'is not trusted',
      'NODE_EXTRA_CA_CERTS',
    ],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_TLS_CERT_ALTNAME_INVALID', 'is not trusted', 'NODE_EXTRA_CA_CERTS'],
    ['EPROTO', 'EPROTO', 'The secure connection to api.test failed (EPROTO).', 'Check the address'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'The secure connection to api.test failed',
      'Check the address',
    ],
    ['NOT_EPROTO', 'NOT_EPROTO', 'No answer from api.test (NOT_EPROTO).', 'Try again'],
    ['EHOSTDOWN', 'EHOSTDOWN', 'No answer from api.test (EHOSTDOWN).', 'Try again'],
  ])('%s is told as %s', (raw, code, message, hint) => {
    const error = failure(raw);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code, fate: 'unknown', cause: { code: raw } });
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(error.message).not.toContain(RAW);
  });

  it('says how to check only what may have been applied', () => {
    expect(failure('ECONNRESET').hint).toMatch(/^Look first\. Try again/);
    expect(failure('ECONNRESET', { fate: 'not-sent' })).toMatchObject({ fate: 'not-sent' });
    expect(failure('ECONNRESET', { fate: 'not-sent' }).hint).toMatch(/^Try again/);
    expect(failure('ECONNRESET', { check: '' }).hint).toMatch(/^Try again/);
  });

  it('to connect in time is a timeout, and certainly not sent', () => {
    const error = failure('UND_ERR_CONNECT_TIMEOUT');
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      timeoutMs: 10_000,
      fate: 'not-sent',
      message: 'api.test did not accept a connection within 10 s.',
      cause: { code: 'UND_ERR_CONNECT_TIMEOUT' },
    });
  });
});

describe('a failure after the headers', () => {
  it.each([
    ['ECONNRESET', 'BODY_CUT_SHORT', 'before the whole answer had arrived'],
    ['HPE_INVALID_EOF_STATE', 'BODY_CUT_SHORT', 'before the whole answer had arrived'],
    ['HPE_INVALID_CHUNK_SIZE', 'NOT_HTTP', 'sent a body that is not HTTP'],
  ])('%s is told as %s', (raw, code, message) => {
    expect(failure(raw, { answered: true })).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});

describe('the code of a failure', () => {
  it('is the first that is found on the error, in what it aggregates, or in its cause', () => {
    const code = (error: unknown) => networkFailure(error, context);
    expect(code(new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]))).toMatchObject({
      code: 'ECONNREFUSED',
    });
    expect(code(new Error('outer', { cause: withCode('ENOTFOUND') }))).toMatchObject({ code: 'ENOTFOUND' });
    expect(code(new AggregateError([], 'none', { cause: withCode('EPIPE') }))).toMatchObject({
      code: 'EPIPE',
    });
    expect(code(new TypeError('plain'))).toMatchObject({ code: 'TypeError' });
    // A name that somebody else has chosen is none.
    for (const odd of ['CN=\u001b[2J', 'no such code, call again', 'x'.repeat(61), '']) {
      expect(code(withCode(odd))).toMatchObject({
        code: 'UNKNOWN',
        message: 'No answer from api.test (UNKNOWN).',
      });
    }
    expect(code(Object.assign(new Error('x', { cause: withCode('EPIPE') }), { code: 7 }))).toMatchObject({
      code: 'EPIPE',
    });
    expect(code('a word')).toMatchObject({ code: 'UNKNOWN' });
  });
});

it('what may pass by itself is tried again, and nothing else', () => {
  const passing = [
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
  ];
  const network = (code: string) => new NetworkError(code, 'unknown', 'x');
  expect(passing.filter((code) => !isTransient(network(code)))).toEqual([]);
  expect(
    ['ENOTFOUND', 'NOT_HTTP', 'PROXY_REFUSED', 'NOT_JSON'].filter((code) => isTransient(network(code))),
  ).toEqual([]);
  expect(isTransient(new TimeoutError(1, 'not-sent', 'x'))).toBe(true);
});
