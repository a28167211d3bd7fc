/** Forty personal values of buyers and recipients, each somewhere in the answers of a service, and all of them in its errors. */

import { gzipSync } from 'node:zlib';
import { buildPdf } from '../../sandbox/documents/pdf.ts';
import { type Answer, type HttpService, startHttpService } from './http-service.ts';
import { formsOf } from './leak-search.ts';

/** Umlauts, CJK, apostrophes, ligatures; numbers in the ways that people write them. Nobody's. */
export const PEOPLE = {
  buyer: 'Jürgen Großkreuz-Öztürk',
  recipient: 'Siobhán O’Donoghue-Quigley',
  company: "Bäckerei O'Reilly & Söhne GmbH",
  email: 'juergen.grosskreuz+sp@privat-postfach.example',
  phone: '+49 30 90187654',
  street: "4/2 Saint Mary's Mews-Nord",
  street2: 'Hinterhaus, bei Großmutter',
  street3: 'Klingel "Ö/7" links hinten',
  postcode: 'ZQ97 3XYB',
  legalName: 'Großkreuz Süßwaren e. K.',
  taxNumber: 'DE811907980K',
  business: 'Kaßbergstraße 88b, 3. Etage',
  gift: 'Alles Gute, dein Opa Heiner-Käthe',
  customized: 'Gravur: Für Marlene-Zoë in Liebe',
  patient: 'Nguyễn Thị Quỳnh Trang',
  patientContact: '+84 (0)24 3938-7171',
  newBuyer: 'Chrysanthi Ξενάκη-Παπαδοπούλου',
  newEmail: 'χρυσάνθη.ξενάκη@παράδειγμα.example',
  newCompany: 'Ξενάκη & Υιοί Α.Ε.-1907',
  newRecipient: '欧阳娜娜测试员',
  newStreet: '虚构区不存在路7弄13号909室',
  newPhone: '0041 44 668 18 00 77',
  instruction: 'Schlüssel liegt unter dem Stein, Code 4711-B',
  labelName: 'Maëlle Desrosiers-Lefèbvre',
  labelStreet: '17½ Rue de l’Échaudé-Fictive',
  labelEmail: 'maelle_d@boîte-aux-lettres.example',
  labelPhone: '+33.1.70.18.99.00',
  shopName: 'Þorgerður Sveinbjörnsdóttir',
  shopStreet: 'Skólavörðustígur 909, 2. hæð',
  shopPhone: '+354 555 0199 71',
  shopEmail: 'thorgerdur@postholf-prufa.example',
  comment: 'Zum Geburtstag von Tante Käthe-Ilse',
  reportBuyer: 'Łukasz Brzęczyszczykiewicz',
  reportRecipient: '渡邊﨑太郎左衛門',
  reportEmail: 'lukasz.brz@skrzynka-probna.example',
  reportPhone: '(206) 555-0147 ext. 9',
  reportStreet: 'ul. Świętokrzyska 401/77',
  reportTax: 'ESX1234567Z-09',
  returnPhone: '0151 / 555 43 21-9',
  returnEmail: 'ilse-kaethe@antwort-adresse.example',
} as const;

/** The seller's own values, which stay readable. */
export const OWN = {
  contact: 'store.desk@own-company.example',
  name: 'Own Company Warehouse East',
  street: '900 Sellers Way-Own',
} as const;

const P = PEOPLE;
export const ORDER = '302-1111111-2222222';
export const TOWN = 'Kleinmachnow-Dorf';

