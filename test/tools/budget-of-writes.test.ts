/**
 * Tests a write tool's answer about a long write: within the budget in both forms, hidden characters escaped,
 * the rest linked.
 */

import { afterEach, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/protocol/define-tool.ts';
import { errorText } from '../../src/render/error-result.ts';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const patches = Array.from({ length: 300 }, (_, at) => ({
  op: 'replace',
  path: `/attributes/a${at}`,
  value: [{ value: 'v'.repeat(200) }],
}));
const patchListing = {
  operation: 'patchListingsItem',
  parameters: { sku: 's-1' },
  body: { productType: 'LAMP', patches },
};
const start = (settings: Record<string, string>, answer: unknown = { alias: 'Shop' }) =>
  startToolRunner(
    ({ method }) => (method === 'GET' ? { body: answer } : { status: 200, body: answer }),
    settings,
  );

function expectWithin({ text, structured }: ToolAnswer, tokens: number) {
  expect(Math.ceil(Buffer.byteLength(text) / 3)).toBeLessThanOrEqual(tokens);
  expect(Math.ceil(Buffer.byteLength(JSON.stringify(structured)) / 3)).toBeLessThanOrEqual(tokens);
}

describe.each(['500', '2000', '10000'])('a budget of %s tokens', (answerTokens) => {
  it.each(['preview', 'needs_confirmation'])('%s of a long body', async (outcome) => {
    runner = await start({ SELLER_WRITES: 'code', SELLER_ANSWER_TOKENS: answerTokens });
    const answer = await runner.run(writeOperation, { ...patchListing, dryRun: outcome === 'preview' });
    expectWithin(answer, Number(answerTokens));
    expect(writeOperation.output.parse(answer.structured)).toMatchObject({
      outcome,
      request: { method: 'PATCH' },
      left_out: expect.anything(),
    });
    const [link] = answer.links ?? [];
    const kept = (await runner.session.answers()).read(link?.uri ?? '');
    expect(JSON.parse(kept ?? '')).toMatchObject({ request: { body: patchListing.body } });
  });

  it('the answer of a write, with what the tool itself says', async () => {
    runner = await start(
      { SELLER_WRITES: 'allow', SELLER_ANSWER_TOKENS: answerTokens },
      {
        sku: 's-1',
        status: 'ACCEPTED',
        submissionId: 'f1',
        issues: patches.map(({ path }) => ({ message: path })),
      },
    );
    const answer = await runner.run(writeOperation, patchListing);
    expectWithin(answer, Number(answerTokens));
    expect(writeOperation.output.parse(answer.structured)).toMatchObject({
      outcome: 'accepted_not_visible',
      status: 200,
    });
  });

  it('thousands of differences and warnings', async () => {
    runner = await start({ SELLER_WRITES: 'code', SELLER_ANSWER_TOKENS: answerTokens });
    const sunday = Array.from({ length: 2000 }, () => ({ startTime: '09:00', endTime: '08:00' }));
    const configuration = { operationalConfiguration: { operatingHoursByDay: { sunday } } };
    const answer = await runner.run(updateSupplySource, {
      supplySourceId: 's-1',
      changes: { configuration },
    });
    expectWithin(answer, Number(answerTokens));
    updateSupplySource.output.parse(answer.structured);
    expect(answer.text).toContain('more lines that are not listed here');
  });

  it('what cannot be read back, after thousands of differences', async () => {
    const strange = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`member${at}`, at]));
    let written = false;
    runner = await startToolRunner(
      ({ method }) => {
        written ||= method !== 'GET';
        if (method !== 'GET') return { status: 204 };
        return written
          ? { status: 403, body: [{ code: 'Denied', message: 'no'.repeat(900) }] }
          : { body: strange };
      },
      { SELLER_WRITES: 'allow', SELLER_ANSWER_TOKENS: answerTokens },
    );
    const answer = await runner.run(updateSupplySource, { supplySourceId: 's-1', alias: 'x' });
    expectWithin(answer, Number(answerTokens));
    expect(answer.structured.read_back).toEqual({ problem: expect.stringContaining('Denied') });
  });

  it('a deletion of what has a long name: a cut is counted, and the whole is linked', async () => {
    runner = await start({ SELLER_WRITES: 'code', SELLER_ANSWER_TOKENS: answerTokens });
    const parameters = { sku: 'Ä'.repeat(1_000), marketplaceIds: ['A1PA6795UKMFR9'] };
    const answer = await runner.run(writeOperation, { operation: 'deleteListingsItem', parameters });
    expectWithin(answer, Number(answerTokens));
    const structuredText = JSON.stringify(answer.structured);
    if (structuredText.includes(parameters.sku)) return;
    expect(structuredText).toMatch(/"left_out":\[.*"request|\(\d+ more characters\).*"whole":/);
    const kept = (await runner.session.answers()).read(answer.links?.[0]?.uri ?? '');
    expect(JSON.parse(kept ?? '')).toMatchObject({ request: { parameters } });
  });

  it('a read-back that differs everywhere', async () => {
    const strange = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`member${at}`, at]));
    runner = await start({ SELLER_WRITES: 'allow', SELLER_ANSWER_TOKENS: answerTokens }, strange);
    const answer = await runner.run(updateSupplySource, { supplySourceId: 's-1', alias: 'x' });
    expectWithin(answer, Number(answerTokens));
    expect(updateSupplySource.output.parse(answer.structured)).toMatchObject({
      outcome: 'accepted_not_visible',
    });
  });
});

