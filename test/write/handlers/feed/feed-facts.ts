/** A feed of which every message was accepted, for tests of what is told and kept of one. */

import type { FeedFacts } from '../../../../src/write/handlers/feed/feed-item.ts';

export const FACTS: FeedFacts = {
  feedId: 'F-1',
  status: 'DONE',
  whole: [],
  told: [],
  rest: 'accepted',
  unnamed: { accepted: 0, not_accepted: 0, unknown: 0 },
  cut: 0,
};