const buyerInfo = {
  BuyerName: P.buyer,
  BuyerEmail: P.email,
  PurchaseOrderNumber: 'PO-1',
  BuyerTaxInfo: {
    CompanyLegalName: P.legalName,
    TaxingRegion: 'DE',
    TaxClassifications: [{ Name: 'VATNumber', Value: P.taxNumber }],
  },
};
const shippingAddress = {
  Name: P.recipient,
  CompanyName: P.company,
  AddressLine1: P.street,
  AddressLine2: P.street2,
  AddressLine3: P.street3,
  City: TOWN,
  PostalCode: P.postcode,
  CountryCode: 'DE',
  Phone: P.phone,
};
const oldOrder = {
  AmazonOrderId: ORDER,
  PurchaseDate: '2026-11-01T10:00:00Z',
  LastUpdateDate: '2026-11-02T10:00:00Z',
  OrderStatus: 'Unshipped',
  FulfillmentChannel: 'MFN',
  MarketplaceId: 'A1PA6795UKMFR9',
  OrderTotal: { CurrencyCode: 'EUR', Amount: '1234.56' },
  DefaultShipFromLocationAddress: {
    Name: OWN.name,
    AddressLine1: OWN.street,
    City: 'Berlin',
    CountryCode: 'DE',
  },
  BuyerInfo: buyerInfo,
  ShippingAddress: shippingAddress,
  BuyerTaxInformation: {
    BuyerLegalCompanyName: P.legalName,
    BuyerBusinessAddress: P.business,
    BuyerTaxRegistrationId: P.taxNumber,
  },
};
const oldItem = {
  ASIN: 'B0SBX00001',
  SellerSKU: 'SKU-1',
  OrderItemId: '11112222333344',
  Title: 'Lamp',
  QuantityOrdered: 1,
  BuyerInfo: { GiftMessageText: P.gift, BuyerCustomizedInfo: { CustomizedURL: P.customized } },
};
const newOrder = {
  orderId: ORDER,
  createdTime: '2026-11-01T10:00:00Z',
  lastUpdatedTime: '2026-11-02T10:00:00Z',
  salesChannel: { channelName: 'AMAZON', marketplaceId: 'A1PA6795UKMFR9' },
  buyer: { buyerName: P.newBuyer, buyerEmail: P.newEmail, buyerCompanyName: P.newCompany },
  recipient: {
    deliveryAddress: {
      name: P.newRecipient,
      addressLine1: P.newStreet,
      city: TOWN,
      postalCode: P.postcode,
      countryCode: 'DE',
      phone: P.newPhone,
    },
    deliveryPreference: { addressInstruction: P.instruction },
  },
  orderItems: [{ orderItemId: '1', quantityOrdered: 1, product: { asin: 'B0SBX00001', title: 'Lamp' } }],
};
const shipTo = {
  Name: P.labelName,
  AddressLine1: P.labelStreet,
  City: TOWN,
  PostalCode: P.postcode,
  CountryCode: 'FR',
  Email: P.labelEmail,
  Phone: P.labelPhone,
};
/** Latin-1 alone, as a PDF of one font has it. */
export const LABEL = buildPdf([...Object.values(shipTo), ...Object.values(P), `Order ${ORDER}`]);
export const SHIPMENT = '5a4db0c5-0000-4000-8000-000000000001';
const shipment = {
  ShipmentId: SHIPMENT,
  AmazonOrderId: ORDER,
  ItemList: [{ OrderItemId: '11112222333344', Quantity: 1 }],
  ShipFromAddress: { Name: OWN.name, AddressLine1: OWN.street, City: 'Berlin', Email: OWN.contact },
  ShipToAddress: shipTo,
  Status: 'Purchased',
  TrackingId: '00340434161094022115',
  Label: {
    FileContents: {
      Contents: gzipSync(LABEL).toString('base64'),
      FileType: 'application/pdf',
      Checksum: 'x',
    },
    LabelFormat: 'PDF',
  },
};
export const SHOP_ORDER = 'SHOP-1';
const shopOrder = {
  sellerFulfillmentOrderId: SHOP_ORDER,
  marketplaceId: 'A1PA6795UKMFR9',
  displayableOrderId: SHOP_ORDER,
  displayableOrderComment: `Thank you, ${P.shopName}!`,
  fulfillmentOrderStatus: 'Planning',
  destinationAddress: {
    name: P.shopName,
    addressLine1: P.shopStreet,
    city: TOWN,
    postalCode: P.postcode,
    countryCode: 'IS',
    phone: P.shopPhone,
  },
  notificationEmails: [P.shopEmail],
};

const tsv = (columns: Record<string, string>): string =>
  `${Object.keys(columns).join('\t')}\r\n${`${Object.values(columns).join('\t')}\r\n`.repeat(3)}`;

