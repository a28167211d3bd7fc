/** An answer that is a failure becomes one ApiError: what the service said, and what to do next (section 7). */

import { ApiError, type ServiceError } from '../errors.ts';
import { statusLabels } from '../service/document/error.ts';
import { parseErrors, saysTokenExpired } from './parse-error.ts';
import { requestIdOf } from './transport/response-headers.ts';
import type { ApiRequest, ApiResponse } from './types.ts';
import { howToCheck } from './write-fate.ts';

/** The labels of section 7, and those of the statuses that gateways add. */
const LABELS: Readonly<Record<number, string>> = {
  ...statusLabels,
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

/** @param addition one more sentence for the hint. */
export function buildApiError(response: ApiResponse, request: ApiRequest, addition = ''): ApiError {
  const { status, headers } = response;
  const { operation } = request;
  const errors = parseErrors(response.body);
  const requestId = requestIdOf(headers);
  const mayHaveBeenApplied = operation.effect !== 'read' && status >= 500;
  const hints = [
    mayHaveBeenApplied ? howToCheck(request) : '',
    hintOf(status, errors, headers),
    withdrawnHint(status, operation.withdrawn),
    addition,
  ];
  return new ApiError(
    { status, errors, mayHaveBeenApplied, ...(requestId === undefined ? {} : { requestId }) },
    `${operation.name}: ${status}${labelOf(status)}${said(errors, response)}`,
    hints.filter((hint) => hint !== '').join(' '),
  );
}

function labelOf(status: number): string {
  const label = LABELS[status] ?? (status >= 300 && status < 400 ? 'Redirect' : undefined);
  return label === undefined ? '' : ` ${label}`;
}

function said(errors: readonly ServiceError[], response: ApiResponse): string {
  if (errors.length > 0) return `: ${errors.map(errorInWords).join('; ')}`;
  if (response.body === undefined) return ' (the answer had no readable body)';
  return ' (the body held no error object)';
}

function errorInWords({ code, message, details }: ServiceError): string {
  const head = [code, message].filter((part) => part !== '').join(': ');
  return details === undefined || details === '' ? head : `${head} (${details})`;
}

function hintOf(
  status: number,
  errors: readonly ServiceError[],
  headers: Readonly<Record<string, string>>,
): string {
  if (status >= 300 && status < 400) return redirectHint(headers.location);
  if (status === 403) return forbiddenHint(errors);
  return HINTS[status] ?? (status >= 500 ? 'The service failed; try again later.' : '');
}

const HINTS: Readonly<Record<number, string>> = {
  400: 'Correct what the service names and call again.',
  401: 'The access token was refused, a fresh one too. Check that the application is authorised for this seller.',
  404: 'Check the identifier, and that it exists in this marketplace and account.',
  410: 'The operation no longer answers here.',
  413: 'Send less at once.',
  429: 'The service limits how often this operation may be called.',
  500: 'The service failed; try again later, and give its support the request id.',
  503: 'The service is overloaded or in maintenance; try again later.',
};

function forbiddenHint(errors: readonly ServiceError[]): string {
  if (saysTokenExpired(errors)) return 'The access token expired and a fresh one was refused too.';
  return (
    'Likely causes: the application lacks the role for this operation, the seller has not authorised it ' +
    '(or must do so again after a change of roles), or the seller or marketplace belongs to another region.'
  );
}

function redirectHint(location: string | undefined): string {
  const host = location !== undefined && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  return `The service redirects${host}; redirects are never followed. Check the base address.`;
}

function withdrawnHint(status: number, withdrawn: string | undefined): string {
  if (withdrawn === undefined || ![403, 404, 410].includes(status)) return '';
  return status === 403 ? `If none of these holds: the operation was withdrawn. ${withdrawn}` : withdrawn;
}
