/** Generated from src/service/facts/roles.yaml by scripts/generate.ts. Do not edit. */

export const roles: Readonly<Record<string, string>> = {
  "catalog-items": "Product Listing",
  "catalog-v0": "Product Listing",
  "definitions": "Product Listing",
  "listings-items": "Product Listing",
  "a-plus-content": "Product Listing",
  "product-pricing": "Pricing",
  "fees": "Pricing or Product Listing",
  "fulfilment-inventory": "Amazon Fulfillment or Product Listing",
  "inbound-fulfilment": "Amazon Fulfillment",
  "outbound-fulfilment": "Amazon Fulfillment",
  "warehousing-and-distribution": "Amazon Warehousing and Distribution",
  "orders": "Inventory and Order Tracking, Direct-to-Consumer Shipping or Tax Invoicing",
  "merchant-fulfillment": "Direct-to-Consumer Shipping",
  "messaging": "Buyer Communication",
  "solicitations": "Buyer Solicitation",
  "finance": "Finance and Accounting",
  "sellers": "Selling Partner Insights",
  "data-kiosk": "Brand Analytics",
  "invoices": "Tax Invoicing",
  "shipment-invoice": "Tax Invoicing",
};