const DOCUMENTS: Readonly<Record<string, string>> = {
  GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING: tsv({
    'order-id': ORDER,
    'buyer-email': P.reportEmail,
    'buyer-name': P.reportBuyer,
    'buyer-phone-number': P.reportPhone,
    sku: 'SKU-1',
    'item-price': '1234.56',
    'recipient-name': P.reportRecipient,
    'ship-address-1': P.reportStreet,
    'ship-city': TOWN,
    'ship-postal-code': P.postcode,
    'ship-country': 'PL',
    'buyer-tax-registration-id': P.reportTax,
  }),
  GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: tsv({
    'return-date': '2026-11-02T10:00:00+00:00',
    'order-id': ORDER,
    sku: 'SKU-1',
    quantity: '1',
    'customer-comments': `Zu klein. Bitte an ${P.returnEmail} oder ${P.returnPhone} melden!`,
  }),
};
/** A document of a type that nobody knows. */
const UNKNOWN = tsv({
  id: '1',
  'recipient-name': P.reportRecipient,
  email: P.reportEmail,
  note: `call ${P.reportPhone}`,
});

/** Matches the spellings that services and gateways are known to write. */
const SPELLED = /^(value|JSON|JSON in JSON|URL|form)$/;

/** An error that tells some of these in every spelling, in another shape each time. */
function failure(turn: number, known: readonly string[]): Answer {
  const from = (turn * 5) % 40;
  const plantedText = known
    .slice(from, from + 5)
    .flatMap((value) => formsOf(value).flatMap(([form, needle]) => (SPELLED.test(form) ? [needle] : [])))
    .join(' | ');
  const error = { code: 'InvalidInput', message: `Not found for ${plantedText}`, details: plantedText };
  const answers: Answer[] = [
    { status: 400, body: { errors: [error] } },
    { status: 403, body: [error, error] },
    { status: 404, body: `<html>${plantedText}</html>` },
    { status: 409, body: { message: plantedText, code: plantedText, nested: { deep: [plantedText] } } },
    { status: 200, body: `not JSON ${plantedText}` },
  ];
  return answers[turn % answers.length] ?? {};
}

/** Its errors repeat only what it has told before: nobody can know that any other text is a name. */
export async function startPeopleService(): Promise<HttpService> {
  let turn = 0;
  const reports = new Map<string, string>();
  const known = new Set<string>();
  const search = (text: string): void => {
    for (const value of Object.values(P)) {
      if (text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1))) known.add(value);
    }
  };
  return startHttpService(({ method, path, headers, json }): Answer => {
    const [at = ''] = path.split('?');
    const base = `http://${headers.host}`;
    if (at === '/auth/o2/token') {
      // A rotated token that no keychain takes is logged.
      const refresh_token = 'Atzr|two-that-nobody-keeps';
      return { body: { access_token: 'Atza|1', refresh_token, token_type: 'bearer', expires_in: 3600 } };
    }
    if (at.startsWith('/tokens/')) return { body: { restrictedDataToken: 'Atz.sprdt|1', expiresIn: 3600 } };
    if (path.includes('FAIL')) {
      turn += 1;
      return failure(turn, [...known]);
    }
    if (at === '/signed/invoice') return { body: LABEL, headers: { 'content-type': 'application/pdf' } };
    if (at.startsWith('/signed/')) {
      const text = DOCUMENTS[at.slice('/signed/'.length)] ?? UNKNOWN;
      search(text);
      return { body: gzipSync(text) };
    }
    if (at.startsWith('/reports/')) return answerReports(reports, method, at, json, base);
    if (at === INVOICE)
      return { body: { invoicesDocument: { invoicesDocumentUrl: `${base}/signed/invoice?${SIGNATURE}` } } };
    const body = bodyOf(method, at);
    search(JSON.stringify(body));
    return { body };
  });
}

const INVOICE = '/tax/invoices/2024-06-19/documents/D-1';
const SIGNATURE = 'X-Amz-Expires=300&X-Amz-Signature=0123456789abcdef';

