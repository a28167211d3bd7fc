/**
 * Determines the address of a server for many users: where it listens, what users connect to, and whether
 * that is safe.
 */

import type { Config } from '../base/config.ts';
import { ConfigError } from '../base/errors.ts';
import { isLoopback } from '../base/loopback.ts';

export interface HostAndPort {
  /** The host as a URL contains it: an IPv6 address in brackets. */
  host: string;
  port: number;
}

export interface ServerAddress {
  listen: HostAndPort;
  /** Returns the address that users enter in their client; no other path below it is served to them. */
  endpoint(port: number): URL;
  /** True when only this machine can reach the server. */
  isLocal: boolean;
}

/** The path below the public address, which leaves room for others. */
const ENDPOINT = '/mcp';

export type ServerAddressSettings = Pick<
  Config,
  'listen' | 'publicUrl' | 'behindProxy' | 'issuer' | 'httpToken' | 'sandbox' | 'writes'
>;

/**
 * Reads the address from the settings.
 * @throws ConfigError for settings that would admit the wrong users or expose traffic
 */
export function readServerAddress(config: ServerAddressSettings): ServerAddress {
  const { publicUrl, behindProxy } = config;
  const listen = readHostAndPort(config.listen);
  const isLocal = isLoopback(listen.host) && !behindProxy;
  refuseContradictions(config);
  if (publicUrl?.endsWith(ENDPOINT))
    throw new ConfigError(
      `--public-url ends with ${ENDPOINT}, which people's clients add themselves.`,
      `Give it without: ${publicUrl.slice(0, -ENDPOINT.length)}`,
    );
  if (!isLocal) refuseElsewhere(config);
  if (config.issuer === undefined && config.httpToken === undefined && !config.sandbox)
    throw new ConfigError(
      'Nobody could be told from anybody else: neither --issuer nor SELLER_HTTP_TOKEN is set.',
      'Give the provider that people log in with (--issuer), for yourself alone a token of 32 characters or more (SELLER_HTTP_TOKEN), or --sandbox to try it.',
    );
  return {
    listen,
    isLocal,
    endpoint: (port) => new URL(`${publicUrl ?? `http://${listen.host}:${port}`}${ENDPOINT}`),
  };
}

export function readHostAndPort(given: string): HostAndPort {
  const at = given.lastIndexOf(':');
  const port = Number(given.slice(at + 1));
  if (port > 65_535) throw new ConfigError(`There is no port ${port}.`, 'A port is 1 to 65535.');
  return { host: given.slice(0, at).toLowerCase(), port };
}

function refuseContradictions({ issuer, httpToken, writes }: ServerAddressSettings): void {
  if (issuer !== undefined && httpToken !== undefined)
    throw new ConfigError(
      'There is a provider (--issuer) and a token of its own (SELLER_HTTP_TOKEN).',
      'With a provider each person has tokens of theirs: leave SELLER_HTTP_TOKEN out.',
    );
  if (writes === 'page')
    throw new ConfigError(
      '--writes=page opens a page on the machine of the server, where nobody sits.',
      'Use --writes=ask: each person is asked by their own client; or --writes=code, where clients cannot ask.',
    );
}

function refuseElsewhere({ issuer, publicUrl, behindProxy, listen }: ServerAddressSettings): void {
  const reached = behindProxy ? 'Behind a proxy' : `At ${listen}, which others reach,`;
  if (issuer === undefined)
    throw new ConfigError(
      `${reached} it takes nobody without a login.`,
      'Give the provider that people log in with: --issuer. A token of its own (SELLER_HTTP_TOKEN), and --sandbox without a login, are for 127.0.0.1 alone.',
    );
  if (!behindProxy)
    throw new ConfigError(
      `${reached} it serves nothing: it does not speak TLS itself.`,
      'Put a proxy that ends TLS before it and say --behind-proxy; docs/server.md has an example.',
    );
  if (publicUrl === undefined)
    throw new ConfigError(
      `${reached} it has to know its address.`,
      'Give the address as people reach it: --public-url https://sellers.example',
    );
}
