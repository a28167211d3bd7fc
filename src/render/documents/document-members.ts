/** Decides by member names which members contain a document, which its address, and which neither. */

import type { Operation } from '../../service/facts/operation.ts';

/**
 * Matches members that hold a document in base64, by the definitions: `FileContents.Contents` (merchant
 * fulfillment), `packageDocuments[].contents` and `base64EncodedContent` (shipping), `labelData[].content`,
 * `packingSlipList[].content` and `customerInvoices[].content` (direct fulfillment), `labelData[].label`
 * (vendor shipments). Other members with these names match too: their value must still be base64 of
 * something.
 */
const CONTENT = /^(?:base64(?:encoded)?)?(?:file|document|invoice|label)?(?:contents?|data|bytes|label)$/i;

/** Matches ids, tokens, keys and checksums: they look like base64, and must not be decoded. */
const OPAQUE =
  /(?:token|cursor|signature|digest|checksum|md5|sha\d*|hash|etag|nonce|vector|key|id|identifier)s?(?:value)?$/i;

/** Members that hold the address of a document, signed or not, by the definitions. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'customizedurl',
  'deliveryphotourl',
  'documenturl',
  'downloadurl',
  'invoicedocumenturl',
  'invoicesdocumenturl',
  'labeldownloadurl',
  'printabledocumentsurl',
]);

/** Names that other addresses have too, each with its parent. */
const ADDRESSES_WITHIN: ReadonlySet<string> = new Set(['documentdownload.uri', 'documentdownloads.uri']);

/**
 * Operations that answer a document's address, with the name under which `collect_data` reads the document.
 */
const COLLECTED: Readonly<Record<string, string>> = {
  'reports/getReportDocument': 'report',
  'feeds/getFeedDocument': 'feed',
  'data-kiosk/getDocument': 'data-kiosk',
};

export const isContent = (name: string) => CONTENT.test(name);

export const isOpaque = (name: string) => OPAQUE.test(name);

/** @param names of the members down to this one */
export function isAddressMember(names: readonly string[], operation: Operation): boolean {
  const [name = '', holder = ''] = names.map((each) => each.toLowerCase()).reverse();
  if (ADDRESSES.has(name) || ADDRESSES_WITHIN.has(`${holder}.${name}`)) return true;
  return name === 'url' && names.length === 1 && collectDocumentKind(operation) !== undefined;
}

/** Returns the name under which `collect_data` reads the document, if it does. The address is then shown. */
export const collectDocumentKind = ({ id }: Operation): string | undefined => COLLECTED[id];

/** True if the addresses are for uploads, so that no document can be read there. */
export const answersUploadAddress = ({ name }: Operation) =>
  /upload/i.test(name) || name === 'createFeedDocument';

const SUBJECTS: readonly (readonly [pattern: RegExp, subject: string])[] = [
  [/packing ?slip/i, 'packing slip'],
  [/label/i, 'label'],
  [/invoice/i, 'invoice'],
  [/customiz/i, 'customization'],
  [/photo|picture|image/i, 'picture'],
  [/collections?form/i, 'collection form'],
  [/bill ?of ?lading/i, 'bill of lading'],
];

/** Returns the subject of a document by its path, or else by the operation: `label`. */
export function subjectOf(names: readonly string[], operation: Operation): string {
  for (const text of [names.join(' '), operation.name]) {
    const found = SUBJECTS.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  }
  return 'document';
}

/**
 * Groups about goods on their way to warehouses of the service, or about products: they have no address but
 * the seller's.
 */
const NON_PERSONAL_GROUPS: ReadonlySet<string> = new Set([
  'a-plus-content',
  'catalog-items',
  'inbound-fulfilment',
  'vendor-shipments',
  'warehousing-and-distribution',
]);

/** False only if no buyer's data can be in a document. */
export const mayBePersonalDocument = ({ id }: Operation) =>
  !NON_PERSONAL_GROUPS.has(id.split('/', 1)[0] ?? '');

/** Reads that return the documents of a write again, if these differ from the read of its state. */
const READ_AGAIN: Readonly<Record<string, string>> = {
  'shipping/directPurchaseShipment': 'shipping/getShipmentDocuments',
  'shipping/generateCollectionForm': 'shipping/getCollectionForm',
  'shipping/oneClickShipment': 'shipping/getShipmentDocuments',
  'shipping/purchaseLabels': 'shipping/retrieveShippingLabel',
  'shipping/purchaseShipment@v1': 'shipping/retrieveShippingLabel',
  'shipping/purchaseShipment@v2': 'shipping/getShipmentDocuments',
};

/** Returns the operation that returns a write's documents again, if any. */
export const operationToReadAgain = ({ id, state }: Operation) => READ_AGAIN[id] ?? state?.operation;
