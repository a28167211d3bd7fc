import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, expect, it } from 'vitest';
import { createPlaceholderMaker, PLACEHOLDER_PARTS } from '../../src/privacy/personal/placeholders.ts';
import type { Tool } from '../../src/protocol/define-tool.ts';
import { handleCall } from '../../src/protocol/handle-call.ts';
import { APPROVAL_KEY } from '../../src/render/client-user.ts';
import { collectData } from '../../tools/collect-data.ts';
import { getCatalogItem } from '../../tools/get-catalog-item.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { nobody, startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const EMAIL = 'anna.schmidt@example.com';
const order = {
  payload: {
    AmazonOrderId: '028-1234567-1234567',
    BuyerInfo: { BuyerEmail: EMAIL },
    BuyerComment: `Call 0171 1234567 or write to ${EMAIL}`,
  },
};
const orderRead = { operation: 'orders/getOrder', parameters: { orderId: '028-1234567-1234567' } };

/** Answers reads with the order, and repeats what a write brings. */
const start = (settings: Readonly<Record<string, string>> = {}) =>
  startToolRunner(({ method, json }) => ({ body: method === 'GET' ? order : { echo: json } }), settings);

async function readMark(): Promise<string> {
  const { structured } = await runner.run(readOperation, orderRead);
  const mark = PLACEHOLDER_PARTS.exec(JSON.stringify(structured))?.[0];
  if (mark === undefined) throw new Error('nothing was masked');
  return mark;
}

/** A write whose body may hold any text. */
const write = (text: string, more: object = {}) => ({
  operation: 'messaging/createUnexpectedProblem',
  parameters: { amazonOrderId: '028-1234567-1234567' },
  body: { text },
  ...more,
});

async function journal(): Promise<string> {
  const files = await readdir(stateDir, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}
let stateDir = '';

/** Asked, and answered with yes. */
async function agree(args: unknown) {
  const asked: { message: string; state: string }[] = [];
  const asking = {
    ...nobody,
    canConfirm: true,
    confirm(_key: string, message: string, state: string): never {
      asked.push({ message, state });
      throw new Error('asked');
    },
  };
  await expect(runner.run(writeOperation, args, { person: asking })).rejects.toThrow('asked');
  const approve = () => ({ action: 'accept' as const, state: asked[0]?.state });
  const answering = { ...asking, answer: (key: string) => (key === APPROVAL_KEY ? approve() : undefined) };
  return { asked, answer: await runner.run(writeOperation, args, { person: answering }) };
}

const context = (): ServerContext => {
  const mcpReq = { signal: new AbortController().signal, notify: async () => undefined };
  // biome-ignore lint/suspicious/noExplicitAny: only what a call without questions reads.
  return { mcpReq } as any;
};
const call = async (tool: Tool, args: unknown) =>
  JSON.stringify(await handleCall(tool, args, context(), runner.session, undefined));

it('both forms of an answer, its resource and what is selected of it show marks only, and the first says so', async () => {
  runner = await start({ SELLER_ANSWER_TOKENS: '500' });
  const first = await runner.run(readOperation, orderRead);
  const second = await runner.run(readOperation, { ...orderRead, select: ['payload.BuyerComment'] });
  for (const { text, structured } of [first, second]) {
    const all = `${text}\n${JSON.stringify(structured)}`;
    expect(all).not.toMatch(/anna\.schmidt|1234567 or/);
    expect(text).toMatch(PLACEHOLDER_PARTS);
    // The same characters in both forms.
    expect(JSON.stringify(structured)).toContain(PLACEHOLDER_PARTS.exec(text)?.[0]);
  }
  expect(first.text).toContain('--personal-data=show');
  expect(first.structured.note).toContain('--personal-data=show');
  expect(`${second.text}${JSON.stringify(second.structured)}`).not.toContain('--personal-data');
  const { uri } = (await runner.session.answers()).keep('x', () => ({}), 1) ?? {};
  expect(uri).toBeDefined();
  for (const kept of (await runner.session.answers()).list()) {
    expect((await runner.session.answers()).read(kept.uri)).not.toContain('anna.schmidt');
  }
});

it('with show everything stays as it is', async () => {
  runner = await start({ SELLER_PERSONAL_DATA: 'show' });
  const { text, structured } = await runner.run(readOperation, orderRead);
  expect(text).toContain(EMAIL);
  expect(JSON.stringify(structured)).toContain(EMAIL);
  expect(text).not.toContain('--personal-data');
});

it('errors, progress and logs show no address, whether it was seen before or not', async () => {
  runner = await startToolRunner(() => ({
    status: 400,
    body: { errors: [{ code: 'InvalidInput', message: `${EMAIL} is not allowed, call +49 30 1234567` }] },
  }));
  const result = await call(readOperation, orderRead);
  expect(result).toMatch(/«e-mail \w{8}» is not allowed, call «phone \w{8}»/);
  expect(result).not.toContain(EMAIL);
});

it('a mark in a write is sent as its value; the answer and the journal keep the mark', async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'seller-journal-'));
  runner = await start({ SELLER_WRITES: 'allow', SELLER_STATE_DIR: stateDir });
  const mark = await readMark();
  const { answer } = await agree(write(`Dear ${mark}, sorry`));
  expect(runner.calls().at(-1)?.json).toEqual({ text: `Dear ${EMAIL}, sorry` });
  const all = `${answer.text}${JSON.stringify(answer.structured)}${await journal()}`;
  expect(all).not.toContain('anna.schmidt');
  expect(all).toContain(mark);
});

