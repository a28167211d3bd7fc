/** Which members of an answer, and which columns of a report, hold personal data of buyers and recipients. */

import { reportType } from '../service/facts/report-types.ts';
import type { Treatment, ValueSource } from './kinds.ts';
import { type Place, placeOf, treatmentOfPlace } from './member-rule.ts';
import { groupsWithoutBuyersDocuments, ownGroups, reviewedMembers } from './reviewed-operations.ts';

/** What holds at one place of an answer. Lists add no place: their items are where the list is. */
export interface MemberRule {
  /** For the value here and everything below it. */
  readonly treatment: Treatment | undefined;
  /** The same if the value here is a text: `address` may be one, or hold a street and a town. */
  readonly ofText: Treatment | undefined;
  /** The seller's own, or a company's: never masked, nor searched for what is personal. */
  readonly isOwn: boolean;
  /** The member of that name. */
  child(name: string): MemberRule;
}

/**
 * What holds at the top of an answer: for a walk over it, member by member, each of which is looked at once however often
 * its name comes.
 */
export function rulesOf({ operation }: ValueSource): MemberRule {
  if (operation === undefined) return ROOT;
  if (Object.hasOwn(ownGroups, groupOf(operation))) return OWN;
  return REVIEWED.get(operation) ?? ROOT;
}

/**
 * @param path member names from the top of the answer, list places left out: `['payload', 'Orders', 'BuyerInfo', 'BuyerEmail']`.
 * A kind holds for everything below as well.
 * @param isText the value there is a text
 */
export function treatmentOfMember(
  source: ValueSource,
  path: readonly string[],
  isText = false,
): Treatment | undefined {
  const rule = ruleOf(source, path);
  return isText ? rule.ofText : rule.treatment;
}

/** True where it is the seller's own, or a company's: never masked, nor searched for what is personal. */
export function isSellersOwn(source: ValueSource, path: readonly string[]): boolean {
  return ruleOf(source, path).isOwn;
}

function ruleOf(source: ValueSource, path: readonly string[]): MemberRule {
  return path.reduce((above, name) => above.child(name), rulesOf(source));
}

/** @param column as the report names it (`buyer-email`), or as its table does (`buyer_email`) */
export function treatmentOfColumn(source: ValueSource, column: string): Treatment | undefined {
  if (rulesOf(source).isOwn) return undefined;
  const type = source.reportType === undefined ? undefined : reportType(source.reportType);
  if (type?.audience === 'vendors') return undefined;
  const place = placeOf(column);
  // Entered by a buyer; what a vendor calls so is a number of the operator's.
  if (place.words === 'purchase order number' && source.operation === undefined) return 'buyer text';
  // In a report that is known, and known to hold no buyers, `name` is that of a thing.
  const isPlainName = type === undefined || type.restricted === true;
  return treatmentOfPlace(place, { isText: true, isPlainName });
}

/** True for a document in an answer (a label, an invoice) unless what answered is known to have none of buyers. */
export function holdsPersonalDocuments({ operation }: ValueSource): boolean {
  return operation === undefined || !groupsWithoutBuyersDocuments.has(groupOf(operation));
}

const groupOf = (operation: string) => operation.slice(0, operation.indexOf('/'));

const OWN: MemberRule = { treatment: undefined, ofText: undefined, isOwn: true, child: () => OWN };

/** Places that are remembered: three times those of all operations. A map with ids as names has any number. */
const MOST_PLACES = 20_000;
let remembered = 0;

interface Within {
  place?: Place;
  /** Dotted, where anything is reviewed. */
  path?: string;
  reviewed?: Readonly<Record<string, Treatment>> | undefined;
}

class RuleAt implements MemberRule {
  readonly treatment: Treatment | undefined;
  readonly ofText: Treatment | undefined;
  readonly isOwn: boolean;
  readonly #within: Within;
  #children: Map<string, MemberRule> | undefined;

  constructor(within: Within) {
    const { place, path = '', reviewed = {} } = within;
    this.#within = within;
    this.isOwn = place?.side === 'own';
    const decided = Object.hasOwn(reviewed, path) ? reviewed[path] : undefined;
    this.treatment = decided ?? (place && treatmentOfPlace(place, { isText: false }));
    this.ofText = decided ?? (place && treatmentOfPlace(place, { isText: true }));
  }

  child(name: string): MemberRule {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const { place, path, reviewed } = this.#within;
    const inside = reviewed && { path: path === undefined ? name : `${path}.${name}`, reviewed };
    const rule = new RuleAt({ place: placeOf(name, place), ...inside });
    if (remembered < MOST_PLACES) {
      remembered += 1;
      this.#children ??= new Map();
      this.#children.set(name, rule);
    }
    return rule;
  }
}

const ROOT = new RuleAt({});
const REVIEWED: ReadonlyMap<string, MemberRule> = new Map(
  Object.entries(reviewedMembers).map(([operation, reviewed]) => [operation, new RuleAt({ reviewed })]),
);
