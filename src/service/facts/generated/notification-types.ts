/** Generated from src/service/facts/notification-types.yaml by scripts/generate.ts. Do not edit. */

import type { NotificationType } from '../notification-types.ts';

export const notificationTypes: Readonly<Record<string, NotificationType>> = {
  "ACCOUNT_STATUS_CHANGED": {"versions":["2021-01-01"],"reaches":"SQS"},
  "ANY_OFFER_CHANGED": {"versions":["1.0"],"reaches":"SQS"},
  "B2B_ANY_OFFER_CHANGED": {"reaches":"SQS"},
  "BRANDED_ITEM_CONTENT_CHANGE": {"versions":["1.0"],"reaches":"EventBridge"},
  "DATA_KIOSK_QUERY_PROCESSING_FINISHED": {"versions":["2023-11-15"],"reaches":"SQS"},
  "DETAIL_PAGE_TRAFFIC_EVENT": {"versions":["2020-09-04"],"reaches":"SQS"},
  "EXTERNAL_FULFILLMENT_SHIPMENT_STATUS_CHANGE": {"reaches":"SQS"},
  "FBA_INVENTORY_AVAILABILITY_CHANGES": {"versions":["1.0"],"reaches":"SQS"},
  "FBA_OUTBOUND_SHIPMENT_STATUS": {"versions":["1.0"],"reaches":"SQS"},
  "FEE_PROMOTION": {"versions":["1.0"],"reaches":"SQS"},
  "FEED_PROCESSING_FINISHED": {"versions":["2020-09-04"],"reaches":"SQS"},
  "FULFILLMENT_ORDER_STATUS": {"versions":["1.0"],"reaches":"SQS"},
  "ITEM_INVENTORY_EVENT_CHANGE": {"versions":["2020-09-04"],"reaches":"SQS"},
  "ITEM_PRODUCT_TYPE_CHANGE": {"versions":["1.0"],"reaches":"EventBridge"},
  "ITEM_SALES_EVENT_CHANGE": {"versions":["2020-09-04"],"reaches":"SQS"},
  "LISTINGS_ITEM_ISSUES_CHANGE": {"versions":["2023-12-13"],"reaches":"EventBridge"},
  "LISTINGS_ITEM_MFN_QUANTITY_CHANGE": {"versions":["1.0"],"reaches":"EventBridge"},
  "LISTINGS_ITEM_STATUS_CHANGE": {"versions":["1.0"],"reaches":"EventBridge"},
  "ORDER_CHANGE": {"versions":["1.0"],"reaches":"SQS"},
  "PRICING_HEALTH": {"versions":["1.0"],"reaches":"SQS"},
  "PRODUCT_TYPE_DEFINITIONS_CHANGE": {"versions":["1.0"],"reaches":"EventBridge"},
  "REPORT_PROCESSING_FINISHED": {"versions":["2020-09-04"],"reaches":"SQS"},
  "SHIPMENT_TRACKING_MILESTONE_CHANGED": {"versions":["2026-01-30"],"reaches":"SQS"},
  "TAX_INVOICE_ISSUANCE_ELIGIBILITY_STATUS_CHANGE": {"reaches":"SQS"},
  "TRANSACTION_UPDATE": {"versions":["1.0"],"reaches":"SQS"},
};
