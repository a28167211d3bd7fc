/** Records which operations the service refused (403) in this session, and how often each was answered: what an account may call, as far as it is known. */

import type { AccountProfile } from '../accounts/account.ts';
import { identityKey } from '../accounts/owner.ts';
import { isJsonObject } from '../base/json.ts';
import { escapeText } from '../base/text/escape-text.ts';
import { utcMinute } from '../base/text/local-time.ts';
import { alternativesOf, reportInstead } from '../service/facts/alternatives.ts';
import { marketplaceLabel } from '../service/facts/marketplaces.ts';
import type { Operation } from '../service/facts/operation.ts';
import { own } from '../service/facts/schema-parts.ts';
import { otherVersions, versionedName, versionsOf } from '../service/facts/versions.ts';

/** The last call of an operation was refused (403), and none was answered since. */
export interface Refusal {
  /** Id of the operation. */
  operation: string;
  account: string;
  /** The account that was refused. */
  owner: AccountProfile;
  /** Milliseconds since the epoch. */
  at: number;
  /** The words of the service, marked and escaped. */
  reason: string;
  /** Marketplaces, by id, and the type of report, feed or notification that were asked about; empty where the call named none. */
  about: readonly string[];
  /** Calls about the same that were answered before it: above zero, the refusal is hardly one of the operation. */
  answeredBefore: number;
}

/** One sentence: when, for whom, about which marketplaces, and the words of the service. */
export function formatRefusal({ account, at, reason, about, answeredBefore }: Refusal): string {
  const named = about.map((one) => marketplaceLabel(one) ?? escapeText(one)).join(', ');
  const where = named === '' ? '' : ` about ${named}`;
  const after = answeredBefore === 0 ? '' : `, after ${answeredBefore} calls that were answered`;
  const why = reason === '' ? '' : `: ${reason}`;
  return `refused (403) for account ${account}${where} at ${utcMinute(at)}${after}${why}`;
}

interface Entry {
  owner: string;
  /** The number of answered calls, by what each call was about. */
  answered: Map<string, number>;
  refused: Map<string, Refusal>;
}

/** The call whose answer is recorded. */
interface AnsweredCall {
  operation: string;
  owner: AccountProfile;
  about: readonly string[];
}

/** Statuses that say nothing about whether the account may call. */
const saysNothing = (status: number) => status === 401 || status === 429 || status >= 500;

export class AccessRecord {
  /** The entries, by account and operation. */
  readonly #entries = new Map<string, Entry>();

  /** @param reason the words of the service for a refusal */
  note(call: AnsweredCall, status: number, at: number, reason: string): void {
    if (saysNothing(status)) return;
    const entry = this.#open(call);
    const key = keyOf(call.about);
    const answeredBefore = entry.answered.get(key) ?? 0;
    if (status === 403) {
      const { operation, owner, about } = call;
      const refusal = { operation, account: owner.name, owner, at, reason, about, answeredBefore };
      entry.refused.set(key, refusal);
      return;
    }
    entry.refused.delete(key);
    // A call about nothing in particular stands for all the others, and each of them for it.
    entry.refused.delete('');
    if (key === '') entry.refused.clear();
    if (status < 300) entry.answered.set(key, answeredBefore + 1);
  }

  /**
   * The refusal that stands for such a call; undefined where the call may be allowed, as far as it is known.
   * @param about what the call is about: a refusal of one marketplace or report type does not count for another one
   */
  refusalOf(operation: string, owner: AccountProfile, about: readonly string[] = []): Refusal | undefined {
    const entry = this.#entries.get(nameOf(operation, owner));
    if (entry === undefined || entry.owner !== identityKey(owner)) return undefined;
    const own = entry.refused.get(keyOf(about)) ?? entry.refused.get('');
    if (own !== undefined || about.length > 0) return own;
    const isAnsweredElsewhere = [...entry.answered.values()].some((times) => times > 0);
    return isAnsweredElsewhere ? undefined : [...entry.refused.values()].at(-1);
  }

