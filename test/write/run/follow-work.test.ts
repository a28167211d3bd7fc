/** Work that a call only started is told as done when the service says so, and never before. */

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toObject } from '../../../src/base/json.ts';
import { answerShapeOf } from '../../../src/service/facts/answer-shapes.ts';
import { workStates } from '../../../src/service/facts/generated/work-states.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { resolveSchema, type SchemaDefs } from '../../../src/service/facts/schema-parts.ts';
import { loadRegistry, type Registry } from '../../../src/service/registry/registry.ts';
import { followWork } from '../../../src/write/run/follow-work.ts';
import { queryData } from '../../../tools/query-data.ts';
import { undoChange } from '../../../tools/undo-change.ts';
import { writeOperation } from '../../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../../helpers/tool-runner.ts';

const ALLOW = { SELLER_WRITES: 'allow' };
const OPERATION = '1234abcd-1234-1234-1234-1234abcd5678';
const PROBLEM = { code: 'FBA_INB_0182', message: 'Prep is missing', severity: 'ERROR' };

let runner: ToolRunner | undefined;
afterEach(async () => {
  await runner?.close();
  runner = undefined;
});

const prep = {
  operation: 'setPrepDetails',
  body: {
    marketplaceId: 'ATVPDKIKX0DER',
    mskuPrepDetails: [{ msku: 'A', prepCategory: 'NONE', prepTypes: ['ITEM_NO_PREP'] }],
  },
};

/** Answers 202 with the id of the operation, then its states one after the other; the last one stays. */
function inbound(...states: readonly (string | undefined)[]) {
  let at = 0;
  return ({ method, path }: { method: string; path: string }) => {
    if (!path.includes('/operations/'))
      return method === 'GET' ? { status: 404, body: {} } : { status: 202, body: { operationId: OPERATION } };
    const status = states[Math.min(at, states.length - 1)];
    at += 1;
    if (status === undefined)
      return { status: 403, body: { errors: [{ code: 'Unauthorized', message: 'no' }] } };
    const operationProblems = status === 'FAILED' ? [PROBLEM] : [];
    return { body: { operation: 'x', operationId: OPERATION, operationStatus: status, operationProblems } };
  };
}

async function recorded(of: ToolRunner) {
  const { structured } = await of.run(queryData, { sql: 'SELECT outcome, error FROM changes' });
  return structured.rows;
}

const CALL = {
  tool: 'read_operation',
  arguments: {
    operation: 'inbound-fulfilment/getInboundOperationStatus',
    parameters: { operationId: OPERATION },
  },
};

describe('a write that answers 202 with an operation id', () => {
  it('is done once the operation says so', async () => {
    runner = await startToolRunner(inbound('IN_PROGRESS', 'SUCCESS'), ALLOW);
    const { structured, isError } = await runner.run(writeOperation, prep);
    expect(structured).toMatchObject({ outcome: 'done', work: { state: 'done', status: 'SUCCESS' } });
    expect(isError).not.toBe(true);
    expect(await recorded(runner)).toEqual([['done', null]]);
  });

  it('is a failure with its problems where the operation failed, and nothing is left to undo', async () => {
    runner = await startToolRunner(inbound('FAILED'), ALLOW);
    const { structured, text, isError } = await runner.run(writeOperation, prep);
    expect(structured).toMatchObject({
      outcome: 'failed',
      work: { state: 'failed', status: 'FAILED' },
      reasons: [{ code: PROBLEM.code, message: PROBLEM.message }],
    });
    expect(isError).toBe(true);
    expect(text).toContain(PROBLEM.message);
    expect(await recorded(runner)).toEqual([['failed', expect.stringContaining(PROBLEM.code)]]);
    const undo = await runner.run(undoChange, {});
    expect(undo.structured).toMatchObject({ changes: [{ outcome: 'failed', can_undo: false }] });
  });

  it.each([
    ['still under way', 'IN_PROGRESS', 'IN_PROGRESS'],
    ['in a state that is not known here', 'SOMETHING_NEW', 'SOMETHING_NEW'],
    ['not to be read', undefined, undefined],
  ])('is requested, with the call that tells its state, where that is %s', async (_, state, status) => {
    runner = await startToolRunner(inbound(state), ALLOW);
    const call = {
      signal: new AbortController().signal,
      deadline: performance.now() + 7_000,
      onProgress() {},
    };
    const { structured, text } = await runner.run(writeOperation, prep, { call });
    expect(structured).toMatchObject({ outcome: 'requested', work: { state: 'working' }, next_call: CALL });
    expect(toObject(structured.work).status).toBe(status);
    expect(text).toContain(JSON.stringify(CALL.arguments));
    expect(await recorded(runner)).toEqual([['requested', expect.stringContaining(OPERATION)]]);
  });

  it('holds for each call of a list', async () => {
    const calls = ['A', 'B', 'C'].map((msku) => ({
      body: { ...prep.body, mskuPrepDetails: [{ ...prep.body.mskuPrepDetails[0], msku }] },
    }));
    let sent = 0;
    const states = ['SUCCESS', 'FAILED', 'SUCCESS'];
    runner = await startToolRunner(({ method, path }) => {
      const id = /operations\/(.*)$/.exec(path)?.[1];
      if (id === undefined) {
        if (method === 'GET') return { status: 404, body: {} };
        sent += 1;
        return { status: 202, body: { operationId: `${OPERATION.slice(0, -1)}${sent}` } };
      }
      const operationStatus = states[Number(id.slice(-1)) - 1];
      return { body: { operation: 'x', operationId: id, operationStatus, operationProblems: [PROBLEM] } };
    }, ALLOW);
    const { structured } = await runner.run(writeOperation, { operation: prep.operation, calls });
    expect(structured).toMatchObject({ outcome: 'partly_accepted', counts: { accepted: 2, failed: 1 } });
    expect(structured.results).toContainEqual(
      expect.objectContaining({ outcome: 'failed', why: expect.stringContaining(PROBLEM.code) }),
    );
  });
});

