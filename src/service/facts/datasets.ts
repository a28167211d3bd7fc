/** The datasets of Data Kiosk: their queries, the inputs, and the fields of the results. */

/** Name -> GraphQL type. */
export type Members = Readonly<Record<string, string>>;

export interface DatasetQuery {
  takes: Members;
  /** The name of the type of its items. */
  gives: string;
}

export interface Dataset {
  /** The one field of the schema's root, which contains the queries. */
  root: string;
  queries: Readonly<Record<string, DatasetQuery>>;
  types: Readonly<Record<string, Members>>;
  inputs: Readonly<Record<string, Members>>;
  enums: Readonly<Record<string, readonly string[]>>;
}

/** Recognizes names of datasets, which are requested like reports. */
export const isDatasetName = (name: string): boolean => /^analytics_/i.test(name);

/** Loads a dataset; undefined for an unknown one. */
export async function loadDataset(name: string): Promise<Dataset | undefined> {
  const { default: datasets } = await import('./generated/datasets.json', { with: { type: 'json' } });
  const all: Readonly<Record<string, Dataset>> = datasets;
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
