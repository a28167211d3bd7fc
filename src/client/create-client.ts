/** Puts a session's client together: one pipeline for every call, over a transport and a limiter that it shares. */

import { setMaxListeners } from 'node:events';
import type { AccountSource } from '../credentials/types.ts';
import { type Scope, toRequest, toResult } from './call-request.ts';
import type { CallInput, CallOptions, Client } from './client.ts';
import { type Clock, systemClock } from './clock.ts';
import { compose, type LayerParts, standardLayers } from './layers.ts';
import type { Limiter } from './pacing/limiter.ts';
import { retry } from './pacing/retry.ts';
import { buildRequest } from './request/build-request.ts';
import { openScope, waitFor } from './scope.ts';
import { GrantlessTokens } from './tokens/grantless-tokens.ts';
import { RestrictedTokens } from './tokens/restricted-tokens.ts';
import { SellerTokens } from './tokens/seller-tokens.ts';
import { tokenExchange } from './tokens/token-exchange.ts';
import { tokenSources } from './tokens/token-sources.ts';
import type { Transport } from './transport/transport.ts';
import type { Layer } from './types.ts';

export interface ClientSettings {
  accessTokenHeader: string;
  /** For one whole call, waits and retries included. */
  callTimeoutMs: number;
}

export interface ClientOptions {
  /** Whose calls these are; belongs to the session, like every token that is bought. */
  accounts: AccountSource;
  settings: ClientSettings;
  /** Belongs to the process (`createTransport`); the client does not close it. */
  transport: Transport;
  /** Belongs to the process (`createLocalLimiter`); the client does not close it. */
  limiter: Limiter;
  /** Outermost first. */
  layers?: (parts: LayerParts) => readonly Layer[];
  clock?: Clock;
  /** From 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** Told every token that the service issues, so that none is ever shown. */
  onSecret?: (secret: string) => void;
  /** Told what a person should know although the call goes on. */
  warn?: (message: string) => void;
}

/** Attempts of one token exchange: fewer than of a call, whose deadline it shares. */
const EXCHANGE_ATTEMPTS = 3;

/** Opens nothing and loads nothing heavy until the first call. */
export function createClient(options: ClientOptions): Client {
  const { accounts, settings, transport, clock = systemClock, random = Math.random } = options;
  const { warn = () => undefined, onSecret = () => undefined, layers = standardLayers } = options;
  const ending = new AbortController();
  const closing = ending.signal;
  setMaxListeners(0, closing);
  const timeoutMs = settings.callTimeoutMs;

  const exchange = tokenExchange({
    send: retry({ clock, random, maxAttempts: EXCHANGE_ATTEMPTS })(transport.send),
    clock,
    timeoutMs,
    closing,
    onSecret,
  });
  const seller = new SellerTokens({ accounts, exchange, clock, warn });
  const grantless = new GrantlessTokens({ accounts, exchange, clock });
  const restricted = new RestrictedTokens({
    send: (request) => send(request),
    clock,
    timeoutMs,
    closing,
    onSecret,
  });
  const tokens = tokenSources({ seller, grantless, restricted });
  const { accessTokenHeader } = settings;
  const parts = { clock, random, limiter: options.limiter, tokens, accessTokenHeader, closing };
  const send = compose(layers(parts), transport.send);

  const build = async (input: CallInput) => {
    const profile = await accounts.profile(input.account);
    return { profile, built: await buildRequest(input.operation, profile, input) };
  };

  const within = async <T>(call: CallOptions | undefined, work: (scope: Scope) => Promise<T>): Promise<T> => {
    const leftMs = Math.max(
      0,
      Math.min(timeoutMs, (call?.deadline ?? Number.POSITIVE_INFINITY) - clock.now()),
    );
    const scope = openScope(clock, timeoutMs, [call?.signal, closing], leftMs);
    try {
      scope.signal.throwIfAborted();
      return await work({ ...scope, onProgress: call?.onProgress });
    } finally {
      scope.end();
    }
  };

  return {
    call(input, call) {
      return within(call, async (scope) => {
        const { profile, built } = await waitFor(build(input), scope.signal);
        const request = toRequest(input, built, profile, scope);
        return toResult(await send(request), request, built.filledIn);
      });
    },
    async prepare(input) {
      const { url, headers, body, filledIn } = (await build(input)).built;
      return {
        method: input.operation.method,
        url,
        headers,
        filledIn,
        ...(body === undefined ? {} : { body }),
      };
    },
    exchangeToken: (account, call) =>
      within(call, (scope) => waitFor(seller.exchange(account, scope.signal), scope.signal)),
    rememberRestrictedToken: (account, resources, token, expiresIn) =>
      restricted.remember(account, resources, token, expiresIn),
    async close() {
      ending.abort();
    },
  };
}
