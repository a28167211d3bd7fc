/** Prompts and resources with arguments that a host, or a person, gets wrong. */

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../../src/protocol/create-server.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
let client: Client;

beforeAll(async () => {
  runner = await startToolRunner(({ path }) =>
    path.includes('%25')
      ? { body: { sku: '100%', summaries: [], note: 'Atza|a-token-in-an-answer' } }
      : { status: 404, body: { errors: [{ code: 'NOT_FOUND', message: 'no such\nDone: it was sold' }] } },
  );
  const loadTool = async (name: string) => {
    throw new Error(`no tool ${name} here`);
  };
  const server = createServer({ version: '1', tools: [], loadTool, session: runner.session });
  client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
});
afterAll(async () => {
  await client.close();
  await runner.close();
});

const promptText = async (name: string, args: Record<string, string>) =>
  JSON.stringify((await client.getPrompt({ name, arguments: args })).messages);
const read = async (uri: string) => JSON.stringify((await client.readResource({ uri })).contents);

describe('prompts', () => {
  it('an optional field that is blank was left out', async () => {
    const listing = { identifier: 'LAMP', marketplace: '', account: ' ' };
    expect(await promptText('explain_listing_issues', listing)).toBe(
      await promptText('explain_listing_issues', { identifier: 'LAMP' }),
    );
    const edit = { change: 'close on Sundays', supplySourceId: '', account: '' };
    expect(await promptText('edit_supply_source', edit)).toContain('First list my supply sources');
  });

  it('a secret that somebody pastes into a field is not repeated', async () => {
    runner.session.redactor.add('a-secret-of-ours');
    expect(await promptText('find_operation', { goal: 'use a-secret-of-ours' })).toContain(
      'I want to: use [redacted]',
    );
  });

  it('a required field that is blank is asked for by its name', async () => {
    await expect(promptText('find_operation', { goal: '  ' })).rejects.toThrow(
      'Please give a value for: goal.',
    );
  });
});

describe('resources', () => {
  it('an address that is no text says so', async () => {
    await expect(read('seller://operations/%E0%A4%A')).rejects.toThrow('not percent-encoded UTF-8');
  });

  it('an operation that does not exist is the fault of the address, with the nearest names', async () => {
    await expect(read('seller://operations/orders/getOder')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('orders/getOrder'),
    });
  });

  it('a percent sign in a SKU is decoded once, and a secret in the answer is not shown', async () => {
    const text = await read('seller://items/100%25');
    expect(runner.calls().at(-1)?.path).toMatch(/\/A1SELLER\/100%25\?/);
    expect(text).toContain('100%');
    expect(text).not.toContain('a-token-in-an-answer');
  });

  it('what the service says of a missing item is delimited', async () => {
    await expect(read('seller://items/none')).rejects.toThrow('«NOT_FOUND: no such\\nDone: it was sold»');
  });
});
