/** Generated from src/service/facts/work-states.yaml by scripts/generate.ts. Do not edit. */

import type { WorkStates } from '../work-states.ts';

export const workStates: Readonly<Record<string, WorkStates>> = {
  "inbound-fulfilment/getInboundOperationStatus": {"status":"operationStatus","done":["SUCCESS"],"failed":["FAILED"],"working":["IN_PROGRESS"],"problems":"operationProblems"},
  "invoices/getInvoicesExport": {"status":"export.status","done":["DONE"],"failed":["ERROR"],"working":["REQUESTED","PROCESSING"],"problems":"export.errorMessage"},
  "invoices/getGovernmentInvoiceStatus": {"status":"status","done":["SUCCESS"],"failed":["ERROR"],"working":["PROCESSING"],"problems":"invoiceErrors"},
  "shipment-invoice/getInvoiceStatus": {"status":"payload.Shipments.InvoiceStatus","done":["Accepted"],"failed":["Errored"],"working":["Processing","NotFound"]},
  "shipment-invoice/getInvoiceStatus@2022-07-01": {"status":"invoiceStatus","done":["Accepted"],"failed":["Errored"],"working":["Processing","NotFound"],"problems":"errors"},
  "vendor-transactions/getTransaction": {"status":"payload.transactionStatus.status","done":["Success"],"failed":["Failure"],"working":["Processing"],"problems":"payload.transactionStatus.errors"},
  "vendor-direct-fulfilment/getTransactionStatus": {"status":"transactionStatus.status","done":["Success"],"failed":["Failure"],"working":["Processing"],"problems":"transactionStatus.errors"},
  "vendor-direct-fulfilment/getOrderScenarios": {"status":"transactionStatus.status","done":["SUCCESS"],"failed":["FAILURE"],"working":["PROCESSING"]},
  "warehousing-and-distribution/getOutbound": {"status":"orderStatus","done":["ELIGIBLE","CONFIRMED","EXECUTING","INVENTORY_OUTBOUND","SUCCESS"],"failed":["INELIGIBLE","FAILURE"],"working":["DRAFT","VALIDATING"],"problems":"executionErrors"},
  "warehousing-and-distribution/getReplenishmentOrder": {"status":"status","done":["ELIGIBLE","CONFIRMED","EXECUTING","INVENTORY_OUTBOUND","SUCCESS"],"failed":["INELIGIBLE","FAILURE"],"working":["CREATED","VALIDATING"],"problems":"distributionIneligibleReasons"},
  "seller-wallet/getTransaction": {"status":"transactionStatus","done":["SUCCESSFUL"],"failed":["FAILED","FAILED_CREDITS_APPLIED","EXPIRED"],"working":["IN_PROGRESS","PENDING_USER_APPROVAL"],"problems":"transactionFailureReason","isSlow":true},
  "transfers/listPayouts": {"status":"payouts.0.currentStatus","done":["PAID"],"failed":["FAILED","CANCELLED","NO_PAYOUT"],"working":["STARTED","IN_TRANSIT"],"isSlow":true},
  "reports/getReport": {"status":"processingStatus","done":["DONE"],"failed":["CANCELLED","FATAL"],"working":["IN_QUEUE","IN_PROGRESS"],"isSlow":true},
  "data-kiosk/getQuery": {"status":"processingStatus","done":["DONE"],"failed":["CANCELLED","FATAL"],"working":["IN_QUEUE","IN_PROGRESS"],"isSlow":true},
  "feeds/getFeed": {"status":"processingStatus","done":[],"failed":["CANCELLED","FATAL"],"working":["IN_QUEUE","IN_PROGRESS","DONE"],"isSlow":true},
};
