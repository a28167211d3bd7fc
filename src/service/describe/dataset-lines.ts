/** Formats a Data Kiosk dataset as lines of text: its queries with their options, and the fields by type. */

import { namedType } from '../facts/dataset-fields.ts';
import type { Dataset, DatasetQuery, Members } from '../facts/datasets.ts';

export function datasetLines(dataset: Dataset): string[] {
  const queries = Object.entries(dataset.queries);
  return [
    'Queries (report.options.query), and the options each takes beside start, end and marketplaces; ! is required, and granularity stands for the one of DAY, WEEK, MONTH:',
    ...queries.flatMap(([name, query]) => queryLines(dataset, name, query)),
    'Fields by type, named in report.options.fields by path (totals.sales) or by its end (sales); columns are named by the path, in snake case:',
    ...typesOf(dataset).flatMap(([name, members]) => [
      `  ${name}: ${Object.entries(members)
        .map(([field, type]) => `${field} ${type}`)
        .join(', ')}`,
    ]),
  ];
}

function queryLines(dataset: Dataset, name: string, { takes, gives }: DatasetQuery): string[] {
  const options = Object.entries(takes).flatMap(([option, type]) => [
    `    ${option} ${type}${choicesOf(dataset, type)}`,
    ...Object.entries(dataset.inputs[namedType(type)] ?? {}).map(
      ([member, below]) =>
        `      ${type.startsWith('[') ? '' : `${option}.`}${member} ${below}${choicesOf(dataset, below)}`,
    ),
  ]);
  return [`  ${name}, of ${gives}`, ...options];
}

const choicesOf = ({ enums }: Dataset, type: string): string => {
  const choices = enums[namedType(type)];
  return choices === undefined ? '' : ` (${choices.join(', ')})`;
};

/** Returns the types of items first, then the types that they refer to. */
function typesOf({ queries, types }: Dataset): [string, Members][] {
  const names = new Set(Object.values(queries).map(({ gives }) => gives));
  // Iterating over a set includes elements that are added meanwhile.
  for (const name of names) {
    for (const type of Object.values(types[name] ?? {})) {
      if (Object.hasOwn(types, namedType(type))) names.add(namedType(type));
    }
  }
  return [...names].flatMap((name) => {
    const members = types[name];
    return members === undefined ? [] : [[name, members]];
  });
}
