/** What an operation does, where the HTTP method does not tell; reviewed by hand, one line with its reason per operation. */

import type { Effect, Method, Operation } from './operation.ts';

/** Reviewed ids by effect, each with the reason; all others follow from the method. Only POST, PUT and PATCH need a line. */
export const reviewedEffects: Readonly<
  Record<'read' | 'request' | 'delete', Readonly<Record<string, string>>>
> = {
  /** They take their question in the body and change nothing of the seller's. */
  read: {
    'warehousing-and-distribution/checkInboundEligibility': 'says whether packages could be sent in',
    'scheduled-package-delivery/listHandoverSlots': 'lists free time slots for a package of this size',
    'outbound-fulfilment/getFulfillmentPreview': 'says how an order would be fulfilled, and creates none',
    'outbound-fulfilment/deliveryOffers': 'says when a product could be delivered, and promises nothing',
    'outbound-fulfilment/getOrderPreview': 'says how an order would be fulfilled, and creates none',
    'outbound-fulfilment/getOffers': 'says when a product could be delivered, and promises nothing',
    'fees/getMyFeesEstimateForSKU': 'computes the fees of a price',
    'fees/getMyFeesEstimateForASIN': 'computes the fees of a price',
    'fees/getMyFeesEstimates': 'computes the fees of several prices',
    'merchant-fulfillment/getEligibleShipmentServices': 'lists what shipping services would cost',
    'merchant-fulfillment/getAdditionalSellerInputs': 'lists what a shipping service asks the seller for',
    'product-pricing/getItemOffersBatch': 'asks for offers; its inner requests are GET alone',
    'product-pricing/getListingOffersBatch': 'asks for offers; its inner requests are GET alone',
    'product-pricing/getFeaturedOfferExpectedPriceBatch': 'asks for prices; its inner requests are GET alone',
    'product-pricing/getCompetitiveSummary': 'asks for prices; its inner requests are GET alone',
    'replenishment/getSellingPartnerMetrics': 'a search whose criteria stand in the body',
    'replenishment/listOfferMetrics': 'a search whose criteria stand in the body',
    'replenishment/listOffers': 'a search whose criteria stand in the body',
    'service/getRangeSlotCapacity': 'lists the free capacity of a resource',
    'service/getFixedSlotCapacity': 'lists the free capacity of a resource',
    'shipping/getRates@v1': 'lists rates, and buys none',
    'shipping/getRates@v2': 'lists rates, and buys none',
    'shipping/retrieveShippingLabel': 'hands out the label of a shipment that was bought before',
    'shipping/getCarrierAccounts': 'lists accounts that are linked already',
    'shipping/getCollectionFormHistory': 'lists forms that were generated before',
    'shipping/getUnmanifestedShipments': 'lists shipments that no form holds yet',
    'tokens/createRestrictedDataToken':
      'issues a short-lived token, which the server keeps to itself, for one reading operation',
  },
  /** They make something for the caller to fetch or to fill, and change nothing of the seller's. */
  request: {
    'reports/createReport': 'has a report written; what is reported on stays as it is',
    'feeds/createFeedDocument':
      'opens a place to upload a file to; nothing is done with it before createFeed',
    'uploads/createUploadDestinationForResource': 'opens a place to upload a file to',
    'service/createServiceDocumentUploadDestination': 'opens a place to upload a file to',
    'data-kiosk/createQuery': 'has a query answered; what is asked about stays as it is',
    'invoices/createInvoicesExport': 'has issued invoices put into a file to download',
    'inbound-fulfilment/generateShipmentContentUpdatePreviews':
      'works out a preview; nothing changes before confirmShipmentContentUpdatePreview',
    'inbound-fulfilment/createMarketplaceItemLabels': 'makes label files to print; no item changes',
    'a-plus-content/validateContentDocumentAsinRelations': 'checks a document that is not saved',
  },
  /** Operations without the DELETE method that end something and that no other operation takes back. */
  delete: {
    'warehousing-and-distribution/cancelInbound': 'ends an inbound order and its shipment',
    'inbound-fulfilment/cancelInboundPlan': 'ends a plan, and may cost a fee',
    'inbound-fulfilment/cancelSelfShipAppointment': 'gives an appointment back',
    'outbound-fulfilment/cancelFulfillmentOrder': 'stops an order',
    'outbound-fulfilment/cancelOrder': 'stops an order',
    'service/cancelServiceJobByServiceJobId': 'ends a service job',
    'shipping/cancelShipment@v1': 'ends a shipment that was bought',
    'shipping/cancelShipment@v2': 'ends a shipment that was bought',
    'shipping/unlinkCarrierAccount': 'ends the link to a carrier',
    'app-integrations/deleteNotifications': 'takes notifications away from the seller',
  },
};

/**
 * Options that an operation generates and the service keeps (`generatePackingOptions`) and whatever is bought count as
 * writes: when in doubt, a person is asked. Every DELETE is a delete, cancelling and archiving included.
 */
export function effectOf(id: string, method: Method): Effect {
  if (method === 'GET' || Object.hasOwn(reviewedEffects.read, id)) return 'read';
  if (Object.hasOwn(reviewedEffects.request, id)) return 'request';
  return Object.hasOwn(reviewedEffects.delete, id) || method === 'DELETE' ? 'delete' : 'write';
}

/** The effect of one call: a write whose parameters ask for a preview alone is a request. */
export function effectOfCall(
  { effect, previewMode }: Pick<Operation, 'effect' | 'previewMode'>,
  parameters: Readonly<Record<string, unknown>>,
): Effect {
  if (effect !== 'write' || previewMode === undefined) return effect;
  const { parameter, value } = previewMode;
  const given = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
  return given === value ? 'request' : 'write';
}
