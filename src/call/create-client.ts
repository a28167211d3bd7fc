/** Puts a session's client together: one pipeline for every call, over a transport and a limiter that it shares. */

import { setMaxListeners } from 'node:events';
import type { AccountProfile, AccountSource } from '../accounts/account.ts';
import { howToAddSellerId } from '../accounts/account-ids.ts';
import { checkOwner, isSameOwner } from '../accounts/owner.ts';
import { CancelSignal } from '../base/cancel-signal.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { AccountChangedError, ApiError, AppError, InputError, mayHaveBeenApplied } from '../base/errors.ts';
import type { Replicas } from '../replicas/sealed.ts';
import { accountValueOf } from '../service/facts/parameters.ts';
import { AccessRecord, aboutOf, type KnownOfCall, type Refusal } from './access.ts';
import { buildApiError, reasonOf, saysExpired } from './api-error.ts';
import type { ApiRequest, ApiResponse, Layer, Quota } from './api-request.ts';
import { createVersionCaller } from './call-versions.ts';
import type { CallInput, CallOptions, CallResult, Client } from './client-types.ts';
import { bottomLayers, compose, type LayerParts, standardLayers } from './layers.ts';
import type { Limiter } from './pacing/limiter.ts';
import { retry } from './pacing/retry.ts';
import { type BuiltRequest, buildRequest } from './request/build-request.ts';
import { describeUnlistedValues, marketplaceWarnings } from './request/describe-request.ts';
import { lacksAccountValue, withIdempotencyKey } from './request/parameters.ts';
import { type CallScope, openScope, waitFor } from './scope.ts';
import { Tokens } from './tokens/access-token.ts';
import type { AccountTokens } from './tokens/account-tokens.ts';
import { CLOSING_MS, EXCHANGE_ATTEMPTS } from './tokens/token-exchange.ts';
import { tokensOfReplicas } from './tokens/tokens-of-replicas.ts';
import { rateLimitOf, requestIdOf } from './transport/response-headers.ts';
import type { Transport } from './transport/transport.ts';

export interface ClientSettings {
  accessTokenHeader: string;
  /** The time of one whole call, including waits and retries. */
  callTimeoutMs: number;
}

export interface ClientOptions {
  /** The accounts of the session, to which every requested token belongs too. */
  accounts: AccountSource;
  settings: ClientSettings;
  /** Belongs to the process (`createTransport`); the client does not close it. */
  transport: Transport;
  /** Belongs to the process (`createLocalLimiter`); the client does not close it. */
  limiter: Limiter;
  /** The tokens that all sessions of the process share; the session's own if absent. */
  tokens?: AccountTokens | undefined;
  /** Set if several processes buy tokens together. */
  replicas?: Replicas | undefined;
  /** Outermost first. */
  layers?: (parts: LayerParts) => readonly Layer[];
  clock?: Clock;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** Told every token that the service issues, with what it is in use as, so that none is ever shown, and again before each use. */
  onSecret?: (secret: string, use?: string) => void;
  /** Told what a person should know although the call goes on. */
  warn?: (message: string) => void;
}

