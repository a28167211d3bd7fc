/** The identity provider: locates its keys and fetches them only when a token needs them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { isLoopback } from '../../base/loopback.ts';
import { openPool, type PoolSettings } from '../../call/transport/connection-pool.ts';

export interface Provider {
  /**
   * Finds the key of a token.
   * @throws ProviderAway; an error of jose for an unknown key
   */
  key: JWTVerifyGetKey;
  /**
   * The edition of the current keys, which changes with every fetch. Undefined when they have to be fetched
   * first.
   */
  edition(): number | undefined;
  /** The provider's metadata (RFC 8414), once it was fetched. */
  metadata(): ProviderMetadata | undefined;
  /**
   * Fetches the location of the keys if it is unknown.
   * @throws ProviderAway
   */
  ready(): Promise<void>;
  /**
   * Returns why no user can sign in now, or undefined where all is well. It also probes the provider again.
   */
  problem(): string | undefined;
  close(): Promise<void>;
}

/** The provider did not answer correctly. Nobody can be admitted, and the caller is not at fault. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderAway';
}

const metadataSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.url(),
  response_types_supported: z.array(z.string()).default(['code']),
});
type ProviderMetadata = z.infer<typeof metadataSchema>;

export interface ProviderOptions extends PoolSettings {
  issuer: string;
  now?: () => number;
  /** The time limit of one request to the provider. */
  timeoutMs?: number;
  /** The minimum time between two fetches for unknown keys. */
  cooldownMs?: number;
}

const TIMEOUT_MS = 5_000;
/** The time after a failure during which nobody waits for the provider again. */
const AWAY_MS = 5_000;
/** The lifetime of cached keys, so that a revoked key ends. An unknown key triggers one earlier fetch. */
const KEYS_LAST_MS = 600_000;
/**
 * A token with an unknown key waits this long instead of being refused, because the provider may have rotated
 * its keys.
 */
const COOLDOWN_MS = 1_000;
const METADATA_LASTS_MS = 3_600_000;
const MAX_BYTES = 262_144;

type Get = (address: string) => Promise<{ status: number; text: string }>;

export function createProvider({
  issuer,
  now = Date.now,
  timeoutMs = TIMEOUT_MS,
  cooldownMs = COOLDOWN_MS,
  ...pool
}: ProviderOptions): Provider {
  const http = openHttp(pool, timeoutMs);
  let known:
    | { metadata: ProviderMetadata; keys: ReturnType<typeof createRemoteJWKSet>; at: number }
    | undefined;
  let fetching: Promise<void> | undefined;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let edition = 0;
  let hasFailed = false;
  const isAway = () => now() < awayUntil;

  const fetchKeys: Get = async (address) => {
    const answer = await http.get(address);
    edition += 1;
    return answer;
  };
  const fetchMetadata = async () => {
    try {
      const metadata = await readMetadata(issuer, http.get);
      const isSame = known?.metadata.jwks_uri === metadata.jwks_uri;
      const keys =
        known !== undefined && isSame
          ? known.keys
          : keysAt(metadata.jwks_uri, fetchKeys, { timeoutMs, cooldownMs });
      known = { metadata, keys, at: now() };
    } catch (error) {
      awayUntil = now() + AWAY_MS;
      hasFailed = true;
      throw awayAs(error);
    } finally {
      fetching = undefined;
    }
  };
  const ready = async () => {
    if (known !== undefined && now() - known.at < METADATA_LASTS_MS) return;
    if (!isAway()) fetching ??= fetchMetadata();
    // The known metadata is used while it is refreshed.
    if (known !== undefined) return void fetching?.catch(() => {});
    if (fetching === undefined) throw awayAs('it did not answer a moment ago');
    await fetching;
  };

  /** Probes whether the provider answers again, for callers that only check its state. */
  const probe = async () => {
    if (isAway()) return;
    awayUntil = now() + AWAY_MS;
    try {
      if (known === undefined) await fetchMetadata();
      else await known.keys.reload();
      [hasFailed, awayUntil] = [false, Number.NEGATIVE_INFINITY];
    } catch {
      hasFailed = true;
    }
  };
  /**
   * Finds a key. Keys that were fetched a moment ago are fetched once more a moment later, because they may
   * have been rotated.
   */
  const findKey = async (
    keys: ReturnType<typeof createRemoteJWKSet>,
    ...asked: Parameters<JWTVerifyGetKey>
  ) => {
    try {
      return await keys(...asked);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !keys.coolingDown) throw error;
      await sleep(cooldownMs);
      return keys(...asked);
    }
  };

  return {
    metadata: () => known?.metadata,
    ready,
    async key(header, token) {
      await ready();
      const keys = known?.keys;
      if (keys === undefined) throw awayAs('its keys are not known');
      const isCached = keys.fresh && keys.jwks()?.keys.some(({ kid }) => kid === header?.kid) === true;
      if (!isCached && isAway()) throw awayAs('it did not answer a moment ago');
      try {
        return await findKey(keys, header, token);
      } catch (error) {
        if (!isFailure(error)) throw error;
        awayUntil = now() + AWAY_MS;
        hasFailed = true;
        throw awayAs(error);
      }
    },
    problem() {
      if (known?.keys.fresh === true) hasFailed = false;
      else if (known === undefined || hasFailed) void probe();
      if (known === undefined) return 'the identity provider has not answered yet';
      return hasFailed ? 'the identity provider does not answer' : undefined;
    },
    edition: () => (known?.keys.fresh === true ? edition : undefined),
    close: http.close,
  };
}

