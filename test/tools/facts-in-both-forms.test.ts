/**
 * Some hosts give the model only the text of an answer, others only its structured form: what matters stands in each.
 * Every tool against a list of facts; that each outcome has its own is held by tool-locations.test.ts.
 */

import { afterEach, expect, it } from 'vitest';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import { loadTool } from '../../tools/index.ts';
import { tablesWorker } from '../helpers/tables-worker.ts';
import { nobody, startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';
import { CALL_CASES, type CallCase, DATA, service } from './facts-of-calls.ts';
import { LIST_CASES } from './facts-of-lists.ts';

let runner: ToolRunner;
afterEach(() => runner.close());
const run = async ({
  tool,
  args = {},
  settings = {},
  service: how,
  confirms,
}: CallCase): Promise<ToolAnswer> => {
  const outside = ['query_data', 'collect_data', 'review_listings'].includes(tool)
    ? { entryFile: tablesWorker }
    : {};
  runner = await startToolRunner(service(how), settings, outside);
  const first = await runner.run(await loadTool(tool), args, { person: nobody });
  if (confirms !== true) return first;
  return runner.run(await loadTool(tool), { ...args, confirmationCode: first.structured.confirmation_code });
};

it.each(CALL_CASES.map((each, at) => [`${at} ${each.tool} ${each.outcome ?? ''}`, each] as const))(
  '%s says all that matters in each form',
  async (_name, each) => {
    const { text, structured } = await run(each);
    const forms = { text, structured: JSON.stringify(structured) };
    const missing = Object.entries(forms).flatMap(([form, output]) =>
      each.facts
        .filter((fact) => !fact.test(output))
        .map((fact) => `${form}: ${fact}\n${output.slice(0, 3_000)}`),
    );
    expect(missing).toEqual([]);
    if (each.outcome !== undefined) expect(structured.outcome ?? structured.kind).toBe(each.outcome);
    // The sentence once, and in the structured form before the values.
    for (const output of Object.values(forms))
      for (const once of [DATA, /others of that name/])
        expect(output.match(new RegExp(once, 'g'))?.length ?? 0).toBeLessThanOrEqual(1);
    if (typeof structured.note === 'string') expect(Object.keys(structured)[0]).toBe('note');
  },
);

it.each(LIST_CASES.map((each) => [each.tool, each.outcome, each] as const))(
  'a list of %s, %s, says all that matters in each form',
  async (_tool, _outcome, each) => {
    const run = await each.run();
    runner = run.runner;
    const { text, structured } = run.answer;
    expect(structured.outcome, text).toBe(each.outcome);
    const forms = { text, structured: JSON.stringify(structured) };
    const missing = Object.entries(forms).flatMap(([form, output]) =>
      each.facts
        .filter((fact) => !fact.test(output))
        .map((fact) => `${form}: ${fact}\n${output.slice(0, 3_000)}`),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(structured)[0]).toBe('note');
  },
);
