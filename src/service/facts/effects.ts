/** What an operation does, where the HTTP method does not tell; reviewed by hand, one line per operation. */

import type { Effect, Method } from './operation.ts';

/** Reviewed ids by effect; all others follow from the method. */
export const reviewedEffects: Readonly<Record<'read' | 'delete', readonly string[]>> = {
  /** POSTs and PUTs that only read: they take their question in the body and change nothing of the seller's. */
  read: [
    'warehousing-and-distribution/checkInboundEligibility',
    'scheduled-package-delivery/listHandoverSlots',
    'outbound-fulfilment/getFulfillmentPreview',
    'outbound-fulfilment/deliveryOffers',
    'fees/getMyFeesEstimateForSKU',
    'fees/getMyFeesEstimateForASIN',
    'fees/getMyFeesEstimates',
    'merchant-fulfillment/getEligibleShipmentServices',
    'merchant-fulfillment/getAdditionalSellerInputs',
    'product-pricing/getItemOffersBatch',
    'product-pricing/getListingOffersBatch',
    'product-pricing/getFeaturedOfferExpectedPriceBatch',
    'product-pricing/getCompetitiveSummary',
    'service/getRangeSlotCapacity',
    'service/getFixedSlotCapacity',
    'shipping/getRates@v1',
    'shipping/getRates@v2',
    // Hands out the label of a shipment that was bought before.
    'shipping/retrieveShippingLabel',
    'shipping/getCarrierAccounts',
    'shipping/getCollectionFormHistory',
    'shipping/getUnmanifestedShipments',
    // Issues a short-lived token and changes nothing; the server keeps the token to itself.
    'tokens/createRestrictedDataToken',
  ],
  /** Operations without the DELETE method that end something and that no other operation takes back. */
  delete: [
    'warehousing-and-distribution/cancelInbound',
    'inbound-fulfilment/cancelInboundPlan',
    'inbound-fulfilment/cancelSelfShipAppointment',
    'outbound-fulfilment/cancelFulfillmentOrder',
    'service/cancelServiceJobByServiceJobId',
    'shipping/cancelShipment@v1',
    'shipping/cancelShipment@v2',
    'shipping/unlinkCarrierAccount',
  ],
};

/**
 * Options, previews and labels that an operation generates and the service keeps (`generatePackingOptions`,
 * `createMarketplaceItemLabels`, `createReport`) count as writes: when in doubt, a person is asked.
 * Every DELETE is a delete, cancelling and archiving included.
 */
export function effectOf(id: string, method: Method): Effect {
  if (reviewedEffects.read.includes(id) || method === 'GET') return 'read';
  return reviewedEffects.delete.includes(id) || method === 'DELETE' ? 'delete' : 'write';
}
