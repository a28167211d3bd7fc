/** Restricted data tokens for operations that answer without one too, and then leave buyers' data out: bought by themselves, once, for every call of the operation. */

import type { AccountProfile, AccountSource } from '../../accounts/account.ts';
import { identityKey, isSameOwner } from '../../accounts/owner.ts';
import type { Clock } from '../../base/clock.ts';
import { NetworkError, RateLimitError, TimeoutError } from '../../base/errors.ts';
import { isJsonObject, jsonText } from '../../base/json.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import { parseErrors } from '../api-error.ts';
import type { ApiRequest, ApiResponse, PersonalDataAccess } from '../api-request.ts';
import { elementsOf, holdsElements } from './personal-elements.ts';
import type { Token } from './token-cache.ts';
import { isUsable, lifetime } from './token-lifetime.ts';

/** Sends one purchase. */
type BuyElements = (request: ApiRequest, elements: readonly string[]) => Promise<ApiResponse>;

interface PersonalDataOptions {
  clock: Clock;
  accounts: AccountSource;
  buy: BuyElements;
  /** Tells the token to who keeps secrets. */
  toToken(value: string, expiresIn: unknown): Token;
}

/** The state of the token for one operation of one seller. */
interface TokenEntry {
  elements: readonly string[];
  token?: Token | undefined;
  granted: readonly string[];
  /** Why elements are not given; nothing is asked for again then. */
  refusal?: string | undefined;
  /** No purchase before, after one that did not come to an answer. */
  pauseUntil: number;
  buying?: Promise<void> | undefined;
  /** Values that were in use, some of which may be under way. */
  values: Set<string>;
  /** True once an answer held any of the elements. */
  hasBrought: boolean;
  wasSent: boolean;
}

/** After a purchase without an answer: the call itself goes on without the data. */
const PAUSE_MS = 60_000;

const MAX_REASON = 120;

/** Statuses by which the service says no; any other may be different next time. */
const isRefusal = (status: number) => status === 400 || status === 403;

export class PersonalDataTokens {
  readonly #options: PersonalDataOptions;
  readonly #entries = new Map<string, TokenEntry>();

  constructor(options: PersonalDataOptions) {
    this.#options = options;
  }

  /** Whether the answer of the call can hold buyers' data that only such a token brings. */
  serves(request: ApiRequest): boolean {
    return this.#entryOf(request) !== undefined;
  }

  /** Undefined where the call goes out with the seller's own token. @throws for credentials that do not work at all */
  async get(request: ApiRequest): Promise<string | undefined> {
    const entry = this.#entryOf(request);
    if (entry === undefined) return undefined;
    if (this.#needsPurchase(entry)) {
      entry.buying ??= this.#purchase(request, entry).finally(() => {
        entry.buying = undefined;
      });
      await entry.buying;
    }
    const { token } = entry;
    return token !== undefined && isUsable(token.life, this.#options.clock) ? token.value : undefined;
  }

  /** True for a token that was bought here. */
  remembers(value: string): boolean {
    return [...this.#entries.values()].some(({ values }) => values.has(value));
  }

  /** The service did not take it, and answered the same call without it. */
  reject(value: string): void {
    for (const entry of this.#entries.values()) if (entry.token?.value === value) entry.token = undefined;
  }

  /** It was issued, and the operation refused it: the next one would be refused too. */
  deny(value: string): void {
    for (const entry of this.#entries.values()) {
      if (!entry.values.has(value)) continue;
      Object.assign(entry, { token: undefined, granted: [] });
      entry.refusal = 'the operation refuses the token that was issued for it (403)';
    }
  }

  /** Describes the buyers' data that the answer can hold, and why not more; undefined for other operations. */
  accessOf(request: ApiRequest, { status, body }: ApiResponse): PersonalDataAccess | undefined {
    const entry = this.#entryOf(request);
    if (entry === undefined || status >= 300) return undefined;
    const { elements, granted, refusal, token } = entry;
    if (token !== undefined) {
      entry.wasSent = true;
      entry.hasBrought ||= body === undefined || holdsElements(body, granted);
    }
    return { elements, granted, refusal, isPaused: refusal === undefined && token === undefined };
  }

  #needsPurchase({ token, refusal, granted, pauseUntil, wasSent, hasBrought }: TokenEntry): boolean {
    const { clock } = this.#options;
    if (token !== undefined && isUsable(token.life, clock)) return false;
    if (refusal !== undefined && granted.length === 0) return false;
    // A token that brought no data in its whole life would bring none again.
    if (wasSent && !hasBrought) return false;
    return clock.now() >= pauseUntil;
  }

  async #purchase(request: ApiRequest, entry: TokenEntry): Promise<void> {
    const { clock, accounts } = this.#options;
    try {
      const wanted = entry.refusal === undefined ? entry.elements : entry.granted;
      let response = await this.#options.buy(request, wanted);
      let got = wanted;
      if (isRefusal(response.status)) {
        entry.refusal = reasonOf(response);
        // The service names those that the application has no role for: the others may be given.
        const text = jsonText(response.body);
        const named = wanted.filter((element) => text.includes(element));
        got = named.length === 0 ? [] : wanted.filter((element) => !named.includes(element));
        if (got.length === 0) return void Object.assign(entry, { granted: [] });
        response = await this.#options.buy(request, got);
      }
      const { restrictedDataToken: value, expiresIn } = isJsonObject(response.body) ? response.body : {};
      if (isRefusal(response.status) || (response.status < 300 && typeof value !== 'string')) {
        entry.granted = [];
        entry.refusal = reasonOf(response);
      } else if (response.status >= 300 || typeof value !== 'string') {
        entry.pauseUntil = clock.now() + PAUSE_MS;
      } else {
        const token = this.#options.toToken(value, expiresIn);
        const isSame = isSameOwner(request.owner, await accounts.profile(request.account));
        entry.token = isSame ? token : { ...token, life: lifetime(0, clock) };
        entry.granted = got;
        entry.values.add(value);
      }
    } catch (error) {
      if (!isOutage(error)) throw error;
      entry.pauseUntil = clock.now() + PAUSE_MS;
    }
  }

  #entryOf({ operation, account, owner, withoutPersonalData }: ApiRequest): TokenEntry | undefined {
    const elements = elementsOf(operation);
    if (elements.length === 0 || withoutPersonalData === true || operation.auth.kind !== 'seller')
      return undefined;
    const key = keyOf(account, owner, operation.id);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: TokenEntry = {
      elements,
      granted: [],
      pauseUntil: 0,
      values: new Set(),
      hasBrought: false,
      wasSent: false,
    };
    this.#entries.set(key, entry);
    return entry;
  }
}

const keyOf = (account: string, owner: AccountProfile, operation: string) =>
  [account, identityKey(owner), owner.baseUrl, operation].join('\n');

const isOutage = (error: unknown) =>
  error instanceof NetworkError || error instanceof TimeoutError || error instanceof RateLimitError;

function reasonOf({ status, body }: ApiResponse): string {
  const [first] = parseErrors(body);
  const reason =
    first === undefined ? '' : ServiceText.join([first.code, first.message], ': ').quoted(MAX_REASON);
  return `no restricted data token was given (${[status, reason].filter((part) => part !== '').join(', ')})`;
}
