/** The rights of one user: the accounts, each for reading or writing, and how its writes are confirmed. */

import { type AccessEntry, ALL_ACCOUNTS, CONFIRMATION_MODES, type ConfirmationMode } from './access-file.ts';

/** The claims of a validated token. */
export interface Claims {
  issuer: string;
  subject: string;
  groups: readonly string[];
}

interface Right {
  write: boolean;
  confirm: ConfirmationMode;
}

/** The rights by account name; empty for a user without access. */
export type Rights = ReadonlyMap<string, Right>;

/** A group that names an account itself, used without an access file: `seller:lamps:write`. */
const GROUP = /^seller:([\w.@-]{1,64}):(read|write)$/;

/** Returns the entries of groups that name accounts. */
export function entriesOfGroups({ groups }: Pick<Claims, 'groups'>): AccessEntry[] {
  return groups.flatMap((group) => {
    const [, account, rights] = GROUP.exec(group) ?? [];
    if (account === undefined) return [];
    return [{ group, accounts: [account], rights: rights === 'write' ? 'write' : 'read' }];
  });
}

/**
 * Combines all entries of the user: for each account the highest right with the strictest confirmation.
 * @param names all accounts of the server; an entry for any other account has no effect
 * @param usual the confirmation of entries that specify none
 */
export function rightsOf(
  claims: Claims,
  entries: readonly AccessEntry[],
  { names, usual }: { names: readonly string[]; usual: ConfirmationMode },
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
  // The confirmation counts only for entries that may write.
  if (one === undefined || (!one.write && other.write)) return other;
  if (!other.write) return one;
  const first = CONFIRMATION_MODES.find((way) => way === one.confirm || way === other.confirm);
  return { write: true, confirm: first ?? one.confirm };
}

export function areSame(one: Rights, other: Rights): boolean {
  return one === other || keyOf(one) === keyOf(other);
}

/** Returns the same text for equal rights. */
function keyOf(rights: Rights): string {
  return JSON.stringify([...rights].sort(([one], [other]) => (one < other ? -1 : 1)));
}
