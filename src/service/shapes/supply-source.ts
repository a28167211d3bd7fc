/**
 * The supply source configuration that the PUT takes (section 2.4); strict, so that a misspelled member is an
 * error.
 */

import * as z from 'zod';

/** Section 2.4; `throughputCap` has the same shape. */
const durationSchema = z
  .strictObject({
    value: z.number().optional(),
    timeUnit: z.string().optional().describe('Such as Hours'),
  })
  .meta({ id: 'Duration' });

/** Section 2.4: eleven strings. */
const addressSchema = z
  .strictObject({
    addressLine1: z.string().optional(),
    addressLine2: z.string().optional(),
    addressLine3: z.string().optional(),
    city: z.string().optional(),
    countryCode: z.string().optional(),
    county: z.string().optional(),
    district: z.string().optional(),
    name: z.string().optional(),
    phoneNumber: z.string().optional(),
    postalCode: z.string().optional(),
    stateOrRegion: z.string().optional(),
  })
  .meta({ id: 'Address' });

/** Section 2.4. */
const contactDetailsSchema = z
  .strictObject({
    primary: z.strictObject({ email: z.string().optional(), phone: z.string().optional() }).optional(),
  })
  .meta({ id: 'ContactDetails' });

/** One day's hours; the document does not show the time format, so any string is accepted. */
const operatingHoursSchema = z
  .array(
    z.strictObject({
      startTime: z.string().optional().describe('Such as 09:00'),
      endTime: z.string().optional(),
    }),
  )
  .meta({ id: 'OperatingHours' });

const day = operatingHoursSchema.optional();

/** Section 2.4: used in seven members of the configuration. */
const operationalConfigurationSchema = z
  .strictObject({
    contactDetails: contactDetailsSchema.optional(),
    throughputConfig: z
      .strictObject({
        throughputCap: durationSchema.optional(),
        throughputUnit: z.string().optional().describe('Such as Order'),
      })
      .optional(),
    operatingHoursByDay: z
      .strictObject({
        monday: day,
        tuesday: day,
        wednesday: day,
        thursday: day,
        friday: day,
        saturday: day,
        sunday: day,
      })
      .optional(),
    handlingTime: durationSchema.optional(),
  })
  .meta({ id: 'OperationalConfiguration' });

/** Section 2.4. */
const parkingConfigurationSchema = z
  .strictObject({
    parkingCostType: z.string().optional().describe('Such as Free'),
    parkingSpotIdentificationType: z.string().optional().describe('Such as Numbered'),
    numberOfParkingSpots: z.int().optional(),
  })
  .meta({ id: 'ParkingConfiguration' });

const isSupported = z.boolean().optional();
const operationalConfiguration = operationalConfigurationSchema.optional();

const pickupChannelSchema = z.strictObject({
  inventoryHoldPeriod: durationSchema.optional(),
  isSupported,
  operationalConfiguration,
  inStorePickupConfiguration: z
    .strictObject({ isSupported, parkingConfiguration: parkingConfigurationSchema.optional() })
    .optional(),
  curbsidePickupConfiguration: z.strictObject({ isSupported, operationalConfiguration }).optional(),
  parkingWithAddressConfiguration: parkingConfigurationSchema
    .extend({ address: addressSchema.optional() })
    .optional(),
});

const outboundSchema = z.strictObject({
  isSupported,
  operationalConfiguration,
  returnLocation: z
    .strictObject({
      supplySourceId: z.string().optional(),
      addressWithContact: z
        .strictObject({ contactDetails: contactDetailsSchema.optional(), address: addressSchema.optional() })
        .optional(),
    })
    .optional(),
  deliveryChannel: z.strictObject({ isSupported, operationalConfiguration }).optional(),
  pickupChannel: pickupChannelSchema.optional(),
});

/** Section 2.4: the whole body. The document does not show required members, so none is required. */
export const supplySourceSchema = z.strictObject({
  alias: z.string().optional().describe('Name of the store'),
  configuration: z
    .strictObject({
      operationalConfiguration,
      timezone: z.string().optional().describe('Such as Europe/Berlin'),
    })
    .optional(),
  capabilities: z
    .strictObject({
      outbound: outboundSchema.optional(),
      services: z.strictObject({ isSupported, operationalConfiguration }).optional(),
    })
    .optional(),
});
