/** The cases of the hostile soak: each follows from its seed alone. */

import { TOOL_LIST } from '../../../src/protocol/generated/tool-list.ts';
import { buildExample } from '../../../src/service/describe/example.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { argumentsOf } from './arguments.ts';
import { bodyOf } from './bodies.ts';
import { type Chance, createChance } from './chance.ts';
import { statementOf } from './statements.ts';
import { unitOf } from './texts.ts';

export interface HostileCase {
  kind: 'answer' | 'failure' | 'pages' | 'statement' | 'arguments';
  tool: string;
  args: Record<string, unknown>;
  /** What the service answers to anything that is asked meanwhile. */
  status: number;
  body: Buffer;
  /** What was made, in words. */
  how: string;
}

const SMALL_BODY = Buffer.from('{"payload":{},"items":[]}');
const FAILURES = [400, 401, 403, 404, 409, 413, 422, 500, 501] as const;

/** Makes the case of a seed. */
export async function loadCases(): Promise<(seed: number) => HostileCase> {
  const { operations } = await loadRegistry();
  const reading = listOf(operations.filter(({ effect }) => effect === 'read'));
  const paging = listOf(reading.filter((operation) => operation.paging !== undefined));
  const writing = listOf(operations.filter(({ effect }) => effect !== 'read'));
  const tools = listOf(TOOL_LIST);
  return (seed) => {
    const chance = createChance(seed);
    const kind = chance.pick(KINDS);
    switch (kind) {
      case 'answer':
        return answerCase(chance, chance.pick(reading));
      case 'failure':
        return { ...answerCase(chance, chance.pick(reading)), kind, status: chance.pick(FAILURES) };
      case 'pages':
        return { ...answerCase(chance, chance.pick(paging)), kind, tool: 'collect_data' };
      case 'statement': {
        const sql = statementOf(chance);
        return { kind, tool: 'query_data', args: { sql }, status: 200, body: SMALL_BODY, how: sql };
      }
      case 'arguments': {
        const tool = chance.pick(tools);
        const called = { collect_data: paging, write_operation: writing }[tool.name] ?? reading;
        const { value: args, how } = argumentsOf(chance, tool, called);
        return { kind, tool: tool.name, args, status: 200, body: SMALL_BODY, how };
      }
    }
  };
}

const KINDS = [
  ...(['answer', 'answer', 'answer', 'answer', 'answer', 'answer'] as const),
  ...(['failure', 'pages', 'statement', 'statement', 'arguments', 'arguments'] as const),
] as const;

function answerCase(chance: Chance, operation: Operation): HostileCase {
  const { body, how } = bodyOf(chance);
  const select = chance.percent(30) ? chance.some([...SELECTED, unitOf(chance)], 50) : undefined;
  const args = { ...buildExample(operation), ...(select === undefined ? {} : { select }) };
  return { kind: 'answer', tool: 'read_operation', args, status: 200, body, how: `${operation.id}: ${how}` };
}

const SELECTED = [
  '*',
  '*.*',
  'payload',
  'payload.*.name',
  'a.b.c',
  'items.0-49',
  '*.'.repeat(60).slice(0, -1),
  'orders.*.buyer',
] as const;

function listOf<T>(all: readonly T[]): readonly [T, ...T[]] {
  const [first, ...others] = all;
  if (first === undefined) throw new Error('an empty list');
  return [first, ...others];
}
