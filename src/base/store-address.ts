/** Addresses of stores: one server, servers behind Sentinel, or a Cluster. */

export interface StoreAddress {
  kind: 'server' | 'sentinel' | 'cluster';
  isEncrypted: boolean;
  hosts: { host: string; port: number }[];
  username: string | undefined;
  /** Of a server and of servers behind Sentinel; a Cluster has one database. */
  database: number;
  /** The name that the Sentinels know the master by. */
  master: string | undefined;
}

/** Scheme, kind, user name, hosts and path: without names of groups, since every start reads them. */
const ADDRESS = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^:@/?#]+)@)?([^/@?#]+)(?:\/([^?#]*))?$/;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const PORTS = { server: 6379, sentinel: 26_379, cluster: 6379 };

/** Whatever else is wrong with it. */
export function hasPassword(text: string): boolean {
  return text.split('@', 1)[0]?.split('://')[1]?.includes(':') === true && text.includes('@');
}

/** @returns undefined for what is no such address; a password never stands in one */
export function readStoreAddress(text: string): StoreAddress | undefined {
  const [, scheme, named, username, hosts = '', path = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const kind = named === 'sentinel' || named === 'cluster' ? named : 'server';
  const found = hosts.split(',').map((one) => HOST.exec(one));
  const parts = path.split('/').filter((part) => part !== '');
  const master = kind === 'sentinel' ? parts.shift() : undefined;
  const [database = '0', ...rest] = parts;
  const isWrong =
    found.some((one) => one === null || Number(one[2] ?? 1) < 1 || Number(one[2] ?? 1) > 65_535) ||
    (kind === 'server' && found.length !== 1) ||
    (kind === 'sentinel' && master === undefined) ||
    (kind === 'cluster' && parts.length > 0) ||
    rest.length > 0 ||
    !/^\d{1,4}$/.test(database);
  if (isWrong) return undefined;
  return {
    kind,
    isEncrypted: scheme === 'rediss',
    hosts: found.map((one) => ({
      host: (one?.[1] ?? '').replace(/^\[|\]$/g, ''),
      port: Number(one?.[2] ?? PORTS[kind]),
    })),
    username: username === undefined ? undefined : decodeURIComponent(username),
    database: Number(database),
    master,
  };
}
