/** Garbage, half a line and 50 MB on stdin: the program survives, stays responsive and answers the next request. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';

let server: RawServer;

async function begin(): Promise<void> {
  server = startRawServer(['--sandbox', '--log-level=silent']);
  await server.initialize();
}

async function end(): Promise<void> {
  await server.stop();
  // The output has only JSON-RPC, whatever came in.
  for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
}

const listsTools = async () => {
  expect(await server.request('tools/list')).toMatchObject({
    result: { tools: { length: TOOL_LIST.length } },
  });
};

describe('one program, all of it one after the other', () => {
  beforeAll(begin);
  afterAll(end);

  it.each([
    ['a word', 'hello\n'],
    ['empty lines', '\n\n\r\n   \n'],
    ['JSON that is no message', '{}\n[]\nnull\n42\n"x"\n{"jsonrpc":"2.0"}\n'],
    ['half of a message', '{"jsonrpc":"2.0","id":99,"met\n'],
    ['another version', '{"jsonrpc":"1.0","id":98,"method":"tools/list"}\n'],
    ['a wrong id', '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}\n'],
    ['an answer nobody waits for', '{"jsonrpc":"2.0","id":12345,"result":{}}\n'],
    ['binary', Buffer.from([0, 255, 254, 128, 10, 13, 10]).toString('latin1')],
    ['deep nesting', `${'['.repeat(100_000)}\n`],
    [
      'a prototype',
      '{"jsonrpc":"2.0","id":97,"method":"ping","__proto__":{"x":1},"params":{"constructor":1}}\n',
    ],
  ])('%s', async (_case, text) => {
    await server.write(text);
    await listsTools();
  });

  it('an unknown method is an error with its id', async () => {
    expect(await server.request('tools/lost')).toMatchObject({ error: { code: -32601 } });
    await listsTools();
  });

  it('bytes that are no UTF-8', async () => {
    server.child.stdin.write(Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x0a]));
    await listsTools();
  });

  it('a message in pieces is read once its line ends', async () => {
    const message = `${JSON.stringify({ jsonrpc: '2.0', id: 'piece-é', method: 'tools/list' })}\n`;
    for (const byte of Buffer.from(message)) server.child.stdin.write(Buffer.from([byte]));
    await listsTools();
    expect(server.lines.some((line) => line.includes('"id":"piece-é"'))).toBe(true);
  });

  it('many messages in one piece are all answered', async () => {
    const ids = Array.from({ length: 200 }, (_, at) => `batch-${at}`);
    await server.write(
      ids.map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`).join(''),
    );
    await listsTools();
    for (const id of ids) expect(server.lines.some((line) => line.includes(`"id":"${id}"`))).toBe(true);
  });

  it('half a line keeps nothing waiting but itself', async () => {
    const answered = server.request('tools/list');
    await answered;
    await server.write('{"jsonrpc":"2.0","id":50,');
    await sleep(50);
    await server.write('"method":"ping"}\n');
    await listsTools();
    expect(server.lines.some((line) => line.includes('"id":50'))).toBe(true);
  });
});

describe('a program of its own', () => {
  beforeEach(begin);
  afterEach(end);

  it('half a line before the end of stdin still ends with status 0', async () => {
    await server.write('{"jsonrpc":"2.0","id":51,"method":"ping"');
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
  });

  it('a line of 50 MB is refused by its id while others are answered, in bounded memory', async () => {
    const piece = 'x'.repeat(1024 * 1024);
    await server.write(
      '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"get_catalog_item","arguments":{"asin":"',
    );
    for (let megabytes = 0; megabytes < 50; megabytes++) await server.write(piece);
    await server.write('"}}}\n');
    const started = performance.now();
    await listsTools();
    expect(performance.now() - started).toBeLessThan(2_000);
    const refusal = server.lines.find((line) => line.includes('"id":77'));
    expect(JSON.parse(refusal ?? '{}')).toMatchObject({
      id: 77,
      error: { message: expect.stringContaining('longer than') },
    });
  });
});
