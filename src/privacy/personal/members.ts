/**
 * Decides which members of an answer, and which columns of a report, contain personal data of buyers and
 * recipients.
 */

import { reportType } from '../../service/facts/report-types.ts';
import type { Treatment, ValueSource } from './kinds.ts';
import { contextOf, type MemberContext, treatmentOfContext } from './member-rule.ts';

// These tables have what names alone do not reveal. They were reviewed by hand over all operations
// (test/privacy/personal/members.txt).

/**
 * Groups about products, which contain no data of buyers or recipients, whatever their members are called.
 * Maps slug -> what its names, addresses and telephone numbers are instead. Groups that a user adds have
 * other slugs.
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
 * Groups whose names, addresses and telephone numbers belong to the seller or the operator. A member whose
 * name refers to a buyer or recipient is an exception, because the service may add one to any group.
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
 * Members of these groups and operations that are named like a recipient, but belong to the operator. They
 * are its warehouses, and the operator as the payer of vendors' bills. Outbound shipments and purchase orders
 * can go to anybody.
 */
const operatorsMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  'inbound-fulfilment': new Set(['destination']),
  'warehousing-and-distribution': new Set(['destinationDetails']),
  'warehousing-and-distribution/getInboundShipment': new Set(['destinationAddress']),
  'vendor-invoices': new Set(['billToParty']),
  'vendor-orders': new Set(['billToParty']),
  'vendor-shipments': new Set(['billToParty']),
};

/** Groups whose documents (labels, files) contain no data of buyers either; any other document may. */
const groupsWithoutBuyersDocuments: ReadonlySet<string> = new Set([
  ...Object.keys(productGroups),
  ...Object.keys(ownGroups),
  'customer-feedback',
  'feeds',
  'uploads',
]);

/** Maps operation id -> dotted member -> its treatment, for members whose names do not reveal it. */
const reviewedMembers: Readonly<Record<string, Readonly<Record<string, Treatment>>>> = {
  // The buyer enters this one; in vendor orders it is the operator's own number, which identifies the order.
  'orders/getOrderBuyerInfo': { 'payload.PurchaseOrderNumber': 'buyer text' },
  // Messages between seller and support are about orders and quote buyers.
  'support/listContacts': {
    'contacts.emailContent.message': 'free text',
    'contacts.phoneContent.callNotes': 'free text',
    'contacts.chatContent.transcript': 'free text',
    'contacts.chatContent.events.message': 'free text',
  },
};

/** Report types whose locations are warehouses: stock that moved between the seller's own registrations. */
const ownReports: ReadonlySet<string> = new Set(['GST_MTR_STOCK_TRANSFER_REPORT']);

/** The rule at one path of an answer. Lists add no level: their items have the path of the list. */
export interface MemberRule {
  /** The treatment of the value here and everything below it. */
  readonly treatment: Treatment | undefined;
  /** The treatment if the value here is a text: `address` may be one, or an object of street and town. */
  readonly ofText: Treatment | undefined;
  /** The value belongs to the seller or a company: it is never masked, nor searched for personal data. */
  readonly isOwn: boolean;
  /** Returns the rule of the member of that name. */
  child(name: string): MemberRule;
}

/**
 * Returns the rule at the top of an answer, for a walk member by member. Each name is worked out once,
 * however often it comes.
 */
export function rulesOf({ operation, reportType: type }: ValueSource): MemberRule {
  if (type !== undefined && (ownReports.has(type) || reportType(type)?.audience === 'vendors')) return OWN;
  if (operation === undefined) return DOCUMENT;
  const group = groupOf(operation);
  if (Object.hasOwn(productGroups, group)) return OWN;
  return OWN_AT_TOP.get(operation) ?? OWN_AT_TOP.get(group) ?? REVIEWED.get(operation) ?? ROOT;
}

/**
 * Returns the treatment of a member. A kind applies to everything below as well.
 * @param path member names from the top of the answer, list indexes left out: `['payload', 'Orders',
 * 'BuyerInfo', 'BuyerEmail']`
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

/**
 * True if the value belongs to the seller or a company: it is never masked, nor searched for personal data.
 */
export function isSellersMember(source: ValueSource, path: readonly string[]): boolean {
  return ruleOf(source, path).isOwn;
}

