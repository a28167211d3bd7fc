/** The views of reports, one file of SQL each, as the module that the program loads. */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { literalOf } from './literal.ts';

const FOLDER = 'src/data/tables/views';
const HEAD = /^-- report: (GET_\w+)\n-- holds: (.+)\n/;

export const readReportViews = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => [basename(name, '.sql'), readView(join(FOLDER, name))] as const);

export function generateReportViews(): GeneratedFile {
  return {
    path: 'src/data/tables/generated/report-views.ts',
    text: [
      `/** Generated from ${FOLDER} by scripts/generate.ts. Do not edit. */`,
      '',
      "import type { ReportView } from '../report-views.ts';",
      '',
      `export const reportViews: Readonly<Record<string, ReportView>> = ${literalOf(Object.fromEntries(readReportViews()))};`,
      '',
    ].join('\n'),
  };
}

function readView(path: string) {
  const text = readFileSync(path, 'utf8');
  const [head, reportType, holds] = HEAD.exec(text) ?? [];
  if (head === undefined)
    throw new Error(`${path} does not begin with the lines "-- report: GET_..." and "-- holds: ..."`);
  return { reportType, holds, sql: text.slice(head.length).trim() };
}
