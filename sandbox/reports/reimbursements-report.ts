/** GET_FBA_REIMBURSEMENTS_DATA: what the service paid for units that it lost, or that buyers were refunded for. */

import columns from '../recorded/report-columns.json' with { type: 'json' };
import { amountText } from '../world/plain-values.ts';
import { type Reimbursement, reimbursementId } from '../world/reimbursements.ts';
import { isInTime, longerThan, tableReport } from './report-type.ts';

export const reimbursementsReport = tableReport<Reimbursement>({
  failure: longerThan(549),
  head: columns.reimbursements,
  values: {
    'approval-date': ({ approvedAt }) => new Date(approvedAt).toISOString().replace(/\.\d+Z$/, '+00:00'),
    'reimbursement-id': reimbursementId,
    'amazon-order-id': ({ order }) => order?.id ?? '',
    reason: ({ reason }) => reason,
    sku: ({ row }) => row.sku,
    fnsku: ({ row }) => row.fnSku ?? '',
    asin: ({ row }) => row.asin,
    'product-name': ({ row }) => row.title,
    condition: 'Sellable',
    'currency-unit': ({ market }) => market.currency,
    'amount-per-unit': ({ centsPerUnit, market }) => amountText(centsPerUnit, market),
    'amount-total': ({ centsPerUnit, units, market }) => amountText(centsPerUnit * units, market),
    'quantity-reimbursed-cash': ({ units }) => units,
    'quantity-reimbursed-inventory': 0,
    'quantity-reimbursed-total': ({ units }) => units,
  },
  rows: (world, request) => world.reimbursements().filter(({ approvedAt }) => isInTime(request, approvedAt)),
});