function ruleOf(source: ValueSource, path: readonly string[]): MemberRule {
  return path.reduce((above, name) => above.child(name), rulesOf(source));
}

/** @param column as the report names it (`buyer-email`), or as its table does (`buyer_email`) */
export function treatmentOfColumn(source: ValueSource, column: string): Treatment | undefined {
  if (rulesOf(source).isOwn) return undefined;
  const context = contextOf(column);
  if (source.operation === undefined && context.words === ENTERED_BY_BUYERS) return 'buyer text';
  // A known report without buyers has `name` for a thing.
  const type = source.reportType === undefined ? undefined : reportType(source.reportType);
  const isPlainName = type === undefined || type.restricted === true;
  return treatmentOfContext(context, { isText: true, isPlainName });
}

/**
 * True for a document in an answer (a label, an invoice), unless its group is known to have none of buyers.
 */
export function mayAnswerPersonalDocuments({ operation }: ValueSource): boolean {
  return operation === undefined || !groupsWithoutBuyersDocuments.has(groupOf(operation));
}

/** This column is the buyer's in reports only; in vendor operations the number is the operator's. */
const ENTERED_BY_BUYERS = 'purchase order number';

const groupOf = (operation: string) => operation.slice(0, operation.indexOf('/'));

const OWN: MemberRule = {
  treatment: undefined,
  ofText: undefined,
  isOwn: true,
  child: () => OWN,
};

/**
 * The number of cached rules: three times those of all operations. A map with ids as names can have any
 * number.
 */
const MAX_CACHED_RULES = 20_000;
let cachedRules = 0;

interface RuleContext {
  context?: MemberContext;
  /** The treatment of the parent: a kind applies to everything below. */
  above?: Treatment | undefined;
  /** The dotted path, set if the operation has reviewed members. */
  path?: string;
  reviewed?: Readonly<Record<string, Treatment>> | undefined;
  /** Names of members that contain no data of buyers. */
  operators?: ReadonlySet<string> | undefined;
  /** True within a report, false within an operation's answer. */
  isDocument?: boolean;
}

class CachedRule implements MemberRule {
  readonly isOwn: boolean;
  readonly #within: RuleContext;
  #children: Map<string, MemberRule> | undefined;
  /** Worked out on demand, because most paths need only one of the two. */
  #treatment: { is: Treatment | undefined } | undefined;
  #ofText: { is: Treatment | undefined } | undefined;

  constructor(within: RuleContext) {
    this.#within = within;
    this.isOwn = within.context?.side === 'own';
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
    const { context, above, path = '', reviewed = {}, isDocument = false } = this.#within;
    if (Object.hasOwn(reviewed, path)) return reviewed[path];
    if (context === undefined) return undefined;
    if (isDocument && context.words === ENTERED_BY_BUYERS) return 'buyer text';
    return treatmentOfContext(context, { isText }) ?? above;
  }

  child(name: string): MemberRule {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const { context, path, reviewed, operators, isDocument = false } = this.#within;
    const inside = reviewed && { path: path === undefined ? name : `${path}.${name}`, reviewed };
    const within = {
      context: contextOf(name, context),
      above: this.treatment,
      isDocument,
      operators,
      ...inside,
    };
    const rule = operators?.has(name) === true ? OWN : new CachedRule(within);
    if (cachedRules < MAX_CACHED_RULES) {
      cachedRules += 1;
      this.#children ??= new Map();
      this.#children.set(name, rule);
    }
    return rule;
  }
}

const ROOT = new CachedRule({});
const DOCUMENT = new CachedRule({ isDocument: true });
const REVIEWED: ReadonlyMap<string, MemberRule> = new Map(
  Object.entries(reviewedMembers).map(([operation, reviewed]) => [operation, new CachedRule({ reviewed })]),
);

/** The top of an answer of these groups: the seller's own, until a name refers to a buyer. */
const OWN_CONTEXT: MemberContext = { words: '', above: undefined, ownSide: 'own', side: 'own', below: 'own' };
const OWN_AT_TOP: ReadonlyMap<string, MemberRule> = new Map(
  [...Object.keys(ownGroups), ...Object.keys(operatorsMembers)].map((of) => [
    of,
    new CachedRule({ context: OWN_CONTEXT, operators: operatorsMembers[of] }),
  ]),
);
