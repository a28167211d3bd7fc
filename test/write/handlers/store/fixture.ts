/** A supply source as the public sandbox's answers are shaped, with members that nobody has described. */

import type { JsonObject } from '../../../../src/base/json.ts';

const contactDetails = { primary: { email: 'store@example.com', phone: '+49 30 1234567' } };
const open = [{ startTime: '09:00', endTime: '18:00' }];

/** A new object each time, so that a test may change it. */
export function buildCurrentState(): JsonObject {
  return {
    supplySourceId: 'ss-1',
    supplySourceCode: 'code-1',
    alias: 'North store',
    status: 'Active',
    address: { name: 'North', addressLine1: 'Street 1', countryCode: 'DE' },
    configuration: {
      operationalConfiguration: {
        contactDetails,
        throughputConfig: { throughputCap: { value: 1, timeUnit: 'Days' }, throughputUnit: 'Order' },
        handlingTime: { value: 1, timeUnit: 'Hours' },
        operatingHoursByDay: { monday: open, saturday: open, sunday: open },
      },
      timezone: 'Europe/Berlin',
      holidayPlan: 'plan-7',
    },
    capabilities: {
      outbound: {
        isSupported: true,
        returnLocation: {
          supplySourceId: 'ss-2',
          addressWithContact: { contactDetails, address: { city: 'Berlin' } },
        },
        deliveryChannel: { isSupported: false },
      },
      services: { isSupported: true, operationalConfiguration: { operatingHoursByDay: { monday: open } } },
    },
    loyaltyProgram: { level: 3 },
    createdAt: '1.596578152E9',
    updatedAt: '1.596842808E9',
  };
}
