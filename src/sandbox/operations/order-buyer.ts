/** Made-up buyers as orders v0 shows them. */

import type { Buyer } from '../world/people.ts';

export const showBuyer = ({ name, email }: Buyer): object => ({ BuyerEmail: email, BuyerName: name });

export const showAddress = ({ name, street, town, countryCode, phone }: Buyer): object => ({
  Name: name,
  AddressLine1: street,
  City: town.city,
  ...(town.state !== '' && { StateOrRegion: town.state }),
  PostalCode: town.postalCode,
  CountryCode: countryCode,
  Phone: phone,
  AddressType: 'Residential',
});
