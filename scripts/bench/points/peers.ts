/** Point 7: tokens, limits and faults, including the libraries that people use today, side by side. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from '../../process/install.ts';
import type { Context } from '../context.ts';
import { runLoad } from '../load.ts';
import { measureFaults } from '../peers/faults.ts';
import { type SubjectKind, subjectKinds } from '../peers/subject.ts';
import {
  demand,
  demandSeconds,
  FAST,
  limitText,
  type Note,
  type RateScenario,
  rateRows,
  SLOW,
} from '../rate-scenario.ts';
import type { Row } from '../report.ts';
import { CALLS, countTokens, LATENCY_MS, tokenRows } from './tokens.ts';

const PACKAGES = ['amazon-sp-api@1.2.1', '@sp-api-sdk/auth@3.1.4', '@sp-api-sdk/common@4.0.4'];

export async function measurePeers(context: Context): Promise<Row[]> {
  context.say('installing the peers into a temporary folder ...');
  const folder = await mkdtemp(join(tmpdir(), 'bench-peers-'));
  try {
    await install(folder, PACKAGES);
    const kinds = await subjectKinds(context, folder);
    const rows: Row[] = [];
    for (const kind of kinds) rows.push(...(await measureTokens(kind)), ...(await measureFaults(kind)));
    const seconds = demandSeconds(context);
    // All at the same time: they spend it waiting.
    const limited = kinds.flatMap((kind) =>
      [FAST, SLOW].map((scenario) => measureLimit(kind, scenario, seconds)),
    );
    const all = [...rows, ...(await Promise.all(limited)).flat()];
    return sideBySide(all);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureTokens(kind: SubjectKind): Promise<Row[]> {
  const subject = await kind.open({ rateLimits: false, latencyMs: LATENCY_MS });
  try {
    const calls = () => runLoad(CALLS, CALLS, subject.call);
    const cold = await countTokens(subject.sandbox, calls);
    subject.sandbox.expireTokens();
    const rejected = await countTokens(subject.sandbox, calls);
    return [
      ...tokenRows(7, kind.name, `${CALLS} cold calls`, cold, false),
      ...tokenRows(7, kind.name, `${CALLS} calls in flight, token rejected`, rejected, false),
    ];
  } finally {
    await subject.close();
  }
}

async function measureLimit(kind: SubjectKind, scenario: RateScenario, seconds: number): Promise<Row[]> {
  const notes: Note[] = [];
  const subject = await kind.open({
    rateLimits: { getCatalogItem: scenario.limit },
    onAnswer: ({ operation, status }) => {
      if (operation === 'getCatalogItem') notes.push({ at: performance.now(), status });
    },
  });
  try {
    const figures = await demand(scenario, notes, seconds, subject.call);
    return rateRows(7, kind.name, `${limitText(scenario)}, ${seconds} s`, figures);
  } finally {
    await subject.close();
  }
}

/** The same measure of each program, one below another. */
function sideBySide(rows: readonly Row[]): Row[] {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  return measures.flatMap((measure) => rows.filter((row) => row.measure === measure));
}
