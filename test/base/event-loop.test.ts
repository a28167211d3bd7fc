/** Others are let run between the steps of long work, and not at each of them. */

import { expect, it } from 'vitest';
import { LARGE_BYTES, yieldEvery, yieldToEventLoop } from '../../src/base/event-loop.ts';

it('at every so many of a loop, and where a value is large', () => {
  const turns = Array.from({ length: 7 }, (_, at) => yieldEvery(3, at) !== undefined);
  expect(turns).toEqual([false, false, true, false, false, true, false]);
  expect([yieldToEventLoop(), yieldToEventLoop(LARGE_BYTES), yieldToEventLoop(LARGE_BYTES - 1)]).toEqual([
    expect.any(Promise),
    expect.any(Promise),
    undefined,
  ]);
});
