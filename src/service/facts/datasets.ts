/** The datasets of Data Kiosk: which queries each has, what they take, and the fields of what they give. */

/** Name -> GraphQL type. */
export type Members = Readonly<Record<string, string>>;

export interface DatasetQuery {
  takes: Members;
  /** Name of the type of its items. */
  gives: string;
}

export interface Dataset {
  /** The one field of the schema's root, below which the queries stand. */
  root: string;
  queries: Readonly<Record<string, DatasetQuery>>;
  types: Readonly<Record<string, Members>>;
  inputs: Readonly<Record<string, Members>>;
  enums: Readonly<Record<string, readonly string[]>>;
}

/** Datasets are asked for as reports are; their names begin so. */
export const isDatasetName = (name: string): boolean => /^analytics_/i.test(name);

/** Undefined for one that is not known here. */
export async function loadDataset(name: string): Promise<Dataset | undefined> {
  const { default: datasets } = await import('./generated/datasets.json', { with: { type: 'json' } });
  const all: Readonly<Record<string, Dataset>> = datasets;
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
