/** `npm run bench`: compares start-up, memory, calls, loads and limits with programs that do less, in one table. */

import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createContext, type Point } from './bench/context.ts';
import { writeFigures } from './bench/figures.ts';
import { describeMachine, machineText } from './bench/machine.ts';
import { measureCalls } from './bench/points/calls.ts';
import { measureCollecting } from './bench/points/collecting.ts';
import { measureLongLists } from './bench/points/long-lists.ts';
import { measureMemory } from './bench/points/memory.ts';
import { measureReplicas } from './bench/points/replicas.ts';
import { measureStartUp } from './bench/points/start-up.ts';
import { measureWorstInputs } from './bench/points/worst-inputs.ts';
import { buildPrograms } from './bench/programs.ts';
import { missedTargets, type Row, renderTable } from './bench/report.ts';

const POINTS: Readonly<Record<string, Point>> = {
  1: measureStartUp,
  2: measureMemory,
  4: measureCalls,
  8: measureWorstInputs,
  9: measureCollecting,
  12: measureLongLists,
  15: measureReplicas,
};
const USAGE = `npm run bench [-- OPTIONS]
  --quick         few repetitions, under 30 s: shows that everything runs, its figures say little
  --only 1,4      only these points (1 start-up, 2 memory, 4 calls, 8 worst inputs, 9 collected tables,
                  12 long lists, 15 replicas on a shared store)
  --write-docs    stores the figures in docs/benchmarks.json; npm run generate renders docs/benchmarks.md
  --strict        exit code 1 when a target is missed`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else process.exitCode = await bench();

async function bench(): Promise<number> {
  await buildPrograms();
  const context = createContext(values.quick);
  const machine = await describeMachine();
  const rows: Row[] = [];
  for (const point of chosenPoints()) {
    context.say(`measuring point ${point} ...`);
    rows.push(...((await POINTS[point]?.(context)) ?? []).map(judged));
  }
  console.log(`${machineText(machine)}\n${renderTable(rows)}`);
  await mkdir('build', { recursive: true });
  await writeFile('build/bench.json', `${JSON.stringify({ machine, quick: values.quick, rows }, null, 2)}\n`);
  if (values['write-docs']) await writeFigures(machine, rows);
  const missed = missedTargets(rows);
  if (missed.length > 0) console.log(`Targets missed: ${missed.length}.`);
  return values.strict && missed.length > 0 ? 1 : 0;
}

/** A quick run is too short to be judged. */
function judged(row: Row): Row {
  if (!values.quick) return row;
  const { target: _, ...figure } = row;
  return figure;
}

function chosenPoints(): string[] {
  const chosen = values.only?.split(',').map((point) => point.trim()) ?? Object.keys(POINTS);
  const unknown = chosen.filter((point) => !Object.hasOwn(POINTS, point));
  if (unknown.length > 0) throw new Error(`There is no point ${unknown.join(', ')}.\n${USAGE}`);
  return chosen;
}
