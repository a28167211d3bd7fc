/** Addresses of the public service by region. */

export const REGIONS = ['na', 'eu', 'fe'] as const;
export type Region = (typeof REGIONS)[number];

/** `spApiSandbox`: the region's own sandbox; tokens come from the same identity provider either way. */
export function addressesFor(region: Region, spApiSandbox: boolean): { baseUrl: string; authUrl: string } {
  const host = `sellingpartnerapi-${region}.amazon.com`;
  return {
    baseUrl: `https://${spApiSandbox ? 'sandbox.' : ''}${host}`,
    authUrl: 'https://api.amazon.com',
  };
}

/** How a region is called in a sentence. */
export const REGION_NAMES: Readonly<Record<Region, string>> = {
  na: 'North America (na)',
  eu: 'Europe (eu)',
  fe: 'Far East (fe)',
};

/** Whose address this is, the sandbox's included; undefined for any other address. */
export const regionOf = (baseUrl: string): Region | undefined => REGION_BY_ADDRESS.get(baseUrl);

const REGION_BY_ADDRESS: ReadonlyMap<string, Region> = new Map(
  REGIONS.flatMap((region) =>
    [true, false].map((isSandbox) => [addressesFor(region, isSandbox).baseUrl, region] as const),
  ),
);