function answerReports(
  reports: Map<string, string>,
  method: string,
  path: string,
  json: unknown,
  base: string,
): Answer {
  const id = path.split('/').at(-1) ?? '';
  if (method === 'POST') {
    const type =
      typeof json === 'object' && json !== null && 'reportType' in json ? `${json.reportType}` : '';
    reports.set(`R${reports.size}`, type);
    return { status: 202, body: { reportId: `R${reports.size - 1}` } };
  }
  if (path.includes('/documents/')) {
    const url = `${base}/signed/${reports.get(id.slice(1)) ?? 'unknown'}`;
    return { body: { reportDocumentId: id, url, compressionAlgorithm: 'GZIP' } };
  }
  const reportType = reports.get(id);
  if (reportType === undefined) return { body: { reports: [] } };
  return {
    body: { reportId: id, reportType, processingStatus: 'DONE', reportDocumentId: `D${id}` },
  };
}

const order = `/orders/v0/orders/${ORDER}`;
const ANSWERS: Readonly<Record<string, unknown>> = {
  // More than an answer shows, so that the whole of it is kept: what all orders share stands once, and this differs.
  '/orders/v0/orders': {
    payload: {
      Orders: Array.from({ length: 60 }, (_, at) => ({
        ...oldOrder,
        AmazonOrderId: `${ORDER}-${at}`,
        SellerOrderId: `${at}-${'x'.repeat(800)}`,
      })),
    },
  },
  [order]: { payload: oldOrder },
  [`${order}/buyerInfo`]: { payload: { AmazonOrderId: ORDER, ...buyerInfo } },
  [`${order}/address`]: { payload: { AmazonOrderId: ORDER, ShippingAddress: shippingAddress } },
  [`${order}/orderItems`]: { payload: { AmazonOrderId: ORDER, OrderItems: [oldItem] } },
  [`${order}/orderItems/buyerInfo`]: {
    payload: { AmazonOrderId: ORDER, OrderItems: [{ OrderItemId: '1', ...oldItem.BuyerInfo }] },
  },
  [`${order}/regulatedInfo`]: {
    payload: {
      AmazonOrderId: ORDER,
      RegulatedInformation: {
        Fields: [
          { FieldId: 'patient_name', FieldLabel: 'Name', FieldType: 'Text', FieldValue: P.patient },
          { FieldId: 'patient_phone', FieldLabel: 'Phone', FieldType: 'Text', FieldValue: P.patientContact },
        ],
      },
    },
  },
  '/orders/2026-01-01/orders': { orders: [newOrder] },
  [`/orders/2026-01-01/orders/${ORDER}`]: { order: newOrder },
  '/mfn/v0/shipments': { payload: shipment },
  [`/mfn/v0/shipments/${SHIPMENT}`]: { payload: shipment },
  '/fba/outbound/2020-07-01/fulfillmentOrders': { payload: { fulfillmentOrders: [shopOrder] } },
  [`/fba/outbound/2020-07-01/fulfillmentOrders/${SHOP_ORDER}`]: {
    payload: {
      fulfillmentOrder: shopOrder,
      fulfillmentOrderItems: [{ sellerSku: 'SKU-1', quantity: 1, giftMessage: P.comment }],
      returnItems: [],
      returnAuthorizations: [],
    },
  },
  [`/messaging/v1/orders/${ORDER}`]: {
    _links: { self: { href: '/a' }, actions: [] },
    _embedded: { actions: [{ payload: { name: `reply to ${P.returnEmail} or ${P.returnPhone}` } }] },
  },
  '/supplySources/2020-07-01/supplySources': {
    supplySources: [
      { supplySourceId: 'X-1', alias: 'Store', address: { name: OWN.name, addressLine1: OWN.street } },
    ],
  },
  '/supplySources/2020-07-01/supplySources/X-1': {
    supplySourceId: 'X-1',
    configuration: { operationalConfiguration: { contactDetails: { primary: { email: OWN.contact } } } },
  },
};

const bodyOf = (method: string, path: string): unknown =>
  method === 'PUT' ? {} : (ANSWERS[path] ?? { payload: {} });
