/**
 * The operation groups and the names in them, as the document lists them (sections 4.2, 4.4 and 9).
 *
 * Notation of `names`: `name` or `name:METHOD` where the document gives the method, `~` before a deprecated one,
 * `!` before one that was withdrawn. A name that stands twice is listed twice.
 */

import type { Method } from '../facts/operation.ts';

export interface DocumentGroup {
  /** First part of operation ids; never changes. */
  slug: string;
  /** As the document spells it. */
  name: string;
  /** Version marker of section 9, where there is one. */
  version?: string;
  names: string;
}

export const documentGroups: readonly DocumentGroup[] = [
  {
    slug: 'warehousing-and-distribution',
    name: 'Warehousing and Distribution',
    names: 'getInboundShipment:GET listInboundShipments:GET listInventory:GET',
  },
  { slug: 'authorization', name: 'Authorization', names: 'Authorization:POST' },
  {
    slug: 'catalog-items',
    name: 'Catalog Items',
    version: '2022-04-01',
    names: 'searchCatalogItems:GET getCatalogItem:GET',
  },
  {
    slug: 'catalog-v0',
    name: 'Catalog v0 (deprecated)',
    version: 'v0',
    names: '!listCatalogItems:GET !getCatalogItem:GET listCatalogCategories:GET',
  },
  {
    slug: 'definitions',
    name: 'Definitions',
    names: 'searchDefinitionsProductTypes:GET getDefinitionsProductType:GET',
  },
  {
    slug: 'scheduled-package-delivery',
    name: 'Scheduled-package delivery',
    names: `listHandoverSlots:POST getScheduledPackage:GET createScheduledPackage:POST
      updateScheduledPackages:PATCH createScheduledPackageBulk:POST`,
  },
  {
    slug: 'inbound-fulfilment',
    name: 'Inbound fulfilment',
    names: `listInboundPlans createInboundPlan getInboundPlan listInboundPlanBoxes cancelInboundPlan
      listInboundPlanItems updateInboundPlanName listPackingGroupBoxes listPackingGroupItems
      setPackingInformation listPackingOptions generatePackingOptions confirmPackingOption
      listInboundPlanPallets listPlacementOptions generatePlacementOptions confirmPlacementOption
      getShipment listShipmentBoxes listShipmentContentUpdatePreviews
      generateShipmentContentUpdatePreviews getShipmentContentUpdatePreview
      confirmShipmentContentUpdatePreview getDeliveryChallanDocument listDeliveryWindowOptions
      generateDeliveryWindowOptions confirmDeliveryWindowOptions listShipmentItems updateShipmentName
      listShipmentPallets cancelSelfShipAppointment getSelfShipAppointmentSlots
      generateSelfShipAppointmentSlots scheduleSelfShipAppointment updateShipmentSourceAddress
      updateShipmentTrackingDetails listTransportationOptions generateTransportationOptions
      confirmTransportationOptions listItemComplianceDetails updateItemComplianceDetails
      createMarketplaceItemLabels listPrepDetails setPrepDetails getInboundOperationStatus
      getItemEligibilityPreview`,
  },
  {
    slug: 'fulfilment-inventory',
    name: 'Fulfilment inventory',
    names: 'getInventorySummaries createInventoryItem deleteInventoryItem addInventory',
  },
  {
    slug: 'outbound-fulfilment',
    name: 'Outbound fulfilment',
    names: `getFulfillmentPreview deliveryOffers listAllFulfillmentOrders createFulfillmentOrder
      getPackageTrackingDetails listReturnReasonCodes createFulfillmentReturn getFulfillmentOrder
      updateFulfillmentOrder cancelFulfillmentOrder submitFulfillmentOrderStatusUpdate getFeatures
      getFeatureInventory getFeatureSKU`,
  },
  {
    slug: 'feeds',
    name: 'Feeds',
    names: 'getFeeds createFeed cancelFeed getFeed createFeedDocument getFeedDocument',
  },
  {
    slug: 'fees',
    name: 'Fees',
    names: 'getMyFeesEstimateForSKU getMyFeesEstimateForASIN getMyFeesEstimates',
  },
  {
    slug: 'finance',
    name: 'Finance',
    names: `listTransactions listFinancialEventGroups listFinancialEventsByGroupId
      listFinancialEventsByOrderId listFinancialEvents`,
  },
  {
    slug: 'invoices',
    name: 'Invoices (Brazil)',
    names: `getInvoicesAttributes getInvoicesDocument createInvoicesExport getInvoicesExports
      getInvoicesExport getInvoices getInvoice`,
  },
  {
    slug: 'listings-items',
    name: 'Listings Items',
    names: 'getListingsRestrictions deleteListingsItem getListingsItem patchListingsItem putListingsItem',
  },
  {
    slug: 'merchant-fulfillment',
    name: 'Merchant Fulfillment',
    names: 'getEligibleShipmentServices getShipment cancelShipment createShipment getAdditionalSellerInputs',
  },
  {
    slug: 'orders',
    name: 'Orders',
    names: `getOrders getOrder getOrderBuyerInfo getOrderAddress getOrderItems getOrderItemsBuyerInfo
      updateShipmentStatus getOrderRegulatedInfo updateVerificationStatus confirmShipment`,
  },
  {
    slug: 'product-pricing',
    name: 'ProductPricing',
    names: `~getPricing ~getCompetitivePricing ~getListingOffers ~getItemOffers ~getItemOffersBatch
      ~getListingOffersBatch getFeaturedOfferExpectedPriceBatch getCompetitiveSummary`,
  },
  {
    slug: 'reports',
    name: 'Reports',
    names: `getReports createReport cancelReport getReport getReportSchedules createReportSchedule
      cancelReportSchedule getReportSchedule getReportDocument`,
  },
  { slug: 'sales', name: 'Sales', names: 'getOrderMetrics' },
  { slug: 'sellers', name: 'Sellers', names: 'getMarketplaceParticipations getAccount' },
  {
    slug: 'service',
    name: 'Service',
    names: `getServiceJobByServiceJobId cancelServiceJobByServiceJobId completeServiceJobByServiceJobId
      getServiceJobs addAppointmentForServiceJobByServiceJobId
      rescheduleAppointmentForServiceJobByServiceJobId assignAppointmentResources
      setAppointmentFulfillmentData getRangeSlotCapacity getFixedSlotCapacity updateSchedule
      createReservation updateReservation cancelReservation getAppointmmentSlotsByJobId
      getAppointmentSlots createServiceDocumentUploadDestination`,
  },
  {
    slug: 'shipment-invoice',
    name: 'ShipmentInvoice (Brazil)',
    names: 'getShipmentDetails submitInvoice getInvoiceStatus',
  },
  {
    slug: 'shipping',
    name: 'Shipping',
    names: `getRates createShipment directPurchaseShipment getShipment purchaseShipment cancelShipment
      oneClickShipment purchaseLabels getTracking retrieveShippingLabel getShipmentDocuments
      getAdditionalInputs getAccount getCarrierAccountFormInputs getTrackingInformation
      getCarrierAccounts linkCarrierAccount unlinkCarrierAccount generateCollectionForm
      getCollectionFormHistory getUnmanifestedShipments getCollectionForm getAccessPoints
      getRates purchaseShipment cancelShipment`,
  },
  {
    slug: 'supply-sources',
    name: 'Supply Sources',
    version: '2020-07-01',
    names: `getSupplySources createSupplySource getSupplySource updateSupplySource archiveSupplySource
      updateSupplySourceStatus`,
  },
  { slug: 'tokens', name: 'Tokens', names: 'createRestrictedDataToken' },
  { slug: 'uploads', name: 'Uploads', names: 'createUploadDestinationForResource' },
  {
    slug: 'notifications',
    name: 'Notifications',
    names: `getSubscription createSubscription getSubscriptionById deleteSubscriptionById getDestinations
      createDestination getDestination deleteDestination`,
  },
];

export interface DocumentEntry {
  group: DocumentGroup;
  name: string;
  method?: Method;
  deprecated: boolean;
  withdrawn: boolean;
}

const notation = /^([~!]?)(\w+?)(?::(GET|POST|PUT|PATCH|DELETE))?$/;
const methods: Readonly<Record<string, Method>> = {
  GET: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
};

/** Every entry of section 4.4 in its order, one per occurrence (203). */
export function documentEntries(): DocumentEntry[] {
  return documentGroups.flatMap((group) => group.names.split(/\s+/).map((text) => parseEntry(group, text)));
}

function parseEntry(group: DocumentGroup, text: string): DocumentEntry {
  const [, mark = '', name = text, method = ''] = notation.exec(text) ?? [];
  return {
    group,
    name,
    method: methods[method],
    deprecated: mark !== '',
    withdrawn: mark === '!',
  };
}