it('however short a value is, the echo of a write and its record show the mark', async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'seller-journal-'));
  runner = await start({ SELLER_WRITES: 'allow', SELLER_STATE_DIR: stateDir });
  const personal = await runner.session.personal();
  const { mark } = createPlaceholderMaker(personal.key, 'default');
  for (const [name, text] of [
    ['Li', 'Dear ~, sorry'],
    ['Ö', '~'],
    ['Zoë Ångström', 'Dear ~x'],
  ] as const) {
    personal.remember('default', new Map([[mark('buyer name', name), name]]));
    const { answer } = await agree(write(text.replace('~', mark('buyer name', name))));
    expect(runner.calls().at(-1)?.json).toEqual({ text: text.replace('~', name) });
    const shown = text.replace('~', mark('buyer name', name));
    expect(answer.structured).toMatchObject({ value: { echo: { text: shown } } });
    expect(answer.text).not.toContain(text.replace('~', name));
    expect(await journal()).toContain(shown);
  }
});

it('a dry run shows the mark, and nothing else', async () => {
  runner = await start();
  const mark = await readMark();
  const { text, structured } = await runner.run(writeOperation, write(mark, { dryRun: true }));
  expect(`${text}${JSON.stringify(structured)}`).not.toContain('anna.schmidt');
  expect(text).toContain(mark);
  expect(structured).toMatchObject({ outcome: 'preview', request: { body: { text: mark } } });
});

it('a value in an address is shown by the placeholder of its parameter', async () => {
  runner = await start();
  const mark = await readMark();
  const args = { ...write('x', { dryRun: true }), parameters: { amazonOrderId: mark } };
  const { text, structured } = await runner.run(writeOperation, args);
  expect(`${text}${JSON.stringify(structured)}`).not.toMatch(/anna(\.|%2E)schmidt/);
  expect(structured).toMatchObject({
    request: { url: expect.stringContaining('{amazonOrderId}'), parameters: { amazonOrderId: mark } },
  });
});

it('the person sees the value and which mark it is, and their yes sends it', async () => {
  runner = await start();
  const mark = await readMark();
  const { asked } = await agree(write(`Dear ${mark}`));
  expect(asked[0]?.message).toContain(`"Dear ${EMAIL}"`);
  expect(asked[0]?.message).toContain(`${mark} is «${EMAIL}»`);
  expect(runner.calls().at(-1)?.json).toEqual({ text: `Dear ${EMAIL}` });
});

it('where only the assistant could confirm, a write with a mark is refused, with and without a code', async () => {
  runner = await start({ SELLER_WRITES: 'code' });
  const mark = await readMark();
  const before = runner.calls().length;
  await expect(runner.run(writeOperation, write(mark))).rejects.toThrow(/only the assistant/);
  const { structured } = await runner.run(writeOperation, write('hello'));
  const { confirmation_code: confirmationCode } = structured;
  await expect(runner.run(writeOperation, write(mark, { confirmationCode }))).rejects.toMatchObject({
    name: 'WriteRefusedError',
  });
  expect(runner.calls()).toHaveLength(before);
});

it.each([
  ['«e-mail 0000aaaa»', 'made up'],
  ['Dear «e-mail 0000aaaa»', 'made up, in a text'],
  ['«e-mail 0000', 'cut'],
])('a mark that stands for nothing is refused, and nothing is sent: %s (%s)', async (text) => {
  runner = await start({ SELLER_WRITES: 'allow' });
  await expect(runner.run(writeOperation, write(text))).rejects.toThrow(/nothing was sent/);
  await expect(runner.run(readOperation, { ...orderRead, parameters: { orderId: text } })).rejects.toThrow();
  await expect(
    runner.run(collectData, { operation: 'getOrders', parameters: { BuyerEmail: text } }),
  ).rejects.toThrow(/nothing was sent/);
  await expect(
    runner.run(updateSupplySource, { supplySourceId: 's-1', changes: { alias: text } }),
  ).rejects.toThrow(/nothing was sent/);
  expect(runner.service.requests).toEqual([]);
});

it('a tool that takes no marks refuses one', async () => {
  runner = await start();
  const mark = await readMark();
  expect(await call(getCatalogItem, { asin: mark })).toContain('takes no marks');
});
