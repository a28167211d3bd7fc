/** A list that goes on by its id alone: of its own tool, account and owner, and only where its file says what it is. */

import { afterEach, expect, it } from 'vitest';
import { ownerOf } from '../../src/write/plan/batch-owner.ts';
import { resumeById } from '../../src/write/resume-batch.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

async function resume(more: object, tool = 'write_operation') {
  runner = await startToolRunner(() => ({ body: {} }));
  const { session } = runner;
  const { ownerDigest } = await ownerOf('default', session);
  const batches = await session.batches();
  const info = { id: '0a0b0c0d', account: 'default', owner: ownerDigest, tool, items: [], ...more };
  batches.info = async () => info as never;
  return resumeById({ tool, id: '0a0b0c0d', stop: false }, toolContext(session));
}

it.each([{ account: 'other' }, { owner: 'other' }, { tool: 'change_listings' }])(
  'that is of another is none: %j',
  async (more) => {
    await expect(resume(more)).rejects.toThrow(
      'There is no list 0a0b0c0d of write_operation for this account',
    );
  },
);

it.each([[[{ kind: 'feed' }]], [['text']], [[{ operation: 5 }]]])(
  'whose items do not say what they are (%j) goes on with its arguments',
  async (values) => {
    const items = values.map((value: unknown, at: number) => ({ key: String(at), value }));
    await expect(resume({ items })).rejects.toThrow(
      'The list 0a0b0c0d goes on with the arguments that began it; nothing was sent.',
    );
    expect(runner.calls()).toEqual([]);
  },
);
