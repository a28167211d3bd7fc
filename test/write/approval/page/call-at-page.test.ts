/** How a call stands whose yes is asked for at a page: shown once, waited for, told again, and ended without anything sent. */

import { beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, InputError, WriteRefusedError } from '../../../../src/base/errors.ts';
import { HOST_ANSWERS_WITHIN_MS } from '../../../../src/render/client-user.ts';
import type { ToolAnswer } from '../../../../src/render/tool-answer.ts';
import type { ApprovalPage } from '../../../../src/write/approval/page/approval-page.ts';
import { AskAtPage } from '../../../../src/write/approval/page/ask-at-page.ts';
import { answerHandle, callAtPage } from '../../../../src/write/approval/page/call-at-page.ts';
import type { ToolContext } from '../../../../src/write/session.ts';
import { nobody } from '../../../helpers/tool-runner.ts';

const TOOL = 'change_listings';
const ARGS = { items: [1] };
const DONE: ToolAnswer = { text: 'done', structured: { outcome: 'done' } };

const refuse = async (reason: string) => {
  throw new WriteRefusedError(reason);
};

/** A page with a list of three, that the person has not seen yet. */
const pageOf = (more: Partial<Record<keyof ApprovalPage, unknown>> = {}) => {
  const page = {
    handle: 'page-1',
    url: 'http://127.0.0.1/page',
    options: { tool: TOOL, args: ARGS, asked: { account: 'default', operation: 'x/y', rows: [], refuse } },
    total: 3,
    standing: 'waiting',
    isVisited: false,
    isInBrowser: false,
    isTold: false,
    result: undefined,
    settled: Promise.resolve(),
    closed: 0,
    close() {
      page.closed += 1;
    },
    ...more,
  };
  return page;
};
type Page = ReturnType<typeof pageOf>;

interface World {
  writes: string;
  known?: Page;
  byCall?: Page;
  /** The host's answer to the question that opens the page. */
  opened?: { action: string; state?: string };
  /** Why no browser can be opened. */
  noBrowser?: Error;
  batch?: { state: string; told?: boolean };
  isElsewhere?: boolean;
}

let world: World;
let seen: {
  searched: unknown[];
  browser: string[];
  hosts: unknown[][];
  opened: Page[];
  invoked: unknown[];
  told: unknown[];
};
let again: ((answer: unknown) => Promise<ToolAnswer>) | undefined;
beforeEach(() => {
  world = { writes: 'ask' };
  seen = { searched: [], browser: [], hosts: [], opened: [], invoked: [], told: [] };
  again = undefined;
});

function context(signal = new AbortController().signal): ToolContext {
  const session = {
    settings: () => ({ writes: world.writes, callTimeoutMs: 60_000 }),
    redactor: { redact: (text: string) => text },
    toldUnfinished: new Set(['x']),
    own: (work: unknown) => work,
    batches: async () => ({ info: async () => world.batch }),
    yesPages: async () => ({
      find: (handle: string) => (world.known?.handle === handle ? world.known : undefined),
      findCall: (tool: string, args: unknown) => {
        seen.searched.push([tool, args]);
        return world.byCall;
      },
      open: async (options: { again: typeof again }) => {
        again = options.again;
        const page = pageOf({ options });
        seen.opened.push(page);
        return page;
      },
      openInBrowser: async (url: string) => {
        if (world.noBrowser !== undefined) throw world.noBrowser;
        seen.browser.push(url);
      },
    }),
  };
  return {
    session,
    person: {
      ...nobody,
      isHere: world.isElsewhere !== true,
      answer: () => world.opened,
      openPage: (...asked: unknown[]) => void seen.hosts.push(asked),
    },
    // Its margin is over already: nobody waits.
    call: { signal, deadline: performance.now() + 3_050, onProgress: () => undefined },
    tell: (progress: unknown) => void seen.told.push(progress),
  } as never;
}
const invoke = async (args: unknown, ctx: ToolContext) => {
  seen.invoked.push([args, ctx.person.canConfirm]);
  return DONE;
};
const ask = (rows: unknown) => async () => {
  throw new AskAtPage({ account: 'default', operation: 'x/y', rows } as never);
};
const call = (args: unknown = ARGS, how = invoke, ctx = context()) => callAtPage(TOOL, args, ctx, how);
const handle = (name: string, stop = false, ctx = context()) =>
  answerHandle(TOOL, name, { stop, ctx, invoke });