const awayAs = (why: unknown) => {
  if (why instanceof ProviderUnavailable) return why;
  return new ProviderUnavailable(why instanceof Error ? why.message : String(why), { cause: why });
};

/** Recognizes failures of the provider; any other error of a key lookup concerns the token. */
const isFailure = (error: unknown) =>
  error instanceof ProviderUnavailable ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid;

function keysAt(
  address: string,
  get: Get,
  { timeoutMs, cooldownMs }: Required<Pick<ProviderOptions, 'timeoutMs' | 'cooldownMs'>>,
) {
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: KEYS_LAST_MS,
    [customFetch]: async (url) => {
      const { status, text } = await get(url);
      if (status !== 200 || parseJson(text) === undefined) throw awayAs(`its keys answered ${status}`);
      return new Response(text, { status });
    },
  });
}

/**
 * Fetches the metadata by OpenID Connect first, then by RFC 8414, which puts the well-known part before the
 * path.
 */
async function readMetadata(issuer: string, get: Get): Promise<ProviderMetadata> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const addresses = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  let problem = '';
  for (const metadataUrl of addresses) {
    const { status, text } = await get(metadataUrl);
    if (status === 200) return checkMetadata(text, issuer);
    problem = `it answered ${status}`;
  }
  throw awayAs(problem);
}

function checkMetadata(text: string, issuer: string): ProviderMetadata {
  const { success, data } = metadataSchema.safeParse(parseJson(text));
  if (!success) throw awayAs('what it says about itself is not complete');
  // Metadata of another issuer could vouch for that issuer's users.
  if (data.issuer !== issuer) throw awayAs(`it says that its issuer is ${data.issuer}, to the letter`);
  const keys = new URL(data.jwks_uri);
  if (keys.protocol !== 'https:' && !(keys.protocol === 'http:' && isLoopback(keys.hostname)))
    throw awayAs('its keys are not at an https address');
  return data;
}

/**
 * Opens requests to the provider through the proxy of the environment, like all outgoing requests. Redirects
 * are not followed.
 */
function openHttp(settings: PoolSettings, timeoutMs: number): { get: Get; close(): Promise<void> } {
  let opening: ReturnType<typeof openPool> | undefined;
  return {
    async get(address) {
      opening ??= openPool(settings);
      const [pool, { request }] = await Promise.all([opening, import('../../call/transport/undici.ts')]);
      const { statusCode: status, body } = await request(address, {
        dispatcher: pool.for(new URL(address)),
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: unknown) => {
        throw awayAs(error);
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body) {
        size += chunk.length;
        if (size > MAX_BYTES) throw awayAs('it says too much');
        chunks.push(chunk);
      }
      return { status, text: Buffer.concat(chunks).toString('utf8') };
    },
    async close() {
      await (await opening)?.destroy();
    },
  };
}
