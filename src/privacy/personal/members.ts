/** Which members of an answer, and which columns of a report, hold personal data of buyers and recipients. */

import { reportType } from '../../service/facts/report-types.ts';
import type { Treatment, ValueSource } from './kinds.ts';
import { type Place, placeOf, treatmentOfPlace } from './member-rule.ts';

// What the names alone do not tell of the operations' members, reviewed by hand over all of them (test/privacy/personal/members.txt).

/**
 * Groups about products, which hold nothing of buyers or recipients, whatever their members are called.
 * Slug -> whose names, addresses and telephone numbers it holds instead. Groups that a user adds have other
 * slugs.
 */
const productGroups: Readonly<Record<string, string>> = {
  'a-plus-content': 'texts and pictures of product pages',
  'catalog-items': 'products, with contacts of their manufacturers',
  'catalog-v0': 'products',
  definitions: 'what listings may hold',
  'listings-items': 'listings, with contacts of manufacturers and of those responsible for a product',
  'product-pricing': 'prices, and sample places that the seller asked about',
  promotions: 'discounts, and which products they are for',
};

/**
 * Groups whose names, addresses and telephone numbers are the seller's own or the operator's, unless a member says by
 * its name that it is a buyer's or a recipient's, because the service may add such a member to any of them.
 */
const ownGroups: Readonly<Record<string, string>> = {
  finance: 'amounts, and the operator and the seller as parties of its invoices',
  'inbound-fulfilment': "the seller's own addresses and warehouses of the service",
  notifications: "the application's own destinations",
  'seller-wallet': "the seller's bank accounts",
  sellers: "the seller's own business",
  'supply-sources': "the seller's own stores and their contacts",
  transfers: "the seller's bank accounts",
  'vendor-invoices': 'the vendor and the operator, who buys',
  'vendor-orders': 'the vendor and the operator, who buys',
  'vendor-remittances': 'payments of the operator to the vendor',
  'vendor-shipments': 'the vendor, carriers, and warehouses of the operator',
  'warehousing-and-distribution': "the seller's own addresses and warehouses of the service",
};

/**
 * Members of these groups and operations that are named like a recipient, and are the operator's: its warehouses, and
 * the operator as the one whom vendors bill. Outbound shipments and purchase orders can go to anybody.
 */
const operatorsMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  'inbound-fulfilment': new Set(['destination']),
  'warehousing-and-distribution': new Set(['destinationDetails']),
  'warehousing-and-distribution/getInboundShipment': new Set(['destinationAddress']),
  'vendor-invoices': new Set(['billToParty']),
  'vendor-orders': new Set(['billToParty']),
  'vendor-shipments': new Set(['billToParty']),
};

/** Groups whose documents (labels, files) hold nothing of buyers either; any other document may. */
const groupsWithoutBuyersDocuments: ReadonlySet<string> = new Set([
  ...Object.keys(productGroups),
  ...Object.keys(ownGroups),
  'customer-feedback',
  'feeds',
  'uploads',
]);

/** Operation id -> dotted member -> what it is though its name does not say so. */
const reviewedMembers: Readonly<Record<string, Readonly<Record<string, Treatment>>>> = {
  // Entered by the buyer; elsewhere it is the operator's own number, by which orders of vendors are known.
  'orders/getOrderBuyerInfo': { 'payload.PurchaseOrderNumber': 'buyer text' },
  // What the seller and the support wrote to each other is about orders, and quotes buyers.
  'support/listContacts': {
    'contacts.emailContent.message': 'free text',
    'contacts.phoneContent.callNotes': 'free text',
    'contacts.chatContent.transcript': 'free text',
    'contacts.chatContent.events.message': 'free text',
  },
};