  /** All refusals that stand, of one operation or of all. */
  refusals(operation?: string): Refusal[] {
    return [...this.#entries.values()]
      .flatMap(({ refused }) => [...refused.values()])
      .filter((refusal) => operation === undefined || refusal.operation === operation);
  }

  /** How many calls of the operation were answered in this session. */
  answered(operation: string, owner: AccountProfile): number {
    const entry = this.#entries.get(nameOf(operation, owner));
    if (entry === undefined || entry.owner !== identityKey(owner)) return 0;
    return [...entry.answered.values()].reduce((sum, times) => sum + times, 0);
  }

  /** Opens the entry; facts of an account of this name that has become another's are forgotten. */
  #open({ operation, owner }: AnsweredCall): Entry {
    const name = nameOf(operation, owner);
    const known = this.#entries.get(name);
    const key = identityKey(owner);
    if (known?.owner === key) return known;
    const entry: Entry = { owner: key, answered: new Map(), refused: new Map() };
    this.#entries.set(name, entry);
    return entry;
  }
}

const nameOf = (operation: string, owner: AccountProfile) => `${owner.name}\n${operation}`;

const keyOf = (about: readonly string[]) => [...about].sort().join(',');

/** Describes the subject of a call, because roles and marketplaces decide whether it is allowed. */
export function aboutOf(
  marketplaces: readonly { id: string }[],
  { parameters, body }: { parameters: Readonly<Record<string, unknown>>; body?: unknown },
): string[] {
  const types = TYPES.flatMap(
    (name) => own(parameters, name) ?? (isJsonObject(body) ? (own(body, name) ?? []) : []),
  );
  return [...marketplaces.map(({ id }) => id), ...types.map(String)];
}

/** Members that name a kind of data with a role of its own. */
const TYPES = ['reportType', 'reportTypes', 'feedType', 'feedTypes', 'notificationType'];

export type CalledOperation = Pick<Operation, 'id' | 'name' | 'version' | 'effect' | 'paging'>;

/** The facts that the session knows of a call: its operation, other operations, and its arguments. */
export interface KnownOfCall {
  /** Calls of the operation that were answered before in this session. */
  answered: number;
  /** Whether an operation, by its id, was refused (403): it is not what to use instead. */
  isRefused(id: string): boolean;
  /** The parameters as they were sent, those of the account too. */
  given: Readonly<Record<string, unknown>>;
}

/** The max number of alternatives that are named of a large family. */
const MAX_ALTERNATIVES = 3;

/** Characters of a ready call; with more, the operation is named alone. */
const MAX_CALL_CHARACTERS = 400;

/** Roles belong to operations: another version, or another operation that answers the same, may be allowed. */
export function insteadHint(operation: CalledOperation, { isRefused, given, answered }: KnownOfCall): string {
  const { id, effect, paging } = operation;
  if (effect !== 'read') return '';
  // An operation that answers much the same may have pages too.
  const tool = paging === undefined ? 'read_operation' : 'read_operation or collect_data';
  const report = reportInstead(id);
  const isGiven = Object.keys(given).length > 0;
  const versions = isGiven ? otherVersions(id, given).filter((call) => !isRefused(call.operation)) : [];
  const ready = versions
    .map((call) => `${tool} ${JSON.stringify(call)}`)
    .filter((text) => text.length <= MAX_CALL_CHARACTERS)
    .slice(0, 1);
  const others = alternativesOf(id).filter((other) => !isRefused(other));
  const named = ready.length === 0 ? others.slice(0, MAX_ALTERNATIVES) : [];
  const ways = [
    ...ready,
    ...(named.length === 0 ? [] : [`${tool} with ${named.join(' or ')}`]),
    ...(report === undefined ? [] : [`collect_data with report: {"type": "${report}"}`]),
  ];
  if (ways.length === 0) return '';
  const called =
    versionsOf(id).length > 0 && answered === 0
      ? ` The version that was called is ${versionedName(operation)}.`
      : '';
  return `${called} Much the same may be allowed: ${ways.join('; ')}.`.trim();
}

/** Describes the refusals of this session, by operation id. */
export async function refusedOperations(client: {
  refusals?(): Promise<readonly Refusal[]>;
}): Promise<ReadonlyMap<string, string>> {
  const refusals = (await client.refusals?.()) ?? [];
  return new Map(refusals.map((refusal) => [refusal.operation, formatRefusal(refusal)]));
}
