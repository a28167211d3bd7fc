/** A feed that takes longer than a call, or whose process is stopped or killed: sent once, and its end is told. */

import { describe, expect, it } from 'vitest';
import { FEED, listings, patch, send, setUp } from '../helpers/feeds.ts';
import { runProgram } from '../helpers/run-program.ts';

/** The upload has reached the fault that waits for it, so that no later one meets it. */
const uploading = ({ outside }: Awaited<ReturnType<typeof setUp>>) =>
  expect.poll(() => outside.sandbox.faults.left(), { timeout: 30_000 }).toBe(0);

describe('how a feed ends', () => {
  it('later than the call: the same call tells more, without a question, and nothing is sent twice', async () => {
    const setup = await setUp({}, ['--call-timeout-ms=6000']);
    setup.outside.sandbox.nextFeed({ takesMs: 5_000 });
    const first = await send(setup);
    expect(first.structured).toMatchObject({
      outcome: 'under_way',
      next_step: expect.stringContaining('never sent twice'),
    });
    let last = await send(setup);
    for (let calls = 0; calls < 5 && last.structured.outcome === 'under_way'; calls += 1)
      last = await send(setup);
    expect(last.structured).toMatchObject({ outcome: 'done' });
    expect(setup.questions).toHaveLength(1);
    expect(setup.outside.received('createFeed')).toHaveLength(1);
  });

  it('in another process: it goes on with the feed and creates none', async () => {
    const setup = await setUp({}, ['--call-timeout-ms=6000']);
    setup.outside.sandbox.nextFeed({ takesMs: 6_000 });
    expect((await send(setup)).structured.outcome).toBe('under_way');
    await setup.session.close();
    const session = await setup.connect();
    let last = await send({ ...setup, session });
    for (let calls = 0; calls < 5 && last.structured.outcome === 'under_way'; calls += 1)
      last = await send({ ...setup, session });
    expect(last.structured).toMatchObject({ outcome: 'done' });
    expect(setup.questions).toHaveLength(1);
    expect(setup.outside.received('createFeed')).toHaveLength(1);
  });

  it('stopped: it is followed no further, and the answer says that the service goes on with it', async () => {
    const setup = await setUp({}, ['--call-timeout-ms=6000']);
    setup.outside.sandbox.nextFeed({ takesMs: 60_000 });
    const args = { ...FEED, document: { text: listings(setup, patch('MUG-SAND-350', 17, 1)) } };
    expect((await setup.session.call('write_operation', args)).structured.outcome).toBe('under_way');
    const stopped = await setup.session.call('write_operation', { ...args, stop: true });
    expect(stopped.structured.outcome).toBe('stopped');
    expect(stopped.text).toContain('What the service has of it goes on there');
    const nothing = await setup.session.call('write_operation', { ...args, stop: true });
    expect(nothing).toMatchObject({ isError: true, text: expect.stringContaining('nothing was stopped') });
    expect(setup.outside.received('createFeed')).toHaveLength(1);
  });

  it('killed after the feed was created: the same call of the next process follows it, and creates none', async () => {
    const setup = await setUp({}, [], true);
    setup.outside.sandbox.nextFeed({ takesMs: 4_000 });
    const sending = send(setup).catch(() => undefined);
    await expect.poll(() => setup.outside.received('createFeed').length, { timeout: 30_000 }).toBe(1);
    process.kill(setup.session.pid() ?? 0, 'SIGKILL');
    await sending;
    const session = await setup.connect();
    const done = await send({ ...setup, session });
    expect(done.structured).toMatchObject({ outcome: 'done', counts: { accepted: 1 } });
    expect(setup.questions).toHaveLength(1);
    expect(setup.outside.received('createFeed')).toHaveLength(1);
  });

  it('killed, and stopped by the command before its end: what became of it is told all the same', async () => {
    const setup = await setUp({}, [], true);
    setup.outside.sandbox.nextFeed({ takesMs: 4_000 });
    const sending = send(setup).catch(() => undefined);
    await expect.poll(() => setup.outside.received('createFeed').length, { timeout: 30_000 }).toBe(1);
    // Its id is on the disk by then.
    await expect.poll(() => setup.outside.received('getFeed').length, { timeout: 30_000 }).toBeGreaterThan(0);
    process.kill(setup.session.pid() ?? 0, 'SIGKILL');
    await sending;
    const { env, args } = setup.outside;
    const stopped = await runProgram(['stop', ...args], { env });
    expect(stopped.stdout).toMatch(/^Stopped: feed JSON_LISTINGS_FEED .*: 1 unknown\.$/m);
    const session = await setup.connect();
    const result = await send({ ...setup, session });
    expect(result.structured).toMatchObject({ outcome: 'done', counts: { accepted: 1 } });
    expect(setup.questions).toHaveLength(1);
    expect(setup.outside.received('createFeed')).toHaveLength(1);
  });

  it('killed while it was uploaded: the same call of the next process uploads it again and creates one feed', async () => {
    const setup = await setUp({}, [], true);
    setup.outside.sandbox.faults.next({ operation: 'uploadDocument', delayMs: 20_000 });
    const sending = send(setup).catch(() => undefined);
    await uploading(setup);
    process.kill(setup.session.pid() ?? 0, 'SIGKILL');
    await sending;
    const session = await setup.connect();
    const done = await send({ ...setup, session });
    expect(done.structured).toMatchObject({ outcome: 'done' });
    expect(setup.questions).toHaveLength(1);
    expect(setup.outside.received('createFeed')).toHaveLength(1);
  });

  it('killed while it was uploaded, and writes are switched off since then: nothing of it is sent', async () => {
    const setup = await setUp({}, [], true);
    setup.outside.sandbox.faults.next({ operation: 'uploadDocument', delayMs: 20_000 });
    const sending = send(setup).catch(() => undefined);
    await uploading(setup);
    process.kill(setup.session.pid() ?? 0, 'SIGKILL');
    await sending;
    const session = await setup.connect(['--writes=deny']);
    const result = await send({ ...setup, session });
    expect(result.structured).toMatchObject({ outcome: 'unfinished' });
    expect(result.text).toContain('Writes are switched off here');
    expect(setup.outside.received('createFeedDocument')).toHaveLength(1);
    expect(setup.outside.received('createFeed')).toHaveLength(0);
  });

  it('killed while it was uploaded, and its file is another since then: nothing of it is sent', async () => {
    const setup = await setUp({}, [], true);
    const args = { ...FEED, document: { file: 'prices.json' } };
    await setup.save('prices.json', listings(setup, patch('MUG-SAND-350', 17, 1)));
    setup.outside.sandbox.faults.next({ operation: 'uploadDocument', delayMs: 20_000 });
    const sending = setup.session.call('write_operation', args).catch(() => undefined);
    await uploading(setup);
    process.kill(setup.session.pid() ?? 0, 'SIGKILL');
    await sending;
    await setup.save('prices.json', listings(setup, patch('MUG-SAND-350', 1, 1)));
    const session = await setup.connect();
    const answer = await session.call('write_operation', args);
    expect(answer).toMatchObject({ isError: true, structured: { outcome: 'not_accepted' } });
    expect(answer.text).toContain('not there any more as it was confirmed');
    expect(setup.outside.received('createFeed')).toHaveLength(0);
  });
});
