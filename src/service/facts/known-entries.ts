/** Entries of the document that can be named but not called, and why (sections 4.2 and 4.4). */

export interface KnownEntry {
  id: string;
  group: string;
  name: string;
  method: 'GET' | 'POST';
  reason: string;
}

export const knownEntries: readonly KnownEntry[] = [
  {
    id: 'authorization/Authorization',
    group: 'Authorization',
    name: 'Authorization',
    method: 'POST',
    reason: 'neither the document nor the public definitions give its path or parameters',
  },
  {
    id: 'catalog-v0/listCatalogItems',
    group: 'Catalog v0 (deprecated)',
    name: 'listCatalogItems',
    method: 'GET',
    reason:
      'withdrawn on 2022-09-30 and described nowhere; use catalog-items/searchCatalogItems (2022-04-01) instead',
  },
];