describe('a call', () => {
  it.each([[5], [{ items: [1], dryRun: true }]])(
    'that asks nobody (%j) is invoked as it is',
    async (args) => {
      world.writes = 'page';
      expect(await call(args)).toBe(DONE);
      expect([seen.invoked, seen.searched]).toEqual([[[args, false]], []]);
    },
  );

  it.each(['page', 'ask'])(
    'with writes: %s, is looked for without what says nothing of it',
    async (writes) => {
      world.writes = writes;
      await call({ ...ARGS, dryRun: false, confirmationCode: 'c', stop: true });
      expect(seen.invoked[0]).toEqual([expect.objectContaining(ARGS), false]);
      // A code or the word to stop makes no other call of it.
      expect(seen.searched).toEqual([[TOOL, { ...ARGS, dryRun: false }]]);
    },
  );

  it('that fails otherwise opens no page', async () => {
    const fails = async () => {
      throw new InputError('no');
    };
    await expect(call(ARGS, fails)).rejects.toThrow('no');
    expect(seen.opened).toEqual([]);
  });

  it.each([
    [[], 'A list of 3 waits for your yes'],
    [undefined, 'A change waits for your yes'],
  ])('that has to be asked at a page lets the host open it: %j', async (rows, head) => {
    const { structured } = await call(ARGS, ask(rows));
    expect(seen.hosts).toEqual([
      [
        'page',
        expect.stringMatching(new RegExp(`^${head}: look at all of it`)),
        'http://127.0.0.1/page',
        'page-1',
      ],
    ]);
    expect(seen.browser).toEqual([]);
    expect(structured).toMatchObject({ outcome: 'waiting', account: 'default', operation: 'x/y', items: 3 });
  });

  it('with writes: page, opens it itself; where that fails, nothing waits', async () => {
    world.writes = 'page';
    const { structured, text } = await call(ARGS, ask([]));
    expect([seen.browser, seen.hosts]).toEqual([['http://127.0.0.1/page'], []]);
    expect(structured.handle).toBe('page-1');
    expect(text).toContain('not opened by them yet');
    expect(seen.told).toEqual([{ message: 'Waiting for the person at the page' }]);
    for (const [error, words] of [
      [new ConfigError('none here'), 'on this computer (none here); nothing was sent'],
      [new Error('secret'), 'on this computer; nothing was sent'],
    ] as const) {
      world.noBrowser = error;
      await expect(call(ARGS, ask([]))).rejects.toThrow(words);
      expect(seen.opened.at(-1)).toMatchObject({ closed: 1, isTold: true });
    }
  });

  it('whose yes begins it has that yes, and asks nobody once more', async () => {
    const begun: ToolContext[] = [];
    await call(ARGS, async (_args, ctx) => {
      if (again === undefined) return ask([])();
      begun.push(ctx);
      return DONE;
    });
    const approval = { action: 'accept' };
    expect(await again?.(approval)).toBe(DONE);
    const [{ person, session, isUnheard } = context()] = begun;
    expect([person.answer('confirm'), person.answer('page')]).toEqual([approval, undefined]);
    expect([person.canConfirm, person.canOpenPage, isUnheard]).toEqual([true, false, true]);
    expect(() => person.confirm('confirm', 'x', 'y')).toThrow('A second question was asked after the yes');
    expect(session.toldUnfinished.size).toBe(0);
  });
});

describe('the host’s answer to the page', () => {
  it.each([undefined, 'page-2'])('of no page that is known (%s) is refused', async (state) => {
    world.opened = { action: 'accept', state };
    await expect(call()).rejects.toThrow('No page');
    expect(seen.invoked).toEqual([]);
  });

  it.each([
    ['unseen', { isVisited: false, isInBrowser: false }, 1, true],
    ['opened in a browser, and not looked at', { isVisited: false, isInBrowser: true }, 1, false],
    ['looked at', { isVisited: true, isInBrowser: true }, 0, false],
  ])('that is no closes it where it is %s', async (_how, more, closed, isTold) => {
    world.known = pageOf({ ...more, shownAt: performance.now() - HOST_ANSWERS_WITHIN_MS });
    world.opened = { action: 'decline', state: 'page-1' };
    await expect(call()).rejects.toThrow('The person did not open the page; nothing was sent.');
    expect(world.known).toMatchObject({ closed, isTold });
    expect(seen.browser).toEqual([]);
  });

  it.each(['decline', 'cancel', 'failed'])(
    'that may be its own (%s) leads to the browser, once, and is no no',
    async (action) => {
      world.known = pageOf({ shownAt: performance.now() + 60_000 });
      world.opened = { action, state: 'page-1' };
      for (let round = 0; round < 2; round += 1) {
        expect((await call()).structured).toMatchObject({ outcome: 'waiting', handle: 'page-1' });
        expect([seen.browser, world.known.closed]).toEqual([['http://127.0.0.1/page'], 0]);
      }
      world.opened = undefined;
      world.byCall = world.known;
      await call();
      expect([seen.browser.length, seen.hosts]).toEqual([1, []]);
    },
  );

  it('that may be its own is a no where no browser is the person’s', async () => {
    world.isElsewhere = true;
    world.known = pageOf({ shownAt: performance.now() + 60_000 });
    world.opened = { action: 'decline', state: 'page-1' };
    await expect(call()).rejects.toThrow('nothing was sent');
    expect([seen.browser, world.known.closed]).toEqual([[], 1]);
  });

  it('that is no says nothing of what was approved at the page by then', async () => {
    world.known = pageOf({ standing: 'yes', result: { answer: DONE } });
    world.opened = { action: 'decline', state: 'page-1' };
    expect(await call()).toBe(DONE);
  });

  it('that is yes waits for what is said there, and opens it no second time', async () => {
    world.known = pageOf({ isVisited: true });
    world.opened = { action: 'accept', state: 'page-1' };
    const { text, structured } = await call();
    expect(structured.outcome).toBe('waiting');
    expect(text).toContain('open in their browser');
    expect(seen.hosts).toEqual([]);
    expect(world.known.closed).toBe(0);
  });
});

