/** Generated from src/data/tables/views by scripts/generate.ts. Do not edit. */

import type { ReportView } from '../report-views.ts';

export const reportViews: Readonly<Record<string, ReportView>> = {
  "daily_sales": {"reportType":"GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL","holds":"orders, units and sales by day of the account's marketplace; cancelled orders are left out, pending ones have no price yet","sql":"SELECT\n  local_date(purchase_date) AS day,\n  marketplace,\n  currency,\n  count(DISTINCT amazon_order_id) AS orders,\n  sum(quantity) AS units,\n  sum(item_price) AS sales,\n  sum(item_tax) AS tax,\n  sum(shipping_price) AS shipping,\n  sum(item_promotion_discount) AS discounts\nFROM source\nWHERE lower(order_status) NOT IN ('cancelled', 'canceled')\nGROUP BY day, marketplace, currency"},
  "settlement_totals": {
    "reportType": "GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2",
    "holds": "each settlement by kind of amount; the amounts of a settlement add up to its deposit",
    "sql": "SELECT\n  settlement_id,\n  deposit_date,\n  currency,\n  deposit,\n  CASE\n    WHEN transaction_type = 'Refund' THEN 'refunds'\n    WHEN amount_type = 'ItemPrice' AND amount_description = 'Principal' THEN 'product sales'\n    WHEN amount_type IN ('ItemPrice', 'ItemWithheldTax') AND amount_description LIKE '%Tax%' THEN 'tax'\n    WHEN amount_type = 'ItemPrice' THEN 'shipping and gift wrap'\n    WHEN amount_type = 'Promotion' THEN 'promotions'\n    WHEN amount_type = 'ItemFees' THEN 'fees of orders'\n    WHEN amount_description = 'StorageRenewalBilling' THEN 'aged inventory surcharge'\n    WHEN amount_type = 'other-transaction' THEN lower(coalesce(nullif(amount_description, ''), 'other'))\n    ELSE coalesce(nullif(amount_type, ''), transaction_type, 'other')\n  END AS kind,\n  sum(amount) AS amount,\n  count(*) AS lines\nFROM (\n  -- The deposit stands in the first row of a settlement only.\n  SELECT *, max(total_amount) OVER (PARTITION BY settlement_id) AS deposit FROM source\n)\n-- Some files repeat the whole deposit as a transfer, so that all lines would add up to nothing.\nWHERE amount IS NOT NULL AND coalesce(transaction_type, '') <> 'Transfer'\nGROUP BY settlement_id, deposit_date, currency, deposit, kind",
  },
};