/** Opens nothing and loads nothing heavy until the first call. */
export function createClient(options: ClientOptions): Client {
  const { accounts, settings, transport, limiter, clock = systemClock, random = Math.random } = options;
  const { warn = () => undefined, onSecret = () => undefined, layers = standardLayers } = options;
  const { accessTokenHeader, callTimeoutMs } = settings;
  const ending = new CancelSignal();
  const endingExchanges = new AbortController();
  const [closing, closingExchanges] = [ending.signal, endingExchanges.signal];
  setMaxListeners(0, closing, closingExchanges);

  const tokens = new Tokens({
    accounts,
    transport: transport.send,
    repeat: retry({ clock, random, maxAttempts: EXCHANGE_ATTEMPTS }),
    send: (request) => send(request),
    clock,
    timeoutMs: callTimeoutMs,
    closing,
    closingExchanges,
    onSecret,
    warn,
    shared: options.tokens,
    ofReplicas: options.replicas && tokensOfReplicas(options.replicas, clock),
  });
  const parts = { clock, random, limiter, tokens, accessTokenHeader, closing };
  const send = compose([...layers(parts), ...bottomLayers(clock, callTimeoutMs)], transport.send);

  const build = async (input: CallInput) => {
    let profile = await accounts.profile(input.account);
    checkOwner(input.owner, profile);
    let hint = '';
    if (lacksAccountValue(input.operation, input.parameters, profile)) {
      // A user without an account is asked for credentials first, not for the ids that come with them.
      if (profile.login === undefined) await accounts.get(input.account);
      const origin = await accounts.renew(input.account);
      profile = await accounts.profile(input.account);
      const how = profile.sellerId === undefined ? howToAddSellerId(input.account, origin) : '';
      if (how !== '') hint = `Account "${input.account}" has no seller ID. ${how}`;
    }
    try {
      // An approved call is sent as it was shown, whatever the account would fill in by now.
      return { profile, built: await buildRequest(input.operation, input.owner ?? profile, input) };
    } catch (error) {
      throw lacksSellerId(error) ? error.withHintFirst(hint) : error;
    }
  };

  const access = new AccessRecord();
  const callVersions = createVersionCaller(access);

  const within = async <T>(call: CallOptions, work: (scope: CallScope) => Promise<T>): Promise<T> => {
    const { timeoutMs = callTimeoutMs, deadline = Number.POSITIVE_INFINITY } = call;
    const leftMs = Math.max(0, Math.min(timeoutMs, deadline - clock.now()));
    const scope = openScope(clock, timeoutMs, [call.signal, closing], leftMs);
    try {
      scope.ending.throwIfAborted();
      return await work(scope);
    } finally {
      scope.end();
    }
  };

  const callOnce = async (input: CallInput, call: CallOptions, scope: CallScope): Promise<CallResult> => {
    const { profile, built } = await waitFor(build(input), scope.ending);
    const request = toRequest(input, built, profile, call, scope);
    try {
      const response = await send(request);
      const called = {
        operation: input.operation.id,
        owner: profile,
        about: aboutOf(built.marketplaces, built),
      };
      const answered = access.answered(called.operation, profile);
      if (!saysExpired(response)) access.note(called, response.status, clock.wallClock(), reasonOf(response));
      const isRefused = (id: string) => access.refusalOf(id, profile) !== undefined;
      const given = { ...built.parameters, ...built.filledIn };
      const known = { answered, isRefused, given };
      return toResult(response, request, { built, known, now: clock.wallClock() });
    } catch (error) {
      if (error instanceof ApiError) addDoubts(error, built);
      if (error instanceof AppError && mayHaveBeenApplied(error))
        error.idempotencyKey = request.idempotencyKey;
      throw error;
    }
  };

  return {
    call(input, call = {}) {
      return within(call, (scope) => {
        const ask = (asked: CallInput) =>
          callOnce(asked, call, scope).catch((error: unknown) => {
            // The call is built again for the account's new owner; a call that was approved for another one is refused.
            if (error instanceof AccountChangedError) return callOnce(asked, call, scope);
            throw error;
          });
        const { otherVersions } = input;
        if (otherVersions === undefined || otherVersions.length === 0) return ask(input);
        const inputs = [
          input,
          ...otherVersions.map((version) => ({ ...input, body: undefined, ...version })),
        ];
        return accounts.profile(input.account).then((owner) => callVersions(inputs, owner, ask));
      });
    },
    async prepare(input) {
      const { profile: owner, built } = await build(input);
      const { origin: _, ...prepared } = built;
      return { owner, method: input.operation.method, ...prepared };
    },
    refusalOf: (...asked) => access.refusalOf(...asked),
    async refusals(operationId) {
      const standing: Refusal[] = [];
      for (const refusal of access.refusals(operationId)) {
        const profile = await accounts.profile(refusal.account).catch(() => undefined);
        if (profile !== undefined && isSameOwner(refusal.owner, profile)) standing.push(refusal);
      }
      return standing;
    },
    exchangeToken: (account, call = {}) =>
      within(call, ({ ending: own }) => waitFor(tokens.exchange(account, own), own)),
    rememberRestrictedToken: (...purchase) => tokens.remember(...purchase),
    async close() {
      ending.abort();
      await new Promise<void>((resolve) => {
        const stopTimer = clock.after(CLOSING_MS, resolve);
        void tokens.settled().then(() => {
          stopTimer();
          resolve();
        });
      });
      endingExchanges.abort();
    },
  };
}

function lacksSellerId(error: unknown): error is InputError {
  return (
    error instanceof InputError && error.problems.some(({ path }) => accountValueOf(path) === 'sellerId')
  );
}

function toRequest(
  input: CallInput,
  built: BuiltRequest,
  owner: AccountProfile,
  { onProgress, dispatchHooks, bound }: CallOptions,
  { ending, deadline, wallDeadline }: CallScope,
): ApiRequest {
  const { operation, account } = input;
  const { headers, body, key } = withIdempotencyKey(
    operation,
    built.headers,
    built.body,
    input.idempotencyKey,
  );
  return {
    operation,
    account,
    owner,
    quota: quotaOf(owner, built),
    method: operation.method,
    url: built.url,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    repeatable: key !== undefined || operation.method === 'GET' || operation.effect === 'read',
    idempotencyKey: key,
    signal: ending,
    deadline,
    wallDeadline,
    onProgress,
    dispatchHooks,
    bound,
    withoutPersonalData: input.withoutPersonalData,
  };
}

/** Returns the quota; an account without credentials never gets a token, so that its name will do. */
function quotaOf({ name, quota }: AccountProfile, { origin }: BuiltRequest): Quota {
  return { service: origin, ...(quota ?? { application: '', seller: name }) };
}

/** Adds the doubts about the request to a refusal, because they may be its cause. */
function addDoubts(error: ApiError, { marketplaces, unlistedValues }: BuiltRequest): void {
  const doubts = [...marketplaceWarnings(marketplaces), ...describeUnlistedValues(unlistedValues)];
  if (doubts.length > 0) error.withHint(doubts.join(' '));
}

/** @throws ApiError unless the status is 2xx: the document shows no other success. */
function toResult(
  response: ApiResponse,
  request: ApiRequest,
  { built, known, now }: { built: BuiltRequest; known: KnownOfCall; now: number },
): CallResult {
  const { filledIn, marketplaces, days, unlistedValues } = built;
  const { status, headers, body, findNumbersAsText, bytes, personalData } = response;
  if (status < 200 || status >= 300) throw buildApiError(response, request, { known, now });
  return {
    status,
    headers,
    body,
    findNumbersAsText,
    bytes,
    personalData,
    owner: request.owner,
    filledIn,
    marketplaces: marketplaces.length === 0 ? undefined : marketplaces,
    days,
    unlistedValues,
    requestId: requestIdOf(headers),
    rateLimit: rateLimitOf(headers),
    idempotencyKey: request.idempotencyKey,
  };
}
