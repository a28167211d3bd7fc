/** Parses addresses of the PostgreSQL database that replicas share. */

import { isLoopback } from './loopback.ts';

export interface StoreAddress {
  /** The servers of a cluster; the one that takes writes is used. */
  hosts: { host: string; port: number }[];
  isEncrypted: boolean;
  /** Undefined means the user name of the system. */
  username: string | undefined;
  database: string;
}

/**
 * The groups are scheme, user name, hosts, database and encryption. They have no names, because every start
 * reads them.
 */
const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#]+)@)?([^/@?#]+)(?:\/([^/?#]+))?\/?(?:\?sslmode=(disable|verify-full))?$/;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const PORT = 5432;

/** Returns true when the address has a password, even if it is otherwise invalid. */
export function hasPassword(text: string): boolean {
  return text.split('@', 1)[0]?.split('://')[1]?.includes(':') === true && text.includes('@');
}

/** Parses an address, which never contains a password; undefined when it is invalid. */
export function readStoreAddress(text: string): StoreAddress | undefined {
  const [, name, list = '', path, mode] = ADDRESS.exec(text) ?? [];
  const found = list.split(',').map((one) => HOST.exec(one));
  const hosts = found.map((one) => ({
    host: (one?.[1] ?? '').replace(/^\[|\]$/g, ''),
    port: Number(one?.[2] ?? PORT),
  }));
  if (hosts.some(({ host, port }) => host === '' || port < 1 || port > 65_535)) return undefined;
  if (!canDecode(text)) return undefined;
  const username = name === undefined ? undefined : decodeURIComponent(name);
  return {
    hosts,
    isEncrypted: mode === undefined ? !found.every((one) => isLoopback(one?.[1] ?? '')) : mode !== 'disable',
    username,
    database: path === undefined ? (username ?? 'postgres') : decodeURIComponent(path),
  };
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
