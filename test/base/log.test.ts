/** Lines of the log, which people follow in a terminal. */

import { expect, it, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';

it('a line is JSON without secrets, in which nothing is hidden', async () => {
  const lines: string[] = [];
  const log = createLog({
    level: () => 'debug',
    write: (line) => void lines.push(line),
    redact: (text) => text.replaceAll('canary', '[redacted]'),
  });
  log.warn('canary \u001b[2J', { err: 'a\nb\u202e\u009b\u200b é 買' });
  log.debug('second');
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(lines[0]).toMatch(/^[\x20-\x7eé買]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: '[redacted] \u001b[2J',
    err: 'a\nb\u202e\u009b\u200b é 買',
  });
});