it('a request is followed too where its work is quick, and told as failed where it failed', async () => {
  runner = await startToolRunner(({ path, method }) => {
    if (method === 'POST') return { status: 202, body: { exportId: 'e-1' } };
    expect(path).toContain('e-1');
    return { body: { export: { exportId: 'e-1', status: 'ERROR', errorMessage: 'No such month' } } };
  }, ALLOW);
  const { structured, isError } = await runner.run(writeOperation, {
    operation: 'createInvoicesExport',
    body: { marketplaceId: 'A2Q3Y263D00KWC' },
  });
  expect(structured).toMatchObject({ outcome: 'failed', reasons: [{ message: 'No such month' }] });
  expect(structured).not.toHaveProperty('journal_id');
  expect(isError).toBe(true);
});

it('a 202 of which no operation tells the end is requested, with the call that shows what it changes', async () => {
  runner = await startToolRunner(
    ({ method }) => (method === 'GET' ? { body: { orderId: 'o-1', status: 'PROCESSING' } } : { status: 202 }),
    ALLOW,
  );
  const { structured } = await runner.run(writeOperation, {
    operation: 'outbound-fulfilment/cancelOrder',
    parameters: { orderId: 'o-1', 'x-amzn-fulfillment-service-id': 'f-1' },
  });
  expect(structured).toMatchObject({
    outcome: 'requested',
    next_call: { arguments: { operation: 'outbound-fulfilment/getOrder', parameters: { orderId: 'o-1' } } },
  });
});

describe('the operations that tell how far work has come', () => {
  let registry: Registry;
  beforeAll(async () => {
    registry = await loadRegistry();
  });
  const started = () => registry.operations.filter(({ progress }) => progress !== undefined);
  const readers = () => [...new Set(started().map(({ progress }) => progress?.operation ?? ''))];

  it('are those whose states were reviewed, each with a status that its answer has', async () => {
    expect(readers().sort()).toEqual(Object.keys(workStates).sort());
    for (const [id, { status, problems }] of Object.entries(workStates)) {
      const shape = await answerShapeOf(registry.find(id));
      for (const path of [status, ...(problems === undefined ? [] : [problems])])
        expect(shape && memberAt(shape.schema, path.split('.'), shape.defs), `${id} ${path}`).toBeDefined();
    }
  });

  it('no state is both an end and none, and only what a feed did is not told by its state', () => {
    for (const [id, { done, failed, working }] of Object.entries(workStates)) {
      const all = [...done, ...failed, ...working];
      expect(new Set(all).size, id).toBe(all.length);
      expect(failed.length, id).toBeGreaterThan(0);
      if (id !== 'feeds/getFeed') expect(done.length, id).toBeGreaterThan(0);
    }
  });

  it('are named by every inbound operation that answers with an operation id', () => {
    const inboundOnes = started().filter(({ id }) => id.startsWith('inbound-fulfilment/'));
    expect(inboundOnes).toHaveLength(19);
    expect(started().map(({ id }) => id)).toMatchSnapshot();
  });

  it('have an end that is told for every operation that starts work', async () => {
    const quick = started().filter(({ progress }) => workStates[progress?.operation ?? '']?.isSlow !== true);
    for (const operation of quick) expect(await endOf(operation), operation.id).toEqual(['done', 'failed']);
  });

  /** Both ends of the work, as `followWork` reads them from an answer that holds nothing but the status. */
  async function endOf(operation: Operation) {
    const { progress } = operation;
    const states = workStates[progress?.operation ?? ''];
    if (states === undefined) return [];
    const ends = [states.done[0], states.failed[0]].map(async (status) => {
      const response = { status: 202, headers: {}, body: answerWith(progress?.parameters ?? {}) };
      const call = async () => ({ status: 200, body: nested(states.status.split('.'), status) });
      const found = await followWork(
        {
          operation,
          account: 'a',
          parameters: valuesOf(progress?.parameters ?? {}, 'parameter'),
          body: nestedAll(valuesOf(progress?.parameters ?? {}, 'body')),
          response: Object.assign(Object.create(null), response),
        },
        {
          registry,
          client: Object.assign(Object.create(null), { call }),
          show: (value) => value,
          clock: { now: () => 0, wallClock: () => 0, after: (_ms, run) => toNoStop(run) },
        },
        {},
      );
      return found.state;
    });
    return Promise.all(ends);
  }
});

/** Runs at once. */
function toNoStop(run: () => void): () => void {
  queueMicrotask(run);
  return () => undefined;
}

type Sources = Readonly<Record<string, { from: string; name: string }>>;
const valuesOf = (sources: Sources, from: string) =>
  Object.fromEntries(Object.values(sources).flatMap((one) => (one.from === from ? [[one.name, 'x']] : [])));
const answerWith = (sources: Sources) => nestedAll(valuesOf(sources, 'answer'));
const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => (/^\d+$/.test(name) ? [inner] : { [name]: inner }), value);
const nestedAll = (values: Readonly<Record<string, unknown>>) =>
  Object.assign({}, ...Object.entries(values).map(([path, value]) => nested(path.split('.'), value)));

function memberAt(schema: JsonSchema, path: readonly string[], defs: SchemaDefs): JsonSchema | undefined {
  const [name, ...rest] = path;
  const known = resolveSchema(schema, defs);
  if (name === undefined) return known;
  const inner = /^\d+$/.test(name) ? known.items : known.properties?.[name];
  return inner && memberAt(inner, rest, defs);
}
