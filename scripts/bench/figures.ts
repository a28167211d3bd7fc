/** Stores the rows of each point in docs/benchmarks.json, and renders the chart and the table of docs/benchmarks.md. */

import { readFile, writeFile } from 'node:fs/promises';
import { type Machine, machineText } from './machine.ts';
import { formatFigure, formatNumber, type Row } from './report.ts';

const FIGURES = 'docs/benchmarks.json';

type Figures = Readonly<Record<string, { measured: string; rows: readonly Omit<Row, 'point'>[] }>>;

/** Reads what was measured last, by the number of the point. */
export const readFigures = async (): Promise<Figures> => JSON.parse(await readFile(FIGURES, 'utf8'));

/** Stores a run. The points that it leaves out keep the figures that they have. */
export async function writeFigures(machine: Machine, rows: readonly Row[]): Promise<void> {
  const ran = Object.groupBy(rows, ({ point }) => point);
  const now = Object.entries(ran).map(([point, own = []]) => {
    const withoutPoint = own.map(({ point: _, ...row }) => row);
    return [point, { measured: machineText(machine), rows: withoutPoint }] as const;
  });
  await writeFile(FIGURES, formatFigures({ ...(await readFigures()), ...Object.fromEntries(now) }));
}

/** Formats a row a line, so that a diff shows the figures that changed. */
function formatFigures(figures: Figures): string {
  const points = Object.entries(figures).map(([point, { measured, rows }]) => {
    const lines = rows.map((row) => `      ${JSON.stringify(row)}`).join(',\n');
    return `  "${point}": {\n    "measured": ${JSON.stringify(measured)},\n    "rows": [\n${lines}\n    ]\n  }`;
  });
  return `{\n${points.join(',\n')}\n}\n`;
}

/** Names a row of the page: its words there, its point, and a pattern of its measure. The worst of several is shown. */
const HEADLINES: readonly (readonly [words: string, point: number, measure: RegExp])[] = [
  ['start, until `initialize` is answered', 1, /^spawn to initialize$/],
  ['memory after `tools/list`', 2, /^peak memory at idle/],
  ['memory after a thousand calls', 2, /^peak memory after 1000 calls$/],
  ['one listing, median time', 4, /^a listing read, 1 in flight: p50$/],
  ['one listing, 32 at once, calls a second', 4, /^a listing read, 32 in flight: calls$/],
  ['300 KB of listings, processor time', 4, /^300 KB read, 1 in flight: processor time/],
  ['the worst answer of 2 MB: other calls wait', 8, /^answer: .*main thread held$/],
  ['the worst arguments of 4 MB: other calls wait', 8, /^arguments: .*main thread held$/],
  ['the worst of both: memory', 8, /peak memory of the process$/],
  ['a report of 2 million rows as a table', 9, /fetched and loaded$/],
  ['the same: memory', 9, /peak memory of the process$/],
  ['25,000 prices changed', 12, /prices changed: from the call/],
  ['the same: memory', 12, /prices changed: peak memory$/],
  ['four processes, one limit: its share that is used', 15, /^5\/s burst 10: succeeded/],
  ['four processes: calls that were refused', 15, /^5\/s burst 10: 429s$/],
];
/** Programs that the others are compared with. */
const BARE = ['bare Node', 'empty server', 'bare tool', 'bare script'];

interface Headline {
  words: string;
  row: Omit<Row, 'point'>;
}

function findHeadlines(figures: Figures): Headline[] {
  return HEADLINES.flatMap(([words, point, measure]) => {
    const [row] = (figures[point]?.rows ?? [])
      .filter((one) => measure.test(one.measure) && !BARE.includes(one.program))
      .filter((one) => !one.program.includes(' --'))
      .sort((one, other) => other.value.median - one.value.median);
    return row === undefined ? [] : [{ words, row }];
  });
}

/** Renders the table: a line for each headline, with its figure, what it is compared with and its target. */
export function renderFigures(figures: Figures): string {
  const lines = findHeadlines(figures).map(({ words, row }) => {
    const { ratio, target } = row;
    const compared = ratio === undefined ? '' : `${formatNumber(ratio.value.median)} times the ${ratio.to}`;
    const judged = target === undefined ? '' : `${target.text}: ${target.met ? 'met' : '**missed**'}`;
    return `| ${words} | ${formatFigure(row)} | ${compared} | ${judged} |`;
  });
  return ['| measured | figure | compared | target |', '|---|---|---|---|', ...lines].join('\n');
}

/** Renders a bar for each headline that is compared with a program that does less. */
export function renderChart(figures: Figures): string {
  // More calls a second are better, so that a rate does not belong beside what should be small.
  const compared = findHeadlines(figures).flatMap(({ words, row: { ratio, unit } }) =>
    ratio === undefined || unit === '/s' ? [] : [{ words, ratio: ratio.value.median }],
  );
  const names = compared
    .map(({ words }) => JSON.stringify(words.split(',')[0]?.replaceAll('`', '')))
    .join(', ');
  const bars = compared.map(({ ratio }) => ratio.toFixed(2)).join(', ');
  return [
    '```mermaid',
    'xychart-beta horizontal',
    '  title "Times what a program needs that does less"',
    `  x-axis [${names}]`,
    `  y-axis "times" 0 --> ${Math.ceil(Math.max(...compared.map(({ ratio }) => ratio)))}`,
    `  bar [${bars}]`,
    '```',
  ].join('\n');
}
