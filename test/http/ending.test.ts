/** How things end: streams with the token, the access and the server; the server once what runs has its answer. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { MCP_HEADERS, type StartedPeople, startPeople } from '../helpers/people-server.ts';

const now = () => Math.floor(Date.now() / 1000);

/** A stream that says so while it is open. */
async function listen(
  people: StartedPeople,
  token: string,
): Promise<{ status: number; open: boolean; text: string; ended: Promise<void> }> {
  const response = await fetch(people.server.endpoint, {
    method: 'POST',
    headers: {
      ...MCP_HEADERS,
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
          [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
          [CLIENT_CAPABILITIES_META_KEY]: {},
        },
      },
    }),
  });
  const stream = { status: response.status, open: true, text: '', ended: Promise.resolve() };
  stream.ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString('utf8');
    } catch {
      // Cut off.
    }
    stream.open = false;
  })();
  return stream;
}

it('lets one person listen with so many streams, and ends each with its token, the access, and the server', async () => {
  const people = await startPeople({ subscriptions: { mostOfOne: 3, lookAgainMs: 50 } });
  const anna = await people.issuer.token({ sub: 'anna' });
  const streams = await Promise.all([1, 2, 3].map(() => listen(people, anna)));
  await expect.poll(() => streams.every(({ text }) => text.includes('acknowledged'))).toBe(true);
  const fourth = await listen(people, anna);
  await fourth.ended;
  expect(fourth.text).toContain('as many streams as one person may');
  const ben = await listen(people, await people.issuer.token({ sub: 'ben', exp: now() + 2 }));
  const lost = await listen(people, await people.issuer.token({ sub: 'lost' }));
  await expect.poll(() => ben.text + lost.text).toMatch(/acknowledged.*acknowledged/s);
  people.lose('lost');
  await lost.ended;
  await ben.ended;
  expect(streams.map(({ open }) => open)).toEqual([true, true, true]);
  await people.server.drain(1_000);
  await Promise.all(streams.map(({ ended }) => ended));
  await people.close();
});

it('finishes what runs when it is told to end, takes nothing new, and ends what is not done in time', async () => {
  const people = await startPeople();
  const token = await people.issuer.token();
  expect((await people.call(token)).status).toBe(200);
  const running = people.call(token, 700);
  const endless = people.call(token, 60_000).then(
    ({ text }) => text(),
    () => 'cut off',
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  const draining = people.server.drain(2_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const late = await people.call(token).then(
    ({ status }) => status,
    () => 'refused',
  );
  expect([503, 'refused']).toContain(late);
  const ready = await fetch(`http://127.0.0.1:${people.server.monitorPort}/readyz`);
  expect(ready.status).toBe(503);
  const answer = await running;
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('waited')]);
  await draining;
  await people.close();
  expect(await endless).toBe('cut off');
});