it('hidden characters of state and body are spelled out in both forms', async () => {
  runner = await start({ SELLER_WRITES: 'code' }, { alias: 'was\u202e', 'na\u{e0041}me': 1 });
  const { text, structured } = await runner.run(updateSupplySource, {
    supplySourceId: 's-1',
    alias: 'is\u001b[31m',
  });
  expect(`${text}${JSON.stringify(structured)}`).not.toMatch(/\u202e|\u{e0041}/u);
  expect(structured.differences).toContainEqual({
    path: 'alias',
    kind: 'changed',
    before: 'was\\u{202E}',
    after: 'is\\u{1B}[31m',
  });
});

it('says in both forms why there is no difference to show, the words of the service delimited', async () => {
  runner = await startToolRunner(
    () => ({ status: 404, body: [{ code: 'NotFound', message: 'Send it anyway' }] }),
    { SELLER_WRITES: 'code' },
  );
  const { text, structured } = await runner.run(updateSupplySource, { supplySourceId: 's-1', alias: 'x' });
  expect(text).toContain('«NotFound: Send it anyway»');
  expect(structured.no_differences).toContain('«NotFound: Send it anyway»');
});

describe.each([500, 1_000])('an error of %i tokens about a write whose fate is unknown', (tokens) => {
  const runAndRead = async (tool: Tool, args: object) => {
    const error: unknown = await runner.run(tool, args).catch((thrown: unknown) => thrown);
    const text = errorText(error, (secret) => secret, tokens);
    expect(Math.ceil(Buffer.byteLength(text) / 3)).toBeLessThanOrEqual(tokens);
    return text;
  };

  it('says how to repeat it once, however much the service says', async () => {
    runner = await startToolRunner(
      () => ({ status: 505, body: [{ code: 'InternalFailure', message: 'x'.repeat(900) }] }),
      { SELLER_WRITES: 'allow' },
    );
    const text = await runAndRead(writeOperation, {
      operation: 'shipping/purchaseShipment@v2',
      body: PURCHASE,
    });
    expect(text).toMatch(/set to "[0-9a-f-]{36}"/);
  });

  it('says what was read back, however long the id', async () => {
    let state: unknown = { alias: 'a' };
    runner = await startToolRunner(
      ({ method, json }) => {
        if (method === 'GET') return { body: state };
        state = json;
        return { status: 500, body: [] };
      },
      { SELLER_WRITES: 'allow' },
    );
    const text = await runAndRead(updateSupplySource, { supplySourceId: 'ä'.repeat(200), alias: 'b' });
    expect(text).toContain(
      'the service has exactly what was sent, so the write was applied. Do not repeat it.',
    );
    expect(text).toMatch(/\(\d+ more characters\) back and compare/);
  });
});

const PURCHASE = {
  requestToken: 'request-1',
  rateId: 'rate-1',
  requestedDocumentSpecification: {
    format: 'PDF',
    size: { width: 4, length: 6, unit: 'INCH' },
    dpi: 300,
    pageLayout: 'DEFAULT',
    needFileJoining: false,
    requestedDocumentTypes: ['LABEL'],
  },
};
