/** `npm run bench -- --short`: calls and start next to those of twenty commits before, in under two minutes; what became dearer is told loudly. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../../sandbox/environment.ts';
import { callCatalog } from './catalog-call.ts';
import type { Context } from './context.ts';
import { buildEarlier, buildIn, findEarlier } from './earlier.ts';
import { openReader } from './listing-call.ts';
import { runLoad } from './load.ts';
import { processorMs } from './process-facts.ts';
import type { Program } from './programs.ts';
import { type Row, renderTable } from './report.ts';
import { type RunningService, startService } from './service.ts';
import type { Session } from './session.ts';
import { ratioOf, spreadOf } from './statistics.ts';

const COMMITS = 20;
/** Above this ratio it is told loudly, where three of four rounds say so: a busy machine makes any one of them slow. */
const LOUD = 1.3;
const ROUNDS = 7;
const STARTS = 15;
/** For each thing that is measured: on a busy machine there are fewer rounds, but never fewer than three. */
const LONGEST_MS = 15_000;
const FEWEST_ROUNDS = 3;
/** Compiled and warm before the first is counted. */
const WARM_UP_ROUNDS = 2;
interface Level {
  inFlight: number;
  calls: number;
}
const LEVELS: readonly Level[] = [
  { inFlight: 1, calls: 100 },
  { inFlight: 32, calls: 400 },
];
/** At a rate of 1,000 a second and bursts of 5 for each, of which at most four are in flight, none of them waits. */
const ACCOUNTS = 8;

/** One thing that is measured of both, a round at a time. */
interface Measured {
  what: string;
  unit: string;
  rounds: number;
  /** Wall time first, then the processor's where the system tells it. */
  measure(program: Program): Promise<readonly [number, number | undefined]>;
}

/** Never fails: it is a report. */
export async function reportShort(context: Context, write: (text: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-bench-'));
  try {
    const found = await findEarlier(COMMITS);
    if (typeof found === 'string') return write(found);
    if (found.before < COMMITS)
      write(`The history here has ${found.before + 1} commits: compared with the oldest.`);
    context.say('building both ...');
    const earlier = await buildEarlier(found.commit, found.before, folder);
    await buildIn('.');
    const now = { name: context.programs.ours.name, file: 'dist/main.mjs' };
    const rows = await compare(context, now, earlier.program);
    write(renderTable(rows));
    for (const line of loudLines(rows)) write(line);
  } catch (error) {
    write(`Not compared: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `DEARER: ...` for what takes that much longer, which the gate tells once more at its end. */
export function loudLines(rows: readonly Row[]): string[] {
  return rows.flatMap(({ measure, ratio }) =>
    ratio !== undefined && ratio.value.low > LOUD
      ? [`DEARER: ${measure}: ${ratio.value.median.toFixed(2)} times ${ratio.to}`]
      : [],
  );
}

async function compare(context: Context, now: Program, before: Program): Promise<Row[]> {
  const service = await startService(context);
  const opened: (() => Promise<void>)[] = [() => service.close()];
  try {
    const rows = await inTurn(startOf(context), now, before);
    const catalog = await openBoth([now, before], (program) => openCatalog(context, program, service));
    opened.push(...catalog.close);
    const listing = await openBoth([now, before], (program) => openListing(context, program, service));
    opened.push(...listing.close);
    for (const { inFlight, calls } of LEVELS) {
      for (const [what, { of }] of [
        ['get_catalog_item', catalog],
        ['read_operation of a listing', listing],
      ] as const) {
        const load = loadOf(`${what}, ${inFlight} in flight`, of, { inFlight, calls });
        rows.push(...(await inTurn(load, now, before)));
      }
    }
    return rows;
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

interface Caller {
  session: Session;
  call(): Promise<boolean>;
}

async function openBoth(programs: readonly Program[], open: (program: Program) => Promise<Caller>) {
  const callers = new Map<Program, Caller>();
  for (const program of programs) callers.set(program, await open(program));
  const of = (program: Program): Caller => {
    const caller = callers.get(program);
    if (caller === undefined) throw new Error(`${program.name} was not opened`);
    return caller;
  };
  return {
    of,
    close: [...callers.values()].map(
      ({ session }) =>
        () =>
          session.close(),
    ),
  };
}

async function openCatalog(context: Context, program: Program, service: RunningService): Promise<Caller> {
  const session = context.start(program, { env: environmentOf(service.account) });
  await session.initialize();
  return { session, call: () => callCatalog(session, service.account.marketplaceId) };
}

async function openListing(context: Context, program: Program, service: RunningService): Promise<Caller> {
  const { session, readOne } = await openReader(context, program, service, ACCOUNTS);
  return { session, call: readOne };
}

function loadOf(what: string, of: (program: Program) => Caller, { inFlight, calls }: Level): Measured {
  return {
    what,
    unit: 'ms a call',
    rounds: ROUNDS,
    async measure(program) {
      const { session, call } = of(program);
      const used = processorMs(session.pid);
      const { callsPerSecond, failures } = await runLoad(calls, inFlight, call);
      if (failures > 0) throw new Error(`${failures} calls failed through ${program.name}`);
      const usedThen = processorMs(session.pid);
      const processor = used === undefined || usedThen === undefined ? undefined : (usedThen - used) / calls;
      return [1000 / callsPerSecond, processor];
    },
  };
}

function startOf(context: Context): Measured {
  return {
    what: 'spawn to initialize',
    unit: 'ms',
    rounds: STARTS,
    async measure(program) {
      const session = context.start(program);
      await session.initialize();
      const wallMs = performance.now() - session.startedAt;
      const used = processorMs(session.pid);
      await session.close();
      return [wallMs, used];
    },
  };
}

async function inTurn(measured: Measured, now: Program, before: Program): Promise<Row[]> {
  const values = { now: [[], []], before: [[], []] } satisfies Record<string, [number[], number[]]>;
  const sides: readonly (readonly [Program, number[][]])[] = [
    [now, values.now],
    [before, values.before],
  ];
  const until = performance.now() + LONGEST_MS;
  for (let round = -WARM_UP_ROUNDS; round < measured.rounds; round++) {
    if (round >= FEWEST_ROUNDS && performance.now() > until) break;
    for (const [program, into] of sides) {
      const found = await measured.measure(program);
      if (round < 0) continue;
      for (const [kind, value] of found.entries()) if (value !== undefined) into[kind]?.push(value);
    }
  }
  return ['', ', processor time'].flatMap((kind, at): Row[] => {
    const [own = [], others = []] = [values.now[at], values.before[at]];
    if (own.length === 0) return [];
    const row = { point: 0, measure: `${measured.what}${kind}`, unit: measured.unit };
    return [
      { ...row, program: before.name, value: spreadOf(others) },
      {
        ...row,
        program: now.name,
        value: spreadOf(own),
        ratio: { to: before.name, value: ratioOf(own, others) },
      },
    ];
  });
}
