/** An answer that is a failure becomes one ApiError: what the service said, what may have happened, and what to do next (section 7). */

import { ApiError } from '../base/errors.ts';
import { isJsonObject, jsonText } from '../base/json.ts';
import { ServiceText } from '../base/text/service-text.ts';
import { shortenToCharacters } from '../base/text/shorten.ts';
import { formatSize } from '../base/text/size.ts';
import { formatEndingParts, isGone, withoutRefusedSuccessor } from '../service/facts/endings.ts';
import { roles } from '../service/facts/generated/roles.ts';
import type { Operation } from '../service/facts/operation.ts';
import { serviceErrorSchema, statusLabels } from '../service/shapes/error.ts';
import { type CalledOperation, insteadHint, type KnownOfCall } from './access.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import { redirectHostOf, requestIdOf } from './transport/response-headers.ts';

/** The labels of section 7, and those of the statuses that gateways add. */
const LABELS: Readonly<Record<number, string>> = {
  ...statusLabels,
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

/** The text of one error object (section 7). */
export interface ServiceErrorText {
  code: ServiceText;
  message: ServiceText;
  details?: ServiceText;
}

interface Context {
  /** One more sentence for the hint. */
  addition?: string;
  /** How an earlier attempt of this call ended that may have been applied. */
  earlier?: string | undefined;
  known?: KnownOfCall;
  /** Milliseconds since the epoch, from which the removal of an operation counts; absent where it says nothing. */
  now?: number;
}

const NOTHING_KNOWN: KnownOfCall = { answered: 0, isRefused: () => false, given: {} };

export function buildApiError(response: ApiResponse, request: ApiRequest, context: Context = {}): ApiError {
  const { status, headers } = response;
  const { operation } = request;
  const { addition = '', earlier, known, now } = context;
  const errors = parseErrors(response.body);
  const requestId = requestIdOf(headers);
  const mayHaveBeenApplied = operation.effect !== 'read' && (isUnclear(status) || earlier !== undefined);
  const hints = [
    mayHaveBeenApplied ? howToCheck(request, isUnclear(status) ? undefined : earlier) : '',
    hintOf(status, errors, headers, operation, known),
    status === 403 ? partsHint(request.url) : '',
    now === undefined ? '' : endingHint(status, operation.ending, known, now),
    addition,
  ];
  return new ApiError(
    { status, mayHaveBeenApplied, ...(requestId === undefined ? {} : { requestId }) },
    `${operation.name}: ${wordsOf(status, errors, response)}`,
    hints.filter((hint) => hint !== '').join(' '),
  );
}

/** An operation that the demo account lacks is no failure of a service, so neither status nor code is told. */
function wordsOf(status: number, errors: readonly ServiceErrorText[], response: ApiResponse): string {
  const [first] = errors;
  if (status === 501 && first?.code.is('NotPlayed')) return first.message.quoted();
  return `${status}${labelOf(status)}${formatAnswer(errors, response)}`;
}

/** True where the service may have done it before it failed: 501 says that it cannot. */
const isUnclear = (status: number): boolean => status >= 500 && status !== 501;

function labelOf(status: number): string {
  const label = LABELS[status] ?? (status < 400 ? 'Redirect' : undefined);
  return label === undefined ? '' : ` ${label}`;
}

/** The max body of a failure, which is read at once; a longer one is not read. */
export const MAX_FAILURE_BYTES = 256 * 1024;

function formatAnswer(errors: readonly ServiceErrorText[], response: ApiResponse): string {
  if (errors.length > 0) return `: ${ServiceText.join(errors.map(formatError), '; ').quoted()}`;
  if (response.body === undefined && response.bytes > MAX_FAILURE_BYTES)
    return ` (its reasons, ${formatSize(response.bytes)} of them, were not read)`;
  if (response.body === undefined) return ' (the answer had no readable body)';
  return ` (the body held no error object${beginningOf(response)})`;
}

/** Characters shown of a body that nothing is known of, and the bytes above which none is written out for them. */
const MAX_BODY_SHOWN = 300;
const LARGEST_BODY = 1_000_000;

function beginningOf({ body, bytes }: ApiResponse): string {
  const isEmpty = typeof body === 'object' && Object.keys(body ?? {}).length === 0;
  return isEmpty || bytes > LARGEST_BODY ? '' : `: ${new ServiceText(jsonText(body)).quoted(MAX_BODY_SHOWN)}`;
}

/** `code: message (details)`, one text for all of it: our own punctuation inside cannot be told from the service's. */
function formatError({ code, message, details }: ServiceErrorText): ServiceText {
  const head = ServiceText.join([code, message], ': ');
  const rest =
    details === undefined || details.isEmpty ? [] : [new ServiceText(' ('), details, new ServiceText(')')];
  return ServiceText.join([head, ...rest], '');
}

function hintOf(
  status: number,
  errors: readonly ServiceErrorText[],
  headers: Readonly<Record<string, string>>,
  operation: CalledOperation,
  known: KnownOfCall | undefined,
): string {
  if (status < 400) return redirectHint(redirectHostOf(headers));
  if (status === 403) return forbiddenHint(errors, operation, known);
  if (status === 400 && errors.length === 0) return NOTHING_NAMED;
  // A reason of its own says more, as that of the sandbox does.
  if (status === 501 && errors.length > 0) return '';
  return HINTS[status] ?? (status >= 500 ? 'The service failed; try again later.' : '');
}

const NOTHING_NAMED =
  'The service does not say what is wrong: compare the arguments with describe_operation.';

const HINTS: Readonly<Record<number, string>> = {
  400: 'Correct what the service names and call again.',
  401: 'The access token was refused, a fresh one too. Check that the application is authorized for this seller.',
  404: 'Check the identifier, and that it exists in this marketplace and account.',
  410: 'The operation no longer answers here.',
  413: 'Send less at once.',
  429: 'The service limits how often this operation may be called.',
  501: 'The service does not offer this operation here; use another one.',
  500: 'The service failed; try again later, and give its support the request id.',
  503: 'The service is overloaded or in maintenance; try again later.',
};

/** After this many answered calls a refusal is hardly about a role. */
const MANY_CALLS = 10;

/** The causes of a 403, told where the service says nothing of its own about them. */
const FORBIDDEN = {
  plain: (role: string) =>
    `Likely causes: the application lacks the role for this operation${role}, the seller has not authorized it ` +
    '(or must do so again after a change of roles), or the seller or marketplace belongs to another region.',
  // Seen after some hundred calls: jrl84/amazon-sp-api#46.
  afterMany:
    'Likely causes: throttling (after many calls the service answers some with 403 instead of 429: wait some ' +
    'minutes, then call less often), an item or marketplace that is not open to this account, or an ' +
    'authorization that the seller has withdrawn meanwhile.',
  throttled:
    'The service limits the calls in this way: wait some minutes, then call this operation less often.',
};

function forbiddenHint(
  errors: readonly ServiceErrorText[],
  operation: CalledOperation,
  known: KnownOfCall = NOTHING_KNOWN,
): string {
  if (saysTokenExpired(errors)) return 'The access token expired and a fresh one was refused too.';
  return [causesOf(errors, operation, known), insteadHint(operation, known)]
    .filter((part) => part !== '')
    .join(' ');
}

function causesOf(
  errors: readonly ServiceErrorText[],
  { id, name }: CalledOperation,
  { answered }: KnownOfCall,
): string {
  if (errors.some(({ code, message }) => [code, message].some((text) => text.matches(THROTTLED))))
    return FORBIDDEN.throttled;
  // Its own details are nearer to the cause than a list that fits every refusal.
  if (errors.some(({ details }) => details?.matches(/\S/))) return '';
  if (answered < MANY_CALLS) return FORBIDDEN.plain(roleOf(id));
  return `${answered} calls of ${name} were answered before in this session, so the application has the role. ${FORBIDDEN.afterMany}`;
}

function roleOf(id: string): string {
  const [group = ''] = id.split('/');
  const role = Object.hasOwn(roles, group) ? roles[group] : undefined;
  return role === undefined ? '' : ` (${role})`;
}

const THROTTLED = /quota ?exceeded|throttl|exceeded your quota|too many requests/i;

/** Shortens the service's reason for a refusal, so that it can be reported later; empty for other answers. */
export function reasonOf({ status, body }: Pick<ApiResponse, 'status' | 'body'>): string {
  if (status !== 403) return '';
  const errors = parseErrors(body);
  return errors.length === 0 ? '' : ServiceText.join(errors.map(formatError), '; ').quoted(MAX_REASON);
}

const MAX_REASON = 160;

/** Parts that take a role of their own. */
const OF_BUYERS: ReadonlySet<string> = new Set(['BUYER', 'RECIPIENT']);

function partsHint(url: string): string {
  const asked = URL.canParse(url) ? new URL(url).searchParams.getAll('includedData') : [];
  const parts = asked.flatMap((value) => value.split(',')).filter((part) => OF_BUYERS.has(part));
  return parts.length === 0
    ? ''
    : `Or only these parts are refused: leave ${parts.join(', ')} out of includedData.`;
}

function redirectHint(host: ServiceText | undefined): string {
  const where = host === undefined ? '' : ` to ${host.shown()}`;
  return `The service redirects${where}; redirects are never followed. Check the base address.`;
}

function endingHint(
  status: number,
  ending: Operation['ending'],
  { isRefused }: KnownOfCall = NOTHING_KNOWN,
  now: number,
): string {
  // Before its day an operation answers as ever, so that a 404 says nothing of its end.
  if (ending === undefined || !isGone(ending, now) || ![403, 404, 410].includes(status)) return '';
  const parts = formatEndingParts(withoutRefusedSuccessor(ending, { has: isRefused }));
  const words = `the operation may be gone: ${parts.join('; ')}.`;
  return status === 403 ? `If none of these holds: ${words}` : `Or ${words}`;
}

/** Characters of the path that a hint shows: an id of the caller's own is told back no further than to know it by. */
const MAX_PATH = 120;

/**
 * Explains that the write may have been applied and how to check it; empty for reads.
 * @param earlier how an earlier attempt ended, where it was that one.
 */
export function howToCheck(request: Pick<ApiRequest, 'operation' | 'url'>, earlier?: string): string {
  const { operation } = request;
  if (operation.effect === 'read') return '';
  const path = shortenToCharacters(
    URL.canParse(request.url) ? new URL(request.url).pathname : operation.path,
    MAX_PATH,
  );
  const look =
    operation.method === 'POST'
      ? `list or read what is under ${path} and look for the change`
      : `read ${path} back and compare`;
  const by = earlier === undefined ? '' : ` by an earlier attempt (${earlier})`;
  return `The write may have been applied${by}: before sending it again, ${look}.`;
}

/**
 * Reads one error alone, an array of them, either under `errors`, where texts stand too, or OAuth's `error` and
 * `error_description`.
 * A missing or odd member becomes text; a body that holds none of these, or no word, gives an empty list.
 */
export function parseErrors(body: unknown): ServiceErrorText[] {
  if (Array.isArray(body)) return parseSeveral(body);
  if (!isJsonObject(body)) return [];
  const inside = [body.errors, body.Errors].flatMap((errors) =>
    Array.isArray(errors) ? parseSeveral(errors) : parseOne(errors),
  );
  return inside.length > 0 ? inside : parseOne(body);
}

/** Errors read of one answer: the service sends a few, and the rest would not be told anyway. */
const MAX_ERRORS = 100;

const parseSeveral = (errors: readonly unknown[]) => errors.slice(0, MAX_ERRORS).flatMap(parseOne);

/** True for the sentence with which a service says that the token is past its time. */
export function saysTokenExpired(errors: readonly ServiceErrorText[]): boolean {
  return errors.some(({ code, message, details }) =>
    ServiceText.join([code, message, details], ' ').matches(
      /token(?![a-z0-9]).*(?<![a-z0-9])expired|expired(?![a-z0-9]).*(?<![a-z0-9])token/i,
    ),
  );
}

/** True for a 403 that is about the token alone. */
export const saysExpired = ({ status, body }: Pick<ApiResponse, 'status' | 'body'>): boolean =>
  status === 403 && saysTokenExpired(parseErrors(body));

const NOTHING = new ServiceText('');

function parseOne(value: unknown): ServiceErrorText[] {
  if (typeof value === 'string' && value !== '') return [{ code: NOTHING, message: new ServiceText(value) }];
  if (!isJsonObject(value)) return [];
  const read = serviceErrorSchema.parse(value);
  const code = read.code ?? read.errorCode ?? read.error;
  const message = read.message ?? read.Message ?? read.errorMessage ?? read.error_description;
  if (code === undefined && message === undefined)
    return isJsonObject(value.error) ? parseOne(value.error) : [];
  const { details } = read;
  const found = {
    code: code ?? NOTHING,
    message: message ?? NOTHING,
    ...(details === undefined ? {} : { details }),
  };
  return ServiceText.join(Object.values(found), '').isEmpty ? [] : [found];
}
