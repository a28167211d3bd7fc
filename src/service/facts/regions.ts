/** Addresses of the public service by region. */

export type Region = 'na' | 'eu' | 'fe';

/** `spApiSandbox`: the region's own sandbox; tokens come from the same identity provider either way. */
export function addressesFor(region: Region, spApiSandbox: boolean): { baseUrl: string; authUrl: string } {
  const host = `sellingpartnerapi-${region}.amazon.com`;
  return {
    baseUrl: `https://${spApiSandbox ? 'sandbox.' : ''}${host}`,
    authUrl: 'https://api.amazon.com',
  };
}
