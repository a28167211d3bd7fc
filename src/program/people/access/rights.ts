/** What one person may do: the accounts, each to be read or written, and how a write of it is confirmed. */

import { type AccessEntry, ALL_ACCOUNTS, CONFIRMED, type Confirmed } from './access-file.ts';

/** As a checked token tells it. */
export interface Claims {
  issuer: string;
  subject: string;
  groups: readonly string[];
}

interface Right {
  write: boolean;
  confirm: Confirmed;
}

/** By the names of the accounts; empty for nobody who has access. */
export type Rights = ReadonlyMap<string, Right>;

/** A group that names an account itself, where there is no access file: `seller:lamps:write`. */
const GROUP = /^seller:([\w.@-]{1,64}):(read|write)$/;

/** Of groups that name accounts. */
export function entriesOfGroups({ groups }: Pick<Claims, 'groups'>): AccessEntry[] {
  return groups.flatMap((group) => {
    const [, account, rights] = GROUP.exec(group) ?? [];
    if (account === undefined) return [];
    return [{ group, accounts: [account], rights: rights === 'write' ? 'write' : 'read' }];
  });
}

/**
 * What all entries of this person give together: for each account the most rights, confirmed in the way that asks most.
 * @param names all accounts of the server; one that an entry names and that is not there is nobody's
 * @param usual how a write is confirmed where its entry says nothing
 */
export function rightsOf(
  claims: Claims,
  entries: readonly AccessEntry[],
  { names, usual }: { names: readonly string[]; usual: Confirmed },
): Rights {
  const known = new Set(names);
  const rights = new Map<string, Right>();
  for (const entry of entries) {
    if (!isOf(entry, claims)) continue;
    const { accounts, confirm = usual } = entry;
    const write = entry.rights === 'write';
    for (const account of accounts === ALL_ACCOUNTS ? names : accounts) {
      if (known.has(account)) rights.set(account, joined(rights.get(account), { write, confirm }));
    }
  }
  return rights;
}

function isOf(entry: AccessEntry, { issuer, subject, groups }: Claims): boolean {
  if (entry.issuer !== undefined && entry.issuer !== issuer) return false;
  return 'person' in entry ? entry.person === subject : groups.includes(entry.group);
}

function joined(one: Right | undefined, other: Right): Right {
  // How it is confirmed counts where it may be written.
  if (one === undefined || (!one.write && other.write)) return other;
  if (!other.write) return one;
  const first = CONFIRMED.find((way) => way === one.confirm || way === other.confirm);
  return { write: true, confirm: first ?? one.confirm };
}

export function areSame(one: Rights, other: Rights): boolean {
  return one === other || keyOf(one) === keyOf(other);
}

/** The same text for the same rights. */
function keyOf(rights: Rights): string {
  return JSON.stringify([...rights].sort(([one], [other]) => (one < other ? -1 : 1)));
}
