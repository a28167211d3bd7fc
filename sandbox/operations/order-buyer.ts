/** Made-up buyers as orders v0 shows them. */

import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';

export function showBuyer(order: Order): object {
  const { name, email } = order.buyer;
  const { company } = detailsOf(order);
  return {
    BuyerEmail: email,
    BuyerName: name,
    ...(company && {
      BuyerTaxInfo: {
        CompanyLegalName: company.name,
        TaxingRegion: order.market.country,
        TaxClassifications: [{ Name: 'VATNumber', Value: company.taxId }],
      },
      PurchaseOrderNumber: company.purchaseOrderNumber,
    }),
  };
}

/** Of a business alone. */
export function showBuyerTax(order: Order): object {
  const { company } = detailsOf(order);
  if (company === undefined) return {};
  return {
    BuyerTaxInformation: {
      BuyerLegalCompanyName: company.name,
      BuyerBusinessAddress: `${order.buyer.street}, ${order.buyer.town.city}`,
      BuyerTaxRegistrationId: company.taxId,
    },
  };
}

export function showAddress(order: Order): Record<string, string> {
  const { name, street, town, countryCode, phone } = order.buyer;
  const { addressLine2, company } = detailsOf(order);
  return {
    Name: name,
    ...(company && { CompanyName: company.name }),
    AddressLine1: street,
    ...(addressLine2 !== '' && { AddressLine2: addressLine2 }),
    City: town.city,
    ...(town.state !== '' && { StateOrRegion: town.state }),
    PostalCode: town.postalCode,
    CountryCode: countryCode,
    Phone: phone,
    AddressType: company === undefined ? 'Residential' : 'Commercial',
  };
}

/** What the buyer wrote about one item. */
export function showItemBuyer(order: Order, { id }: OrderItem): object {
  const message = detailsOf(order).giftMessages.get(id);
  return message === undefined ? {} : { GiftMessageText: message, GiftWrapLevel: 'Classic' };
}

/** As if each order held something for which the buyer has to say who it is for. */
export const showRegulated = ({ buyer }: Order): object => ({
  RegulatedInformation: {
    Fields: [
      { FieldId: 'patient_name', FieldLabel: 'Patient name', FieldType: 'Text', FieldValue: buyer.name },
      {
        FieldId: 'contact',
        FieldLabel: 'Contact',
        FieldType: 'Text',
        FieldValue: `${buyer.email}, ${buyer.phone}`,
      },
    ],
  },
  RequiresDosageLabel: false,
  RegulatedOrderVerificationStatus: {
    Status: 'Pending',
    RequiresMerchantAction: true,
    ValidRejectionReasons: [
      {
        RejectionReasonId: 'sbx-1',
        RejectionReasonDescription: 'What the buyer gave could not be verified.',
      },
    ],
  },
});
