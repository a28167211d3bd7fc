/** Others are let run between the steps of long work, and not at each of them. */

import { expect, it } from 'vitest';
import { LARGE_BYTES, letOthersRun, letOthersRunEach } from '../../src/base/event-loop.ts';

it('at every so many of a loop, and where a value is large', () => {
  const turns = Array.from({ length: 7 }, (_, at) => letOthersRunEach(3, at) !== undefined);
  expect(turns).toEqual([false, false, true, false, false, true, false]);
  expect([letOthersRun(), letOthersRun(LARGE_BYTES), letOthersRun(LARGE_BYTES - 1)]).toEqual([
    expect.any(Promise),
    expect.any(Promise),
    undefined,
  ]);
});