/** Report types whose places are warehouses: stock that moved between the seller's own registrations. */
const ownReports: ReadonlySet<string> = new Set(['GST_MTR_STOCK_TRANSFER_REPORT']);

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
export function rulesOf({ operation, reportType: type }: ValueSource): MemberRule {
  if (type !== undefined && (ownReports.has(type) || reportType(type)?.audience === 'vendors')) return OWN;
  if (operation === undefined) return DOCUMENT;
  const group = groupOf(operation);
  if (Object.hasOwn(productGroups, group)) return OWN;
  return OWN_AT_TOP.get(operation) ?? OWN_AT_TOP.get(group) ?? REVIEWED.get(operation) ?? ROOT;
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
  const place = placeOf(column);
  if (source.operation === undefined && place.words === ENTERED_BY_BUYERS) return 'buyer text';
  // In a report that is known, and known to hold no buyers, `name` is that of a thing.
  const type = source.reportType === undefined ? undefined : reportType(source.reportType);
  const isPlainName = type === undefined || type.restricted === true;
  return treatmentOfPlace(place, { isText: true, isPlainName });
}

/** True for a document in an answer (a label, an invoice) unless what answered is known to have none of buyers. */
export function holdsPersonalDocuments({ operation }: ValueSource): boolean {
  return operation === undefined || !groupsWithoutBuyersDocuments.has(groupOf(operation));
}

/** In reports; what operations for vendors call so is a number of the operator's. */
const ENTERED_BY_BUYERS = 'purchase order number';

const groupOf = (operation: string) => operation.slice(0, operation.indexOf('/'));

const OWN: MemberRule = {
  treatment: undefined,
  ofText: undefined,
  isOwn: true,
  child: () => OWN,
};

/** Places that are remembered: three times those of all operations. A map with ids as names has any number. */
const MOST_PLACES = 20_000;
let remembered = 0;

interface Within {
  place?: Place;
  /** Of what it stands in: a kind holds for everything below. */
  above?: Treatment | undefined;
  /** Dotted, where anything is reviewed. */
  path?: string;
  reviewed?: Readonly<Record<string, Treatment>> | undefined;
  /** Names of members in which nothing is a buyer's. */
  operators?: ReadonlySet<string> | undefined;
  /** Of a report, and not of an operation's answer. */
  isDocument?: boolean;
}

class RuleAt implements MemberRule {
  readonly isOwn: boolean;
  readonly #within: Within;
  #children: Map<string, MemberRule> | undefined;
  /** Worked out when asked for: of most places one of the two is enough. */
  #treatment: { is: Treatment | undefined } | undefined;
  #ofText: { is: Treatment | undefined } | undefined;

  constructor(within: Within) {
    this.#within = within;
    this.isOwn = within.place?.side === 'own';
  }

  get treatment(): Treatment | undefined {
    this.#treatment ??= { is: this.#find(false) };
    return this.#treatment.is;
  }

  get ofText(): Treatment | undefined {
    this.#ofText ??= { is: this.#find(true) };
    return this.#ofText.is;
  }

  #find(isText: boolean): Treatment | undefined {
    const { place, above, path = '', reviewed = {}, isDocument = false } = this.#within;
    if (Object.hasOwn(reviewed, path)) return reviewed[path];
    if (place === undefined) return undefined;
    if (isDocument && place.words === ENTERED_BY_BUYERS) return 'buyer text';
    return treatmentOfPlace(place, { isText }) ?? above;
  }

  child(name: string): MemberRule {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const { place, path, reviewed, operators, isDocument = false } = this.#within;
    const inside = reviewed && { path: path === undefined ? name : `${path}.${name}`, reviewed };
    const within = { place: placeOf(name, place), above: this.treatment, isDocument, operators, ...inside };
    const rule = operators?.has(name) === true ? OWN : new RuleAt(within);
    if (remembered < MOST_PLACES) {
      remembered += 1;
      this.#children ??= new Map();
      this.#children.set(name, rule);
    }
    return rule;
  }
}

const ROOT = new RuleAt({});
const DOCUMENT = new RuleAt({ isDocument: true });
const REVIEWED: ReadonlyMap<string, MemberRule> = new Map(
  Object.entries(reviewedMembers).map(([operation, reviewed]) => [operation, new RuleAt({ reviewed })]),
);

/** What stands at the top of an answer of these groups: own, until a name says otherwise. */
const OWN_PLACE: Place = { words: '', above: undefined, said: 'own', side: 'own', below: 'own' };
const OWN_AT_TOP: ReadonlyMap<string, MemberRule> = new Map(
  [...Object.keys(ownGroups), ...Object.keys(operatorsMembers)].map((of) => [
    of,
    new RuleAt({ place: OWN_PLACE, operators: operatorsMembers[of] }),
  ]),
);
