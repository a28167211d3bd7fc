import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf, treatmentByName, treatmentOfContext } from '../../../src/privacy/personal/member-rule.ts';

/** Builds the path of dotted names, each below the one before. */
const pathOf = (dotted: string) =>
  dotted
    .split('.')
    .reduce<ReturnType<typeof contextOf> | undefined>((above, name) => contextOf(name, above), undefined) ??
  contextOf('');
const ofText = (dotted: string, isPlainName = false) =>
  treatmentOfContext(pathOf(dotted), { isText: true, isPlainName });

describe('the words of a name', () => {
  it.each([
    ['buyerInfo', 'buyer info'],
    ['BUYER_INFO', 'buyer info'],
    ['--buyer -- info--', 'buyer info'],
    ['XMLBuyerInfo', 'xml buyer info'],
    ['buyerID', 'buyer id'],
    ['addressLine1', 'address line 1'],
    ['line1Of2', 'line 1 of 2'],
    ['line12', 'line 12'],
    ['Käufer - Straße', 'kaufer strasse'],
    ['kupującegoNazwa', 'kupujacego nazwa'],
    ['ÄBÄuyerÉ1', 'ab auyer e 1'],
    ['購入者 / 名', '購入者 名'],
    ['  ', ''],
    ['', ''],
  ])('%j are %j', (name, words) => {
    expect(contextOf(name).words).toBe(words);
  });

  it('are the same in every way of writing them', () => {
    const word = fc.constantFrom('buyer', 'line', 'to', 'käufer', 'name');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const capitals = words.map((one) => one.charAt(0).toUpperCase() + one.slice(1));
        const written = [
          words.join('-'),
          words.join(' _ '),
          words.join('_').toUpperCase(),
          capitals.join(''),
          capitals.join(' '),
          words.join('.').normalize('NFD'),
        ];
        const expected = words.join(' ').replaceAll('ä', 'a');
        for (const name of written) expect(contextOf(name).words).toBe(expected);
      }),
    );
  });

  it('are those of its first 200 characters', () => {
    expect(contextOf('a'.repeat(300)).words).toHaveLength(200);
  });
});

it.each([
  ['buyer', 'buyer', 'buyer', 'buyer'],
  ['buyers', 'buyer', 'buyer', 'buyer'],
  ['deliveryAddresses', 'buyer', 'buyer', 'buyer'],
  ['sellerOrBuyer', 'buyer', 'buyer', 'buyer'],
  ['warehouse', 'own', 'own', 'own'],
  ['shipFromAddressDetails', 'own', 'own', 'own'],
  ['shipFromPhone', 'own', 'own', undefined],
  ['address', undefined, undefined, undefined],
  ['addressSeller', 'own', 'own', undefined],
  ['buyer.note', undefined, 'buyer', 'buyer'],
  ['buyer.sellerPhone', 'own', 'own', 'buyer'],
  ['buyer.sellerPhone.note', undefined, 'buyer', 'buyer'],
  ['seller.note', undefined, 'own', 'own'],
  ['seller.order.buyerInfo.note', undefined, 'buyer', 'buyer'],
])('%s: of %s by its name, of %s where it stands, and %s below it', (dotted, ownSide, side, below) => {
  expect(pathOf(dotted)).toMatchObject({ ownSide, side, below });
});

it.each([
  // Several of a thing are named like one of it.
  ['taxIds', 'tax number'],
  ['phones', 'phone'],
  ['streetAddresses', 'address'],
  ['companies', undefined],
  ['counties', 'address'],
  ['surnames', 'buyer name'],
  ['zipCodes', 'postcode'],
  ['customerBoxes', undefined],
  ['buyerNotes', 'buyer text'],
  ['address.lines', undefined],
  // The owner comes after the noun in these languages.
  ['telefonnummer des käufers', 'phone'],
  ["nom de l'acheteur", 'buyer name'],
  ['E-Mail-Adresse des Käufers', 'e-mail'],
  ['nom du produit', undefined],
  ['name des kaufers', 'buyer name'],
  ['adresse des käufers', 'address'],
  // Lines of an address are numbered.
  ['addressLine2', 'address'],
  ['streetAddressTwo', 'address'],
  ['address3', 'address'],
  ['line4', 'address'],
  ['street12', undefined],
  ['phone2', 'phone'],
  ['email one', 'e-mail'],
  ['5', undefined],
  ['two', undefined],
  // Counts and answers of yes or no are about something.
  ['isAddress', undefined],
  ['hasPhone', undefined],
  ['number of phones', undefined],
  ['issuePhone', 'phone'],
  // The first phrase counts in text without blanks.
  ['お届け先電話', 'phone'],
  ['お届け先国', undefined],
  ['お届け先', 'address'],
  ['色', undefined],
  // These names mean other things too, so they count only where the owner is known.
  ['building', undefined],
  ['buyer.building', 'address'],
  ['customerBuilding', 'address'],
  ['order.note', undefined],
  ['mobile', 'phone'],
  // The name of the member above decides.
  ['taxClassifications.value', 'tax number'],
  ['classifications.value', undefined],
  ['buyerInfo.purchaseOrderNumber', 'buyer text'],
  ['orderInfo.purchaseOrderNumber', undefined],
  // The longest end counts.
  ['order.deliveryNote', 'buyer text'],
  ['order.cancelReason', 'free text'],
  ['shopEmailAddress', 'e-mail'],
  ['emailAddressType', undefined],
  // All of an address is masked but its region.
  ['buyerAddress.careOf', 'address'],
  ['buyer.address.lines.first', 'address'],
  ['buyer.addresses.careOf', 'address'],
  ['ship to.careOf', 'address'],
  ['shippingAddress.kind', undefined],
  ['buyerAddress.countryCode', undefined],
  ['buyer.things.careOf', undefined],
  ['order.address.careOf', undefined],
  ['buyerAddress.seller.careOf', undefined],
] as const)('%s is %s', (dotted, treatment) => {
  expect(ofText(dotted)).toBe(treatment);
});

it.each([
  ['name', false, undefined],
  ['name', true, 'buyer name'],
  ['order.name', true, undefined],
  ['contact.name', false, 'buyer name'],
  ['orderContact.name', false, 'buyer name'],
  ['buyer.name', false, 'buyer name'],
  ['buyer.item.name', false, undefined],
  ['buyer.itemName', false, undefined],
  ['buyerName', false, 'buyer name'],
  ['buyersName', false, 'buyer name'],
  ['nome acquirente', false, 'buyer name'],
  ['nome prodotto', false, undefined],
  ['name', true, 'buyer name'],
  ['product name', true, undefined],
  ['sellerName', false, undefined],
  ['seller.contact.name', false, undefined],
] as const)('%s, plain names counting as a person’s (%s), is %s', (dotted, isPlainName, treatment) => {
  expect(ofText(dotted, isPlainName)).toBe(treatment);
});

it('what holds others is masked as a whole only where each of it is of that kind', () => {
  const ofOthers = (dotted: string) => treatmentOfContext(pathOf(dotted), { isText: false });
  expect(
    ['address', 'buyer', 'buyers', 'phones', 'taxIds', 'phone', 'buyerAddress.careOf'].map(ofOthers),
  ).toEqual([undefined, undefined, undefined, 'phone', undefined, 'phone', undefined]);
  expect(ofText('address')).toBe('address');
  expect(ofText('buyers')).toBe('buyer name');
});

it("the seller's own looks like what it would be of a buyer", () => {
  expect(treatmentByName(pathOf('seller.phone'), { isText: true })).toBe('phone');
  expect(ofText('seller.phone')).toBeUndefined();
});
