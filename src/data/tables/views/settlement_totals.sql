-- report: GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2
-- holds: each settlement by kind of amount; the amounts of a settlement add up to its deposit
SELECT
  settlement_id,
  deposit_date,
  currency,
  deposit,
  CASE
    WHEN transaction_type = 'Refund' THEN 'refunds'
    WHEN amount_type = 'ItemPrice' AND amount_description = 'Principal' THEN 'product sales'
    WHEN amount_type IN ('ItemPrice', 'ItemWithheldTax') AND amount_description LIKE '%Tax%' THEN 'tax'
    WHEN amount_type = 'ItemPrice' THEN 'shipping and gift wrap'
    WHEN amount_type = 'Promotion' THEN 'promotions'
    WHEN amount_type = 'ItemFees' THEN 'fees of orders'
    WHEN amount_description = 'StorageRenewalBilling' THEN 'aged inventory surcharge'
    WHEN amount_type = 'other-transaction' THEN lower(coalesce(nullif(amount_description, ''), 'other'))
    ELSE coalesce(nullif(amount_type, ''), transaction_type, 'other')
  END AS kind,
  sum(amount) AS amount,
  count(*) AS lines
FROM (
  -- The deposit stands in the first row of a settlement only.
  SELECT *, max(total_amount) OVER (PARTITION BY settlement_id) AS deposit FROM source
)
-- Some files repeat the whole deposit as a transfer, so that all lines would add up to nothing.
WHERE amount IS NOT NULL AND coalesce(transaction_type, '') <> 'Transfer'
GROUP BY settlement_id, deposit_date, currency, deposit, kind
