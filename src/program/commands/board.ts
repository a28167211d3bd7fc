/** The `board` command shows the data stored on this computer in the browser while it runs. */

import type { Command } from './line/command.ts';

/** The time to end the command's workers and remove its folders. */
const GRACE_MS = 3_000;

export const board = {
  name: 'board',
  summary: 'Look at listing health, changes, hours and data in the browser',
  options: {
    open: { type: 'boolean', help: 'Open the browser (on unless --no-open)' },
  },
  details: [
    'On loopback, for as long as the command runs (Ctrl+C ends it). It shows what reviews and collections have left on this',
    'computer, and the journal of writes; it asks the service for nothing, and uses no credentials. Buyers stay marks.',
    'The address opens it once, in one browser. With --sandbox: the made-up seller, reviewed anew where nothing is kept.',
  ].join('\n'),
  graceMs: GRACE_MS,
  async run({ values }, io) {
    const { openBoard } = await import('../runtime/open-board.ts');
    const board = await openBoard(io);
    try {
      io.stdout(`Open ${board.url}\nIt opens once. Ctrl+C here ends it.\n`);
      // The printed address is enough when there is no browser.
      if (values.open !== false)
        await io
          .openInBrowser(board.url)
          .catch(() => io.stderr('Open it yourself: no browser could be opened.\n'));
      await board.done;
      return 0;
    } finally {
      await board.close();
    }
  },
} satisfies Command;
