/** What the names of members say about documents: which hold one, which hold its address, which never do. */

import type { Operation } from '../../service/facts/operation.ts';

/**
 * Members that hold a document in base64, by the definitions: `FileContents.Contents` (merchant fulfillment),
 * `packageDocuments[].contents` and `base64EncodedContent` (shipping), `labelData[].content`, `packingSlipList[].content`
 * and `customerInvoices[].content` (direct fulfillment), `labelData[].label` (vendor shipments). Others that are named so
 * are looked at in the same way: what they hold must still be base64 of something.
 */
const CONTENT = /^(?:base64(?:encoded)?)?(?:file|document|invoice|label)?(?:contents?|data|bytes|label)$/i;

/** Ids, tokens, keys and sums: they look like base64, and what they decode to is nobody's business. */
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

/** The same, for names that are used for other addresses too: with the member that holds them. */
const ADDRESSES_WITHIN: ReadonlySet<string> = new Set(['documentdownload.uri', 'documentdownloads.uri']);

/** Answers that are an address of a document, and as what `collect_data` reads it. */
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
  return name === 'url' && names.length === 1 && collectedAs(operation) !== undefined;
}

/** As what its document is read by `collect_data`, if it is; its address is then shown as ever. */
export const collectedAs = ({ id }: Operation): string | undefined => COLLECTED[id];

/** Its addresses are places to upload to: no document lies there. */
export const isUploadPlace = ({ name }: Operation) => /upload/i.test(name) || name === 'createFeedDocument';

const SUBJECTS: readonly (readonly [pattern: RegExp, subject: string])[] = [
  [/packing ?slip/i, 'packing slip'],
  [/label/i, 'label'],
  [/invoice/i, 'invoice'],
  [/customiz/i, 'customization'],
  [/photo|picture|image/i, 'picture'],
  [/collections?form/i, 'collection form'],
  [/bill ?of ?lading/i, 'bill of lading'],
];

/** What a document is about, as its place says, or else the operation: `label`. */
export function subjectOf(names: readonly string[], operation: Operation): string {
  for (const text of [names.join(' '), operation.name]) {
    const found = SUBJECTS.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  }
  return 'document';
}

/** Groups about goods on their way to warehouses of the service, or about products: nobody's address but the seller's. */
const NOBODYS: ReadonlySet<string> = new Set([
  'a-plus-content',
  'catalog-items',
  'inbound-fulfilment',
  'vendor-shipments',
  'warehousing-and-distribution',
]);

/** False only where nothing of a buyer's can be in a document. */
export const mayBePersonal = ({ id }: Operation) => !NOBODYS.has(id.split('/', 1)[0] ?? '');

/** Reads that give the documents of a write again, where that is not what shows the state that it changes. */
const READ_AGAIN: Readonly<Record<string, string>> = {
  'shipping/directPurchaseShipment': 'shipping/getShipmentDocuments',
  'shipping/generateCollectionForm': 'shipping/getCollectionForm',
  'shipping/oneClickShipment': 'shipping/getShipmentDocuments',
  'shipping/purchaseLabels': 'shipping/retrieveShippingLabel',
  'shipping/purchaseShipment@v1': 'shipping/retrieveShippingLabel',
  'shipping/purchaseShipment@v2': 'shipping/getShipmentDocuments',
};

/** The operation that gives a write's documents again, if one does. */
export const readAgain = ({ id, state }: Operation) => READ_AGAIN[id] ?? state?.operation;
