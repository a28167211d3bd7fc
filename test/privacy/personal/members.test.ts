/** The reviewed list of personal members, operation by operation, and the rule that it was printed from. */

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import {
  isSellersMember,
  mayAnswerPersonalDocuments,
  rulesOf,
  treatmentOfMember,
} from '../../../src/privacy/personal/members.ts';
import { reviewed } from '../../../src/service/facts/generated/reviewed.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

interface Listed {
  operation: string;
  path: readonly string[];
  said: string;
}

const text = readFileSync(new URL('members.txt', import.meta.url), 'utf8');
const listed = readList(text);
const personal = listed.filter(({ said }) => !['own', 'stays'].includes(said));
const unknown = {};
const treatment = (dotted: string, operation?: string) =>
  treatmentOfMember(operation === undefined ? unknown : { operation }, dotted.split('.'), true);

/** Blocks of `operation answers container` and, indented, `what is said: member member`. */
function readList(list: string): Listed[] {
  let operation = '';
  let container: string[] = [];
  return list.split('\n').flatMap((line) => {
    const head = /^(\S+) (?:sends|answers) (\S+)$/.exec(line);
    if (head !== null) {
      operation = head[1] ?? '';
      container = head[2] === '.' ? [] : (head[2] ?? '').replaceAll('[]', '').split('.');
    }
    const [, said = '', names = ''] = /^ {2}([a-z -]+): (.+)$/.exec(line) ?? [];
    const members = names === '' ? [] : names.replaceAll('[]', '').split(' ');
    return members.map((name) => ({ operation, path: [...container, name], said }));
  });
}

describe('the list of every operation, printed from the definitions', () => {
  test('names each operation that is known, with members or among those without', async () => {
    const { operations } = await loadRegistry();
    const without = text.slice(text.indexOf('nothing that looks personal'));
    const missing = operations
      .filter(({ source }) => source !== 'document')
      .filter(
        ({ id }) => !listed.some(({ operation }) => operation === id) && !without.includes(`  ${id}\n`),
      );
    expect(missing.map(({ id }) => id)).toEqual([]);
    expect(listed.length).toBeGreaterThan(2500);
  });

  test('says what the rule says', () => {
    const wrong = listed.filter(({ operation, path, said }) => {
      const found = treatmentOfMember({ operation }, path, true);
      if (said === 'document') return found !== undefined || !mayAnswerPersonalDocuments({ operation });
      if (said === 'own') return found !== undefined || !isSellersMember({ operation }, path);
      return said === 'stays' ? found !== undefined : found !== said;
    });
    expect(wrong).toEqual([]);
  });

  const restricted = Object.entries(reviewed).filter(
    ([, { token, personalData }]) => token !== undefined || personalData !== undefined,
  );
  test.each(restricted.map(([id]) => id))('%s has something personal', (id) => {
    // Its answer is the address of a report's document, whose columns are told by its type.
    if (id === 'reports/getReportDocument') return;
    expect(personal.filter(({ operation, said }) => operation === id && said !== 'free text')).not.toEqual(
      [],
    );
  });

  test.each(['orders/getOrder', 'orders/getOrders', 'orders/getOrder@2026-01-01', 'orders/searchOrders'])(
    '%s: each data element of a restricted token is covered',
    (id) => {
      const containers = new Set(
        personal.filter(({ operation }) => operation === id).map(({ path }) => path.at(-2)),
      );
      const elements =
        id.includes('2026') || id.endsWith('searchOrders')
          ? ['buyer', 'deliveryAddress', 'taxRegistrations']
          : ['BuyerInfo', 'ShippingAddress', 'BuyerTaxInformation'];
      for (const element of elements) expect(containers).toContain(element);
    },
  );

  test('no town, region or country is masked', () => {
    const region = /^(city|municipality|state|state_?or_?(region|province)(code)?|country(code)?)$/i;
    expect(personal.filter(({ path }) => region.test(path.at(-1) ?? ''))).toEqual([]);
  });

  test('what says that it is of a buyer or recipient is masked, whichever operation it is of', () => {
    const ofBuyer =
      /buyer|customer|recipient|consignee|shipTo(?!Type)|deliver(?:y|To)Address|outboundShipments\..*destination/i;
    const contact =
      /(?:^|\.)(?:(?:company|full|legal)?name|address_?lines?\d*|phone(?:number)?|e-?mail|postal(?:OrZip)?code)$/i;
    const open = listed
      .filter(({ said }) => said === 'own' || said === 'stays')
      .map(({ operation, path }) => ({ operation, path: path.join('.') }))
      .filter(({ path }) => ofBuyer.test(path) && contact.test(path))
      // It says which sort of number it is.
      .filter(({ path }) => !path.endsWith('TaxClassifications.Name'));
    expect(open).toEqual([]);
  });

  test('nothing of a ship-from address, a selling party or a store is masked', () => {
    const own = /^(default)?shipFrom|^sellingParty|^returnTo|^remitTo|^amazonFacility|^handoverLocation/i;
    expect(personal.filter(({ path }) => path.some((name) => own.test(name)))).toEqual([]);
  });
});

