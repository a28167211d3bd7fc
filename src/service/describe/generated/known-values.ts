/** Generated from src/service/describe/known-values.yaml by scripts/generate.ts. Do not edit. */

export const knownValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "orders/getOrders": {
    "OrderStatuses": "PendingAvailability, Pending, Unshipped, PartiallyShipped, Shipped, InvoiceUnconfirmed, Canceled, Unfulfillable",
    "FulfillmentChannels": "AFN (by Amazon), MFN (by the seller)",
    "PaymentMethods": "COD, CVS, Other",
    "EasyShipShipmentStatuses": "PendingSchedule, PendingPickUp, PendingDropOff, LabelCanceled, PickedUp, DroppedOff, AtOriginFC, AtDestinationFC, Delivered, RejectedByBuyer, Undeliverable, ReturningToSeller, ReturnedToSeller, Lost, OutForDelivery, Damaged",
    "ElectronicInvoiceStatuses": "NotRequired, NotFound, Processing, Errored, Accepted",
    "MaxResultsPerPage": "1 to 100 (default 100)",
    "…After, …Before": "date-time; CreatedAfter or LastUpdatedAfter must be given",
  },
  "orders/searchOrders": {
    "maxResultsPerPage": "1 to 100 (default 100)",
    "…After, …Before": "exactly one of createdAfter and lastUpdatedAfter must be given",
  },
  "finance/listTransactions": {
    "transactionStatus": "DEFERRED, RELEASED, DEFERRED_RELEASED",
    "relatedIdentifierName": "FINANCIAL_EVENT_GROUP_ID, ORDER_ID",
  },
  "finance/listSummary": {"relatedIdentifierName":"SETTLEMENT_ID"},
  "finance/listBalances": {"balanceType":"AVAILABLE, RESERVED, TOTAL, DEFERRED, ACCOUNT_LEVEL_RESERVE"},
  "sales/getOrderMetrics": {"interval":"two date-times with time zone, joined by --; the second is exclusive"},
  "service/getServiceJobs": {"created…, lastUpdated…, schedule…":"date-time; either createdAfter or lastUpdatedAfter must be given"},
  "service/getAppointmmentSlotsByJobId": {"startTime, endTime":"date-time, both or neither, 90 days apart at most"},
  "vehicles/getVehicles": {"updatedAfter":"date-time"},
  "definitions/getDefinitionsProductType": {"productTypeVersion":"LATEST (default), RELEASE_CANDIDATE"},
  "inbound-fulfilment/createInboundPlan": {"items.expiration":"date, YYYY-MM-DD"},
  "inbound-fulfilment/generateTransportationOptions": {
    "shipmentTransportationConfigurations.freightInformation.freightClass": "NONE, FC_50, FC_55, FC_60, FC_65, FC_70, FC_77_5, FC_85, FC_92_5, FC_100, FC_110, FC_125, FC_150, FC_175, FC_200, FC_250, FC_300, FC_400, FC_500",
  },
  "inbound-fulfilment/updateItemComplianceDetails": {"taxDetails.taxRates.taxType":"CGST, SGST, IGST, TOTAL_TAX"},
  "outbound-fulfilment/getOrderPreview": {
    "fulfillmentConfiguration.services.packaging.packagingOption": "UNBRANDED, ANY",
    "fulfillmentConfiguration.services.packaging.overbox": "REQUIRED, NOT_REQUIRED",
    "lineItems.amount.unit": "EACHES",
  },
  "outbound-fulfilment/createOrder": {
    "fulfillmentConfiguration.serviceLevel.serviceTiers": "STANDARD, EXPEDITED, PRIORITY (CA, IN, MX), SCHEDULED (JP); only the first counts",
  },
  "outbound-fulfilment/updateOrderStatus": {"status":"PROCESSING, COMPLETE, COMPLETE_PARTIAL, CANCELLED, UNFULFILLABLE, INVALID"},
  "outbound-fulfilment/updatePackage": {
    "status": "PROCESSING, IN_TRANSIT, DELAYED, OUT_FOR_DELIVERY, DELIVERED, UNDELIVERABLE, EXPIRED",
    "tracking.dropOffLocation.type": "FRONT_DOOR, DELIVERY_BOX, GAS_METER_BOX, BICYCLE_BASKET, GARAGE, RECEPTIONIST, FALLBACK_NEIGHBOR_DELIVERY, DO_NOT_LEAVE_UNATTENDED, LOCKER",
  },
  "supply-sources/updateSupplySource": {"startTime, endTime":"HH:mm"},
  "customer-feedback/getItemReviewTopics": {"sortBy":"MENTIONS, STAR_RATING_IMPACT"},
  "customer-feedback/getBrowseNodeReviewTopics": {"sortBy":"MENTIONS, STAR_RATING_IMPACT"},
  "tokens/createRestrictedDataToken": {
    "restrictedResources.dataElements": "buyerInfo, shippingAddress, buyerTaxInformation; only for getOrder, getOrders and getOrderItems",
  },
};
