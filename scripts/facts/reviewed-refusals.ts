/** What in a 2xx answer says no where names alone do not tell, reviewed by hand, each with its reason. */

import type { Refusal } from '../../src/service/facts/operation.ts';

export interface ReviewedRefusals {
  reason: string;
  /** Beside what was found. */
  refusals?: readonly Refusal[];
  /** Members that look like a refusal and are none. */
  none?: readonly string[];
}

const filled = (member: string): Refusal => ({ member, when: 'filled' });
const is = (member: string, ...values: string[]): Refusal => ({ member, when: values });
const refused = (reason: string, ...refusals: Refusal[]): ReviewedRefusals => ({ reason, refusals });
const harmless = (reason: string, ...members: string[]): ReviewedRefusals => ({ reason, none: members });

const estimate = (at: string) =>
  refused(
    'an estimate that could not be made comes in a 200',
    is(`${at}.Status`, 'ClientError', 'ServiceError'),
    filled(`${at}.Error`),
  );
const listing = harmless('issues come with accepted submissions too; the status tells', 'issues[].severity');
const batch = harmless('the errors of one inner request, whose status code tells', 'responses[].body.errors');
const schedule = harmless('failures of earlier transfers', 'transferScheduleFailures');
const parcel = (at: string) => harmless('a state of the parcel, not of the call', at);

export const reviewedRefusals: Readonly<Record<string, ReviewedRefusals>> = {
  'fees/getMyFeesEstimateForSKU': estimate('payload.FeesEstimateResult'),
  'fees/getMyFeesEstimateForASIN': estimate('payload.FeesEstimateResult'),
  'fees/getMyFeesEstimates': estimate('[]'),
  'listings-items/putListingsItem': listing,
  'listings-items/patchListingsItem': listing,
  'listings-items/deleteListingsItem': listing,
  'product-pricing/getItemOffersBatch': batch,
  'product-pricing/getListingOffersBatch': batch,
  'product-pricing/getFeaturedOfferExpectedPriceBatch': batch,
  'product-pricing/getCompetitiveSummary': batch,
  'external-fulfilment/batchInventory': harmless(
    'the errors of one inner request, whose status code tells',
    'responses[].body.actionableErrors',
  ),
  'external-fulfilment/generateShipLabels': refused(
    'each package succeeds or fails for itself',
    is('packageShipLabelList[].status', 'FAILURE'),
    filled('packageShipLabelList[].errorDetails'),
  ),
  'outbound-fulfilment/createFulfillmentReturn': refused(
    'items that cannot be returned come beside those that can',
    filled('payload.invalidReturnItems'),
  ),
  'scheduled-package-delivery/createScheduledPackageBulk': {
    reason: 'orders that could not be scheduled come beside those that could',
    refusals: [filled('rejectedOrders')],
    none: ['scheduledPackages[].packageStatus'],
  },
  'scheduled-package-delivery/createScheduledPackage': parcel('packageStatus'),
  'scheduled-package-delivery/updateScheduledPackages': parcel('packages[].packageStatus'),
  'merchant-fulfillment/getEligibleShipmentServices': harmless(
    'services that do not fit are an answer, not a refusal',
    'payload.RejectedShippingServiceList',
  ),
  'seller-wallet/createTransaction': refused(
    'a transfer that failed at once comes in a 200',
    is('transaction.transactionStatus', 'FAILED', 'FAILED_CREDITS_APPLIED', 'EXPIRED'),
    filled('transaction.transactionFailureReason'),
  ),
  'seller-wallet/createTransferSchedule': schedule,
  'seller-wallet/updateTransferSchedule': schedule,
  'service/createReservation': refused('errors of the reservation stand beside it', filled('payload.errors')),
  'service/updateReservation': refused('errors of the reservation stand beside it', filled('payload.errors')),
  'service/updateSchedule': refused(
    'each day of the schedule has errors of its own',
    filled('payload[].errors'),
  ),
};
