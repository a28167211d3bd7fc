import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { catalogItemV0, supplySourceWrite } from '../../src/service/facts/documented-operations.ts';
import { serviceErrorSchema, statusLabels } from '../../src/service/shapes/error.ts';
import { supplySourceSchema } from '../../src/service/shapes/supply-source.ts';
import { tokenResponseSchema } from '../../src/service/shapes/token.ts';
import { words } from '../helpers/words.ts';

describe('supply source (section 2.4)', () => {
  const operational = {
    contactDetails: { primary: { email: 'store@example.com', phone: '+49 30 1234' } },
    throughputConfig: { throughputCap: { value: 10, timeUnit: 'Hours' }, throughputUnit: 'Order' },
    operatingHoursByDay: Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
        day,
        [{ startTime: '09:00', endTime: '18:00' }],
      ]),
    ),
    handlingTime: { value: 2, timeUnit: 'Hours' },
  };
  const address = Object.fromEntries(
    ['addressLine1', 'addressLine2', 'addressLine3', 'city', 'countryCode', 'county', 'district', 'name']
      .concat(['phoneNumber', 'postalCode', 'stateOrRegion'])
      .map((member) => [member, 'x']),
  );
  const parking = {
    parkingCostType: 'Free',
    parkingSpotIdentificationType: 'Numbered',
    numberOfParkingSpots: 4,
  };
  const channel = { isSupported: true, operationalConfiguration: operational };
  const whole = {
    alias: 'Shop 1',
    configuration: { operationalConfiguration: operational, timezone: 'Europe/Berlin' },
    capabilities: {
      outbound: {
        ...channel,
        returnLocation: {
          supplySourceId: 's1',
          addressWithContact: { contactDetails: operational.contactDetails, address },
        },
        deliveryChannel: channel,
        pickupChannel: {
          ...channel,
          inventoryHoldPeriod: { value: 3, timeUnit: 'Days' },
          inStorePickupConfiguration: { isSupported: true, parkingConfiguration: parking },
          curbsidePickupConfiguration: channel,
          parkingWithAddressConfiguration: { ...parking, address },
        },
      },
      services: channel,
    },
  };

  test('takes every documented member, and none is required', () => {
    expect(supplySourceSchema.parse(whole)).toEqual(whole);
    expect(supplySourceSchema.parse({})).toEqual({});
  });

  test.each([
    ['unknown at the top', { ...whole, colour: 'red' }],
    ['unknown at depth', { capabilities: { outbound: { deliveryChannel: { isSuported: true } } } }],
    ['wrong type', { capabilities: { services: { isSupported: 'yes' } } }],
    [
      'broken integer',
      {
        capabilities: {
          outbound: { pickupChannel: { parkingWithAddressConfiguration: { numberOfParkingSpots: 1.5 } } },
        },
      },
    ],
  ])('refuses: %s', (_, body) => {
    expect(supplySourceSchema.safeParse(body).success).toBe(false);
  });

  test('JSON Schema names each repeated sub-object once and stays small', () => {
    const json = JSON.stringify(z.toJSONSchema(supplySourceSchema, { io: 'input' }));
    const { $defs = {} } = z.toJSONSchema(supplySourceSchema);
    expect(Object.keys($defs).sort()).toEqual([
      'Address',
      'ContactDetails',
      'Duration',
      'OperatingHours',
      'OperationalConfiguration',
      'ParkingConfiguration',
    ]);
    expect(json.length).toBeLessThan(5100);
    expect(json.match(/throughputCap/g)).toHaveLength(1);
  });

  test('the operation record carries the same shape, without prose and without bounds nobody stated', () => {
    const { body, defs } = supplySourceWrite();
    expect(Object.keys(body?.schema.properties ?? {})).toEqual(['alias', 'configuration', 'capabilities']);
    expect(body?.schema.additionalProperties).toBe(false);
    expect(JSON.stringify(defs)).not.toMatch(/description|9007199254740991/);
    expect(supplySourceWrite()).toBe(supplySourceWrite());
  });
});

test('the record of the catalog lookup names exactly the documented parameters (section 4.2)', () => {
  expect(catalogItemV0.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
    ['asin', 'path', true],
    ['MarketplaceId', 'query', true],
  ]);
});

test('a token answer keeps what it gets; an odd member is as good as none, but a token there must be (section 2.2)', () => {
  const response = {
    access_token: 'a',
    refresh_token: 'r',
    token_type: 'bearer',
    expires_in: 3600,
    extra: 1,
  };
  expect(tokenResponseSchema.parse(response)).toEqual({ ...response, token_type: words('bearer') });
  const odd = { access_token: 'a', refresh_token: '', token_type: 1, expires_in: {} };
  expect(tokenResponseSchema.parse(odd)).toEqual({ access_token: 'a' });
  expect(tokenResponseSchema.parse({ access_token: 'a', expires_in: '60' })).toMatchObject({
    expires_in: '60',
  });
  for (const access_token of ['', 'a b', 'a\n', undefined, 1]) {
    expect(tokenResponseSchema.safeParse({ access_token }).success).toBe(false);
  }
});

test('an error is read as it comes, and every listed status has its label (section 7)', () => {
  const error = { code: 'InvalidInput', message: 'm', details: 'd', more: {} };
  expect(serviceErrorSchema.parse(error)).toEqual({
    ...error,
    code: words(error.code),
    message: words(error.message),
    details: words(error.details),
  });
  expect(serviceErrorSchema.parse({ code: 7, message: {}, details: true })).toEqual({
    code: words('7'),
    details: words('true'),
  });
  expect(Object.keys(statusLabels)).toEqual(['200', '400', '401', '403', '404', '429', '500', '503']);
  expect(statusLabels[404]).toBe('Record Not Found');
});
