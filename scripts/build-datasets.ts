/**
 * Builds src/service/facts/generated/datasets.json from a folder of public Data Kiosk schemas: what each dataset takes and
 * gives. Names and types only: the schemas' prose is not part of this project.
 *
 *   tsx scripts/build-datasets.ts <folder>           writes the file
 *   tsx scripts/build-datasets.ts <folder> --check   says whether the committed file is what the folder gives (exit 1: no)
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { Dataset, Members } from '../src/service/facts/datasets.ts';

const TARGET = join(import.meta.dirname, '../src/service/facts/generated/datasets.json');

type Described = Pick<GraphQLInputField, 'name'> & { type: object };

function membersOf(fields: readonly Described[]): Members {
  return Object.fromEntries(fields.map(({ name, type }) => [name, String(type)]));
}

function fieldsOf(fields: readonly GraphQLField<unknown, unknown>[]): Members {
  const strange = fields.find(({ args }) => args.length > 0);
  if (strange !== undefined) throw new Error(`${strange.name}: a field below a query takes arguments`);
  return membersOf(fields);
}

function describeTypes(types: readonly GraphQLNamedType[]): Pick<Dataset, 'types' | 'inputs' | 'enums'> {
  const types_: Record<string, Members> = {};
  const inputs: Record<string, Members> = {};
  const enums: Record<string, readonly string[]> = {};
  for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
    if (isUnionType(type)) throw new Error(`${type.name}: unions are not known here`);
    if (isObjectType(type)) types_[type.name] = fieldsOf(Object.values(type.getFields()));
    else if (isInputObjectType(type)) inputs[type.name] = membersOf(Object.values(type.getFields()));
    else if (isEnumType(type)) enums[type.name] = type.getValues().map(({ name }) => name);
  }
  return { types: types_, inputs, enums };
}

/** @throws Error for a schema of another shape */
function readDataset(schema: GraphQLSchema): Dataset {
  const [root, ...more] = Object.values(schema.getQueryType()?.getFields() ?? {});
  const holder = root && getNamedType(root.type);
  if (root === undefined || more.length > 0 || !isObjectType(holder)) throw new Error('no single dataset');
  const queries = Object.values(holder.getFields()).map(({ name, args, type }) => {
    const query = { takes: membersOf(args), gives: getNamedType(type).name };
    return [name, query] as const;
  });
  const roots = [holder, schema.getQueryType(), schema.getType('TypeRights')];
  const types = Object.values(schema.getTypeMap()).filter((type) => !roots.includes(type));
  return { root: root.name, queries: Object.fromEntries(queries), ...describeTypes(types) };
}

function buildDatasets(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const datasets = files.sort().map((name) => {
    const schema = buildSchema(readFileSync(join(folder, name), 'utf8'), { assumeValidSDL: true });
    return `${JSON.stringify(basename(name, '.graphql'))}:${JSON.stringify(readDataset(schema))}`;
  });
  return `{\n${datasets.join(',\n')}\n}\n`;
}

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder with the schemas.');
const text = buildDatasets(folder);
const isCurrent = existsSync(TARGET) && readFileSync(TARGET, 'utf8') === text;
if (!values.check) writeFileSync(TARGET, text);
else if (!isCurrent) process.exitCode = 1;
console.log(
  values.check && !isCurrent
    ? 'datasets.json differs: run scripts/build-datasets.ts with the same folder'
    : 'datasets are up to date',
);