describe('the same call once more', () => {
  it('shows a page that nobody has opened, and no other', async () => {
    for (const [more, shown] of [
      [{}, 1],
      [{ isInBrowser: true }, 0],
      [{ standing: 'agreed' }, 0],
    ] as const) {
      seen.hosts = [];
      world.byCall = pageOf(more);
      await call();
      expect(seen.hosts).toHaveLength(shown);
    }
  });

  it('with stop closes what waits, and nothing that was agreed to', async () => {
    world.byCall = pageOf();
    const { text, structured } = await call({ ...ARGS, stop: true });
    expect(structured).toMatchObject({ outcome: 'stopped', account: 'default', items: 3, next_step: text });
    expect(text).toContain('nothing was sent');
    expect(world.byCall).toMatchObject({ closed: 1, isTold: true });
    world.byCall = pageOf({ standing: 'agreed' });
    expect((await call({ ...ARGS, stop: true })).structured.outcome).toBe('under_way');
    expect(world.byCall.closed).toBe(0);
  });

  it('is told what became of it, once somebody hears it', async () => {
    world.byCall = pageOf({ standing: 'agreed', result: { answer: DONE } });
    const gone = AbortSignal.abort();
    await call(ARGS, invoke, context(gone));
    expect(world.byCall.isTold).toBe(false);
    expect(await call()).toBe(DONE);
    expect(world.byCall.isTold).toBe(true);
    expect([seen.invoked, seen.told]).toEqual([[], []]);
    world.byCall = pageOf({ result: { error: new ConfigError('failed there') } });
    await expect(call()).rejects.toThrow('failed there');
  });

  it.each([
    [undefined, false],
    [{ state: 'under_way', told: true }, true],
    [{ state: 'under_way', told: false }, true],
    [{ state: 'ended', told: false }, true],
    [{ state: 'ended', told: true }, false],
  ])(
    'goes on with its list where that is not over, or its end was not told: %j',
    async (batch, isInvoked) => {
      const answer = { text: 'before', structured: { outcome: 'under_way', batch_id: 'b1' } };
      world.batch = batch;
      world.byCall = pageOf({ standing: 'agreed', result: { answer } });
      expect(await call()).toBe(isInvoked ? DONE : answer);
      expect(seen.invoked).toHaveLength(isInvoked ? 1 : 0);
      expect(world.byCall.result).toEqual({ answer: isInvoked ? DONE : answer });
    },
  );
});

describe('a handle alone', () => {
  it('of no page, or another tool’s, is refused, and told by its beginning', async () => {
    await expect(handle(`${'x'.repeat(19)}yz`)).rejects.toThrow(`No page ${'x'.repeat(19)}y of this tool`);
    world.known = pageOf({ options: { tool: 'other', args: ARGS, asked: {} } });
    await expect(handle('page-1')).rejects.toThrow('No page page-1 of this tool');
  });

  it('tells how it stands, closes what waits, and stops what was agreed to', async () => {
    world.known = pageOf();
    expect((await handle('page-1')).structured.outcome).toBe('waiting');
    expect((await handle('page-1', true)).structured.outcome).toBe('stopped');
    expect(seen.invoked).toEqual([]);
    world.known = pageOf({ standing: 'agreed' });
    expect((await handle('page-1')).structured).toMatchObject({
      outcome: 'under_way',
      handle: 'page-1',
      items: 3,
    });
    expect(await handle('page-1', true)).toBe(DONE);
    expect(seen.invoked).toEqual([[{ ...ARGS, stop: true }, false]]);
    expect(world.known.closed).toBe(0);
  });
});