describe('an operation that a user adds', () => {
  it.each([
    ['customer.name', 'buyer name'],
    ['data.order.shipping_address.line1', 'address'],
    ['data.order.shipping_address.address-line-2', 'address'],
    ['data.order.shippingAddress.postcode', 'postcode'],
    ['order.billTo.companyName', 'buyer name'],
    ['order.contact.name', 'buyer name'],
    ['order.contact.EMail', 'e-mail'],
    ['order.EMAIL_ADDRESS', 'e-mail'],
    ['order.phoneNumbers', 'phone'],
    ['consignee.vatNumber', 'tax number'],
    ['order.gift.gift_message', 'buyer text'],
    ['return.comments', 'free text'],
    ['order.address', 'address'],
    ['order.items.recipient', 'buyer name'],
    ['order.購入者名', 'buyer name'],
    ['order.送付先.電話番号', 'phone'],
  ] as const)('%s is masked as %s', (path, kind) => {
    expect(treatment(path)).toBe(kind);
    expect(treatment(path, 'made-up-api/getThings')).toBe(kind);
  });

  it.each([
    'shipFrom.name',
    'shipFromAddress.addressLine1',
    'ship_from.phone',
    'warehouse.address.name',
    'seller.email',
    'sellingParty.address.phone',
    'returnToAddress.postalCode',
    'carrier.phoneNumber',
    'merchant.contact.name',
    'store.contact.email',
    'supplySource.address.addressLine1',
  ])('%s is the seller’s own', (path) => {
    expect(treatment(path)).toBeUndefined();
    expect(isSellersMember(unknown, path.split('.'))).toBe(true);
  });

  it.each([
    'product.name',
    'item.title',
    'brandName',
    'carrierName',
    'marketplaceName',
    'fee.name',
    'order.status',
    'shippingAddress.city',
    'shippingAddress.stateOrRegion',
    'shippingAddress.countryCode',
    'customer.id',
    'buyer.productName',
    'isEmailVerified',
    'order.purchaseOrderNumber',
    'addressType',
  ])('%s stays', (path) => {
    expect(treatment(path, 'made-up-api/getThings')).toBeUndefined();
  });

  it('takes what is nearest: a buyer within what is the seller’s', () => {
    expect(treatment('seller.orders.buyer.name')).toBe('buyer name');
    expect(treatment('recipient.shipFrom.name')).toBeUndefined();
    expect(treatment('store.order.buyerEmail')).toBe('e-mail');
  });

  it('an address is masked as a whole only where it is a text', () => {
    expect(treatmentOfMember(unknown, ['order', 'address'])).toBeUndefined();
    expect(treatmentOfMember(unknown, ['order', 'shippingAddress'])).toBeUndefined();
    expect(treatmentOfMember(unknown, ['order', 'phone'])).toBe('phone');
  });
});

