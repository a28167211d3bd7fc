-- report: GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL
-- holds: orders, units and sales by day of the account's marketplace; cancelled orders are left out, pending ones have no price yet
SELECT
  local_date(purchase_date) AS day,
  marketplace,
  currency,
  count(DISTINCT amazon_order_id) AS orders,
  sum(quantity) AS units,
  sum(item_price) AS sales,
  sum(item_tax) AS tax,
  sum(shipping_price) AS shipping,
  sum(item_promotion_discount) AS discounts
FROM source
WHERE lower(order_status) NOT IN ('cancelled', 'canceled')
GROUP BY day, marketplace, currency
