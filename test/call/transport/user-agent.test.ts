/** The User-Agent: an automated agent, and whatever a client calls itself stays inside its place. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { userAgent } from '../../../src/call/transport/user-agent.ts';
import { type Outside, startOutside } from '../../helpers/outside-service.ts';
import { CLIENT_KINDS, connect } from '../../helpers/sessions.ts';

const node = `Platform=Node/${process.versions.node}`;

it.each([
  [undefined, ''],
  [{ name: 'claude-code', version: '2.1.0' }, '; Client=claude-code/2.1.0'],
  [{ name: 'Visual Studio Code', version: '' }, '; Client=Visual-Studio-Code'],
  [
    { name: 'x)\r\nAuthorization: y; \\z=\u202eé', version: '1 (beta)' },
    '; Client=x-Authorization-y-z/1-beta',
  ],
  [{ name: '日本' }, ''],
  [{ name: 'n'.repeat(5_000), version: 'v'.repeat(5_000) }, `; Client=${'n'.repeat(64)}/${'v'.repeat(64)}`],
])('%j', (client, told) => {
  const text = userAgent('1.2.3', client);
  expect(text).toBe(`seller-commerce-mcp/1.2.3 (Language=TypeScript; ${node}; Agent=automated${told})`);
  expect(text.length).toBeLessThan(500);
});

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

it.each(CLIENT_KINDS)('%s: requests tell the client of the session', async (kind) => {
  const before = outside.sandbox.recorded().length;
  const session = await connect({ kind, args: outside.args, env: outside.env });
  try {
    expect((await session.call('read_operation', { operation: 'getSupplySources' })).isError).toBe(false);
  } finally {
    await session.close();
  }
  const sent = outside.sandbox.recorded().slice(before);
  expect(sent.length).toBeGreaterThan(0);
  for (const { headers } of sent) {
    expect(headers['user-agent']).toContain(`; Agent=automated; Client=test-${kind}/1.0.0)`);
  }
});