describe('the seller’s own', () => {
  it.each([
    ['supply-sources/getSupplySource', ['address.phone', 'contactDetails.primary.email']],
    [
      'sellers/getAccount',
      ['payload.primaryContact.name', 'payload.business.companyTaxIdentificationNumber'],
    ],
    ['inbound-fulfilment/getShipment', ['contactInformation.email', 'destination.address.name']],
    ['warehousing-and-distribution/getInboundShipment', ['destinationAddress.phoneNumber']],
    ['vendor-orders/getPurchaseOrders', ['payload.orders.orderDetails.billToParty.address.name']],
  ] as const)(
    '%s shows contacts of the seller and the operator, and no buyer that it names',
    (operation, own) => {
      for (const path of own) {
        expect(treatment(path, operation)).toBeUndefined();
        expect(isSellersMember({ operation }, path.split('.'))).toBe(true);
      }
      expect(treatment('buyerEmail', operation)).toBe('e-mail');
      expect(treatment('order.recipient.name', operation)).toBe('buyer name');
    },
  );

  it.each(['warehousing-and-distribution/getOutbound', 'warehousing-and-distribution/listOutbounds'])(
    '%s sends to anybody, who is masked',
    (operation) => {
      const of = (dotted: string) => treatment(`outboundShipments.${dotted}`, operation);
      expect(of('destinationAddress.name')).toBe('buyer name');
      expect(of('destinationAddress.addressLine1')).toBe('address');
      expect(of('destinationAddress.city')).toBeUndefined();
      expect(of('originAddress.name')).toBeUndefined();
    },
  );

  it.each(['listings-items/getListingsItem', 'catalog-items/getCatalogItem'])(
    '%s is about products: nothing of it is a buyer’s, whatever its members are called',
    (operation) => {
      for (const path of ['buyerEmail', 'address.phone', 'contactDetails.primary.email']) {
        expect(treatment(path, operation)).toBeUndefined();
        expect(isSellersMember({ operation }, path.split('.'))).toBe(true);
      }
    },
  );

  it('a group that only begins like one of them is none', () => {
    expect(treatment('buyerEmail', 'sellers-of-mine/getAccount')).toBe('e-mail');
    expect(treatment('buyerEmail', 'user-sellers/getAccount')).toBe('e-mail');
    expect(treatment('buyerEmail', 'sellers')).toBe('e-mail');
  });
});

describe('a document in an answer', () => {
  it('is personal unless its operation is known to have none of buyers', () => {
    expect(mayAnswerPersonalDocuments({ operation: 'merchant-fulfillment/createShipment' })).toBe(true);
    expect(mayAnswerPersonalDocuments({ operation: 'made-up-api/getThings' })).toBe(true);
    expect(mayAnswerPersonalDocuments({})).toBe(true);
    expect(mayAnswerPersonalDocuments({ operation: 'inbound-fulfilment/getLabels' })).toBe(false);
  });
});

describe('walking member by member', () => {
  it('says the same as asking for a path, and the same object for the same place', () => {
    const rule = rulesOf(unknown).child('order').child('buyer');
    expect(rule.child('name').ofText).toBe('buyer name');
    expect(rulesOf(unknown).child('order').child('buyer')).toBe(rule);
  });

  it('stays bounded and right with any number of names', () => {
    const top = rulesOf({ operation: 'made-up-api/getThings' });
    for (let at = 0; at < 60_000; at++) top.child(`id${at}x`).child('buyer');
    expect(top.child('id3x').child('buyer').child('name').ofText).toBe('buyer name');
    expect(top.child('id59999x').child('buyerEmail').treatment).toBe('e-mail');
  });
});

test('of an address of a buyer all but its region is masked, whatever the service calls it', () => {
  for (const name of ['floor', 'attn', 'careOf', 'addressLines', 'doorCode', 'ExtendedFields.Reference']) {
    expect(treatment(`payload.ShippingAddress.${name}`), name).toBe('address');
    expect(treatment(`recipient.deliveryAddress.${name}`), name).toBe('address');
    expect(treatment(`shipFromAddress.${name}`), name).toBeUndefined();
  }
  for (const name of ['City', 'stateOrRegion', 'CountryCode', 'addressType', 'municipality', 'addressId']) {
    expect(treatment(`payload.ShippingAddress.${name}`), name).toBeUndefined();
  }
});

test.each([
  'nom-acheteur',
  'Nome acquirente',
  'nombre-comprador',
  'naam-koper',
  'Nazwa kupującego',
  'firstname',
  'köparens namn',
  'Prénom du client',
  'Cognome',
  'Apellidos',
  'Kundenname',
  'lastname',
  '注文者名',
])('%s is the name of a buyer', (name) => {
  expect(treatment(name)).toBe('buyer name');
});
