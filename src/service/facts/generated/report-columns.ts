/** Generated from src/service/facts/report-columns.yaml by scripts/generate.ts. Do not edit. */

import type { ReportColumns } from '../report-columns.ts';

export const reportColumns: Readonly<Record<string, ReportColumns>> = {
  "GET_MERCHANT_LISTINGS_ALL_DATA": {
    "source": "the public documentation and the sandbox's report",
    "headings": "item-name | item-description | listing-id | seller-sku | price | quantity | open-date | image-url | item-is-marketplace | product-id-type | zshop-shipping-fee | item-note | item-condition | zshop-category1 | zshop-browse-path | zshop-storefront-feature | asin1 | asin2 | asin3 | will-ship-internationally | expedited-shipping | zshop-boldface | product-id | bid-for-featured-placement | add-delete | pending-quantity | fulfillment-channel | merchant-shipping-group | status",
    "depends": "the country and the language",
  },
  "GET_FLAT_FILE_OPEN_LISTINGS_DATA": {
    "source": "the public documentation",
    "headings": "sku | asin | price | quantity",
    "depends": "the option custom, and business prices",
  },
  "GET_MERCHANTS_LISTINGS_FYP_REPORT": {
    "source": "the public documentation",
    "headings": "Status | Reason | SKU | ASIN | Product name | Condition | Status Change Date | Issue Description",
    "depends": "the language",
  },
  "GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL": {
    "source": "the public documentation and the sandbox's report",
    "headings": "amazon-order-id | merchant-order-id | purchase-date | last-updated-date | order-status | fulfillment-channel | sales-channel | order-channel | ship-service-level | product-name | sku | asin | item-status | quantity | currency | item-price | item-tax | shipping-price | shipping-tax | gift-wrap-price | gift-wrap-tax | item-promotion-discount | ship-promotion-discount | ship-city | ship-state | ship-postal-code | ship-country | promotion-ids | is-business-order | purchase-order-number | price-designation",
    "depends": "the country",
  },
  "GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL": {
    "source": "the public documentation and the sandbox's report",
    "headings": "amazon-order-id | merchant-order-id | purchase-date | last-updated-date | order-status | fulfillment-channel | sales-channel | order-channel | ship-service-level | product-name | sku | asin | item-status | quantity | currency | item-price | item-tax | shipping-price | shipping-tax | gift-wrap-price | gift-wrap-tax | item-promotion-discount | ship-promotion-discount | ship-city | ship-state | ship-postal-code | ship-country | promotion-ids | is-business-order | purchase-order-number | price-designation",
    "depends": "the country",
  },
  "GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING": {
    "source": "the public documentation and the sandbox's report",
    "headings": "order-id | order-item-id | purchase-date | payments-date | reporting-date | promise-date | days-past-promise | buyer-email | buyer-name | sku | product-name | quantity-purchased | quantity-shipped | quantity-to-ship | ship-service-level | recipient-name | ship-address-1 | ship-city | ship-state | ship-postal-code | ship-country",
    "depends": "the country",
  },
  "GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE": {
    "source": "the public documentation",
    "headings": "Order ID | Order date | Return request date | Return request status | Amazon RMA ID | Merchant RMA ID | Label type | Label cost | Currency code | Return carrier | Tracking ID | Label to be paid by | A-to-Z Claim | Is prime | ASIN | Merchant SKU | Item Name | Return quantity | Return Reason | In policy | Return type | Resolution | Invoice number | Return delivery date | Order Amount | Order quantity | SafeT Action reason | SafeT claim ID | SafeT claim state | SafeT claim creation time | SafeT claim reimbursement amount | Refunded Amount",
    "depends": "the language",
  },
  "GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA": {
    "source": "the public documentation and the sandbox's report",
    "headings": "sku | fnsku | asin | product-name | condition | your-price | mfn-listing-exists | mfn-fulfillable-quantity | afn-listing-exists | afn-warehouse-quantity | afn-fulfillable-quantity | afn-unsellable-quantity | afn-reserved-quantity | afn-total-quantity | per-unit-volume | afn-inbound-working-quantity | afn-inbound-shipped-quantity | afn-inbound-receiving-quantity | afn-researching-quantity | afn-reserved-future-supply | afn-future-supply-buyable",
    "depends": "the country",
  },
  "GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA": {
    "source": "the public documentation and the sandbox's report",
    "headings": "return-date | order-id | sku | asin | fnsku | product-name | quantity | fulfillment-center-id | detailed-disposition | reason | status | license-plate-number | customer-comments",
    "depends": "the country",
  },
  "GET_FBA_REIMBURSEMENTS_DATA": {
    "source": "the public documentation",
    "headings": "approval-date | reimbursement-id | case-id | amazon-order-id | reason | sku | fnsku | asin | product-name | condition | currency-unit | amount-per-unit | amount-total | quantity-reimbursed-total | original-reimbursement-id",
    "depends": "the country",
  },
  "GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2": {
    "source": "the public documentation and the sandbox's report",
    "headings": "settlement-id | settlement-start-date | settlement-end-date | deposit-date | total-amount | currency | transaction-type | order-id | merchant-order-id | adjustment-id | shipment-id | marketplace-name | amount-type | amount-description | amount | fulfillment-id | posted-date | posted-date-time | order-item-code | merchant-order-item-id | merchant-adjustment-item-id | sku | quantity-purchased | promotion-id",
    "depends": "the country",
  },
  "GET_SALES_AND_TRAFFIC_REPORT": {
    "source": "the JSON Schema of this report in the public repository of the definitions",
    "depends": "asinGranularity (child_asin, sku); sellers to businesses get most columns once more, with b2_b behind",
    "lists": {
      "": {
        "p": {
          "reportSpecification": {
            "p": {
              "reportType": "s",
              "reportOptions": {"p":{"dateGranularity":"s","asinGranularity":"s"}},
              "dataStartTime": "s:date",
              "dataEndTime": "s:date",
              "marketplaceIds": ["s"],
            },
          },
        },
      },
      "salesAndTrafficByDate": {
        "p": {
          "date": "s:date",
          "salesByDate": {
            "p": {
              "orderedProductSales": {"p":{"amount":"n","currencyCode":"s"}},
              "unitsOrdered": "i",
              "totalOrderItems": "i",
              "averageSalesPerOrderItem": {"p":{"amount":"n","currencyCode":"s"}},
              "averageUnitsPerOrderItem": "n",
              "averageSellingPrice": {"p":{"amount":"n","currencyCode":"s"}},
              "unitsRefunded": "i",
              "refundRate": "n",
              "claimsGranted": "i",
              "claimsAmount": {"p":{"amount":"n","currencyCode":"s"}},
              "shippedProductSales": {"p":{"amount":"n","currencyCode":"s"}},
              "unitsShipped": "i",
              "ordersShipped": "i",
            },
          },
          "trafficByDate": {
            "p": {
              "browserPageViews": "i",
              "mobileAppPageViews": "i",
              "pageViews": "i",
              "browserSessions": "i",
              "mobileAppSessions": "i",
              "sessions": "i",
              "buyBoxPercentage": "n",
              "orderItemSessionPercentage": "n",
              "unitSessionPercentage": "n",
              "averageOfferCount": "i",
              "averageParentItems": "i",
              "feedbackReceived": "i",
              "negativeFeedbackReceived": "i",
              "receivedNegativeFeedbackRate": "n",
            },
          },
        },
      },
      "salesAndTrafficByAsin": {
        "p": {
          "parentAsin": "s",
          "childAsin": "s",
          "sku": "s",
          "salesByAsin": {"p":{"unitsOrdered":"i","orderedProductSales":{"p":{"amount":"n","currencyCode":"s"}},"totalOrderItems":"i"}},
          "trafficByAsin": {
            "p": {
              "browserSessions": "i",
              "mobileAppSessions": "i",
              "sessions": "i",
              "browserSessionPercentage": "n",
              "mobileAppSessionPercentage": "n",
              "sessionPercentage": "n",
              "browserPageViews": "i",
              "mobileAppPageViews": "i",
              "pageViews": "i",
              "browserPageViewsPercentage": "n",
              "mobileAppPageViewsPercentage": "n",
              "pageViewsPercentage": "n",
              "buyBoxPercentage": "n",
              "unitSessionPercentage": "n",
            },
          },
        },
      },
    },
  },
};
