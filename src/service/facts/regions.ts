/** The addresses of the public service by region. */

export const REGIONS = ['na', 'eu', 'fe'] as const;
export type Region = (typeof REGIONS)[number];

/**
 * Returns the addresses of a region. `spApiSandbox` selects its sandbox, which uses the same identity
 * provider.
 */
export function addressesFor(region: Region, spApiSandbox: boolean): { baseUrl: string; authUrl: string } {
  const host = `sellingpartnerapi-${region}.amazon.com`;
  return {
    baseUrl: `https://${spApiSandbox ? 'sandbox.' : ''}${host}`,
    authUrl: 'https://api.amazon.com',
  };
}

/** The names of the regions for a sentence. */
export const REGION_NAMES: Readonly<Record<Region, string>> = {
  na: 'North America (na)',
  eu: 'Europe (eu)',
  fe: 'Far East (fe)',
};

/** Returns the region of an address, including its sandbox; undefined for any other address. */
export const regionOf = (baseUrl: string): Region | undefined => REGION_BY_ADDRESS.get(baseUrl);

const REGION_BY_ADDRESS: ReadonlyMap<string, Region> = new Map(
  REGIONS.flatMap((region) =>
    [true, false].map((isSandbox) => [addressesFor(region, isSandbox).baseUrl, region] as const),
  ),
);
