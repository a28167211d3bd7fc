/** A confirmed list from its begin to its end: found again, watched, stopped, expired, told. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { BatchItem, BatchProgress, Sender } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo } from '../../../../src/write/run/batches/summary.ts';
import { type FakeClock, fakeClock } from '../../../helpers/fake-clock.ts';
import { createRandom } from '../../../helpers/random.ts';
import {
  anyKey,
  createProcess,
  listOf,
  type Mood,
  noKey,
  passTime,
  simulatedBatches,
  simulatedService,
} from './simulated.ts';
import { type SimulatedStore, simulatedStore } from './simulated-store.ts';

const NEVER = Number.POSITIVE_INFINITY;
const HOUR_MS = 3_600_000;
const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ key: `SKU-${i}`, value: { price: i } }));

interface Machine {
  clock: FakeClock;
  shared: SimulatedStore;
  random: () => number;
}

function setUp(
  moods: Record<string, Mood[]> = {},
  service: { changed?: string[]; unreadable?: string[] } = {},
) {
  const [clock, random] = [fakeClock(), createRandom(1)];
  const machine: Machine = { clock, shared: simulatedStore(clock), random };
  return {
    ...machine,
    service: simulatedService({
      random,
      moods: new Map(Object.entries(moods)),
      changed: new Set(service.changed),
      unreadable: new Set(service.unreadable),
    }),
    /** Opens the batches as one process of the program does. */
    open(options: Partial<Parameters<typeof simulatedBatches>[0]> = {}) {
      const process = createProcess(clock, random, NEVER);
      return { process, batches: simulatedBatches({ ...machine, process, ...options }) };
    },
    pass: <T>(work: Promise<T>) => passTime(work, clock),
  };
}

const waiting = (until = NEVER, onProgress: (progress: BatchProgress) => void = () => {}) => ({
  until,
  onProgress,
  signal: new AbortController().signal,
});

const kinds = (info: BatchInfo | undefined) => info?.items.map(({ outcome }) => outcome?.kind);

describe('a batch', () => {
  test('is on the disk before anything is sent, each item claimed there before it is sent, and each outcome after', async () => {
    const { shared, service, open, pass } = setUp({ 'SKU-1': ['refuses'] });
    const { process, batches } = open();
    const begun = await pass(batches.begin(listOf(items(3))));
    expect(begun).toEqual({ id: '00000001', isNew: true });
    expect(service.sent).toEqual([]);
    const sender = service.sender(process);
    const claimed: boolean[] = [];
    const watching: Sender = {
      ...sender,
      send: (item, parts) => {
        const index = items(3).findIndex(({ key }) => key === item.key);
        claimed.push(shared.all('SELECT item FROM batch_items WHERE item = ?', index).length === 1);
        return sender.send(item, parts);
      },
    };
    const run = await pass(batches.run('00000001', watching));
    const info = await pass(run.wait(waiting()));
    expect(claimed).toEqual([true, true, true]);
    expect(info).toMatchObject({
      id: '00000001',
      state: 'ended',
      total: 3,
      told: false,
      words: '3 listings',
      counts: { accepted: 2, not_accepted: 1, pending: 0 },
      items: [
        { key: 'SKU-0', value: { price: 0 }, outcome: { kind: 'accepted', journalId: 'j-SKU-0' } },
        { key: 'SKU-1', outcome: { kind: 'not_accepted', why: 'no' } },
        { key: 'SKU-2', outcome: { kind: 'accepted' } },
      ],
    });
  });

  test('of which the head was changed where it lies is another list, and nothing of it is sent', async () => {
    for (const [from, to] of [
      ['"account":"shop"', '"account":"other"'],
      ['"owner":"mark"', '"owner":"another"'],
      ['"asked":"asked"', '"asked":"else"'],
      ['"createdAt":1', '"createdAt":2'],
    ] as const) {
      const { shared, service, open, pass } = setUp();
      const { id } = await pass(open().batches.begin(listOf(items(2))));
      expect(shared.textOf(id)).toContain(from);
      shared.all('UPDATE batches SET head = replace(head, ?, ?)', from, to);
      const { process, batches } = open();
      const info = await pass((await pass(batches.run(id, service.sender(process)))).wait(waiting()));
      expect(info?.why).toContain('Its values cannot be read any more');
      expect(service.sent).toEqual([]);
    }
  });

  test('that was told says so, and no other one', async () => {
    const { service, open, pass } = setUp();
    const { process, batches } = open();
    for (const asked of ['one', 'other']) {
      const { id } = await pass(batches.begin(listOf(items(1), { asked })));
      await pass((await pass(batches.run(id, service.sender(process)))).wait(waiting()));
    }
    await pass(batches.markTold('00000001'));
    expect([await batches.info('00000001'), await batches.info('00000002')]).toMatchObject([
      { told: true },
      { told: false },
    ]);
  });

  test('that has ended and was told is let go', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    const { service, open, pass } = setUp();
    const { process, batches } = open();
    const sent: WeakRef<BatchItem>[] = [];
    const sender = service.sender(process);
    const noting: Sender = {
      ...sender,
      send: (item, parts) => {
        sent.push(new WeakRef(item));
        return sender.send(item, parts);
      },
    };
    const runAll = async () => {
      const { id } = await pass(batches.begin(listOf(items(3))));
      await pass((await pass(batches.run(id, noting))).wait(waiting()));
      await pass(batches.markTold(id));
    };
    await runAll();
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (typeof collect === 'function') collect();
    }
    expect(sent.map((item) => item.deref())).toEqual([undefined, undefined, undefined]);
  });

  test('whether it was taken back is told of the newest of the same call, whose it is', async () => {
    const { open, pass, clock } = setUp();
    const { batches } = open();
    const wasTakenBack = (owner = 'mark') => pass(batches.wasTakenBack('shop', owner, 'asked'));
    const { id } = await pass(batches.begin(listOf(items(1))));
    expect(await wasTakenBack()).toBe(false);
    const unfinished = (owner: string) => pass(batches.unfinished('shop', owner));
    expect([await unfinished('mark'), await unfinished('another')]).toMatchObject([[{ id }], []]);
    await pass(batches.withdraw(id));
    expect([await wasTakenBack(), await wasTakenBack('another')]).toEqual([true, false]);
    await clock.advance(1000);
    expect(await pass(batches.begin(listOf(items(1))))).toMatchObject({ isNew: true });
    expect(await wasTakenBack()).toBe(false);
  });

  test('sends nothing more once another process holds it, though that one has written nothing yet', async () => {
    const { clock, shared, service, open, pass } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(60))));
    const sender = service.sender(process);
    const taken: Sender = {
      ...sender,
      send(item, parts) {
        if (service.sent.length === 2) shared.giveTo(open().process, '00000001');
        return sender.send(item, parts);
      },
    };
    const run = await pass(batches.run('00000001', taken));
    await pass(run.wait(waiting(clock.now() + 10_000)));
    // It looks every half second; an item takes some 60 ms.
    expect(service.sent.length).toBeGreaterThan(2);
    expect(service.sent.length).toBeLessThan(20);
  });

  test('is found by what was asked until somebody was told how it ended, also by another process', async () => {
    const { service, open, pass } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(2))));
    const other = open().batches;
    expect(await pass(other.find('shop', 'mark', 'asked'))).toMatchObject({ state: 'unfinished' });
    for (const [account, owner, asked] of [
      ['other', 'mark', 'asked'],
      ['shop', 'other', 'asked'],
      ['shop', 'mark', 'other'],
    ] as const)
      expect(await pass(other.find(account, owner, asked))).toBeUndefined();
    const run = await pass(batches.run('00000001', service.sender(process)));
    await pass(run.wait(waiting()));
    const found = await pass(other.find('shop', 'mark', 'asked'));
    expect(found).toMatchObject({ state: 'ended', counts: { accepted: 2 } });
    expect(await pass(other.unfinished('shop', 'mark'))).toMatchObject([{ state: 'ended' }]);
    await pass(batches.markTold('00000001'));
    expect(await pass(other.find('shop', 'mark', 'asked'))).toBeUndefined();
    expect(await pass(other.unfinished('shop', 'mark'))).toEqual([]);
    expect(await pass(other.info('00000001'))).toMatchObject({ told: true, state: 'ended' });
  });

  test('goes on when the caller goes: a time-out or a cancel ends the waiting only', async () => {
    const { clock, service, open, pass } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(20))));
    const run = await pass(batches.run('00000001', service.sender(process)));
    expect(await pass(run.wait(waiting(clock.now() + 100)))).toBeUndefined();
    const gone = new AbortController();
    gone.abort();
    expect(await pass(run.wait({ ...waiting(), signal: gone.signal }))).toBeUndefined();
    const reports: number[] = [];
    const again = await pass(batches.run('00000001', service.sender(process)));
    const info = await pass(again.wait(waiting(NEVER, ({ done }) => reports.push(done))));
    expect(info).toMatchObject({ state: 'ended' });
    expect(reports.length).toBeGreaterThan(5);
    expect(reports).toEqual([...reports].sort((a, b) => a - b));
    expect(service.sent).toHaveLength(20);
  });

  test('is not begun twice: the same list is the one that is open, another of the same call is refused', async () => {
    const { open, pass } = setUp();
    const [one, other] = [open(), open()];
    const first = await pass(one.batches.begin(listOf(items(2))));
    expect(await pass(other.batches.begin(listOf(items(2))))).toEqual({ id: first.id, isNew: false });
    await expect(pass(other.batches.begin(listOf(items(3), { digest: 'other' })))).rejects.toThrow(
      'Another list of the same call is open: 2 listings; nothing was sent.',
    );
    expect(await pass(other.batches.begin(listOf(items(3), { asked: 'another' })))).toMatchObject({
      isNew: true,
    });
  });

  test('is one of as many as a person may have open, whatever others have', async () => {
    const { open, pass, service } = setUp();
    const anna = open({ by: { name: 'Anna', id: 'a' }, most: 2 });
    const ben = open({ by: { name: 'Ben', id: 'b' }, most: 2 });
    const begin = ({ batches }: typeof anna, asked: string) =>
      pass(batches.begin(listOf(items(2), { asked })));
    const { id } = await begin(anna, '1');
    await begin(ben, '2');
    const second = await begin(anna, '3');
    await expect(begin(anna, '4')).rejects.toMatchObject({
      message: 'You have 2 lists of writes open already, which is the most here; nothing was sent.',
      hint: `Let one end, or stop one: ${id}, ${second.id}.`,
    });
    // The same call is the list that is open, and one that has ended counts no more.
    expect(await begin(anna, '3')).toEqual({ id: second.id, isNew: false });
    expect(await begin(ben, '5')).toMatchObject({ isNew: true });
    await pass(anna.batches.run(id, service.sender(anna.process)).then((run) => run.wait(waiting())));
    expect(await begin(anna, '4')).toMatchObject({ isNew: true });
  });

  test('has items, each once', async () => {
    const { open, pass, shared } = setUp();
    const { batches } = open();
    await expect(pass(batches.begin(listOf([])))).rejects.toThrow(
      'The list is empty; there is nothing to send.',
    );
    const twice = [...items(2), { key: 'SKU-1', value: 9 }];
    await expect(pass(batches.begin(listOf(twice)))).rejects.toThrow(
      'SKU-1 stands twice in the list (3 listings).',
    );
    expect(shared.ids()).toEqual([]);
  });

  test('does not send what somebody else has changed meanwhile, or what cannot be looked at', async () => {
    const { service, open, pass } = setUp({}, { changed: ['SKU-1', 'SKU-30'] });
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(45))));
    const sender = service.sender(process);
    const asked: number[] = [];
    const forgetful: Sender = {
      ...sender,
      check: async (some, signal) => {
        asked.push(some.length);
        const found = new Map(await sender.check?.(some, signal));
        found.delete('SKU-2');
        if (found.has('SKU-3')) found.set('SKU-3', { kind: 'changed_since', why: 'now 9 EUR' });
        return found;
      },
    };
    const run = await pass(batches.run('00000001', forgetful));
    const info = await pass(run.wait(waiting()));
    expect(asked).toEqual([20, 20, 5]);
    expect(info?.items.slice(1, 4).map(({ outcome }) => outcome)).toEqual([
      expect.objectContaining({
        kind: 'changed_since',
        why: expect.stringContaining('Somebody else changed it'),
      }),
      expect.objectContaining({ kind: 'not_sent', why: expect.stringContaining('could not be read') }),
      expect.objectContaining({ kind: 'changed_since', why: 'now 9 EUR' }),
    ]);
    expect(info?.counts).toMatchObject({ accepted: 41, changed_since: 3, not_sent: 1 });
    expect(service.sent.map(({ key }) => key)).not.toContain('SKU-30');
  });

  test('sends what could not be looked at for a while as soon as it can be', async () => {
    const { service, open, pass } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(25))));
    const sender = service.sender(process);
    let looks = 0;
    const failing: Sender = {
      ...sender,
      check: async (some, signal) => {
        looks += 1;
        if (looks % 2 === 1) throw new Error('no answer');
        return new Map(await sender.check?.(some, signal));
      },
    };
    const run = await pass(batches.run('00000001', failing));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 25 } });
    expect(new Set(service.sent.map(({ key }) => key)).size).toBe(25);
    expect(service.sent).toHaveLength(25);
  });

  test('waits through a storm of 429 as long as it is told to, and sends each only once more', async () => {
    const { clock, service, open, pass } = setUp({ 'SKU-0': ['waits', 'waits', 'waits', 'accepts'] });
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(2))));
    const run = await pass(batches.run('00000001', service.sender(process)));
    const whys = new Set<string | undefined>();
    const from = clock.now();
    const info = await pass(run.wait(waiting(NEVER, ({ why }) => whys.add(why))));
    expect(clock.now() - from).toBeGreaterThan(3000);
    expect(whys).toContain('429');
    expect(kinds(info)).toEqual(['accepted', 'accepted']);
    expect(service.sent.filter(({ key }) => key === 'SKU-0').map(({ mood }) => mood)).toEqual([
      'waits',
      'waits',
      'waits',
      'accepts',
    ]);
    expect(service.sent).toHaveLength(5);
  });

  test('waits twice as long each time where nobody says how long, a minute at most, until something gets through', async () => {
    const { clock, service, open, pass } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(2))));
    const tries: number[] = [];
    const sender: Sender = {
      ...service.sender(process),
      async send() {
        tries.push(clock.now());
        return tries.length % 8 === 0 ? { kind: 'accepted' } : { kind: 'later', why: 'no connection' };
      },
    };
    await pass((await pass(batches.run('00000001', sender))).wait(waiting()));
    const waits = tries.slice(1).map((at, i) => Math.floor((at - (tries[i] ?? 0)) / 1000));
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 0, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('ends its run where nothing gets through for a quarter of an hour, says why, and goes on with the same call', async () => {
    const { clock, service, open, pass } = setUp({ 'SKU-0': [...Array(2000).fill('waits'), 'accepts'] });
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(1))));
    const from = clock.now();
    const run = await pass(batches.run('00000001', service.sender(process)));
    const info = await pass(run.wait(waiting()));
    expect(clock.now() - from).toBeGreaterThan(14 * 60_000);
    expect(info).toMatchObject({ state: 'unfinished', why: '429', counts: { pending: 1 } });
  });

  test('does not end its run for a wait when something got through a moment ago, however long it has gone on', async () => {
    const { clock, service, open, pass } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(6))));
    const from = clock.now();
    let tries = 0;
    const sender: Sender = {
      ...service.sender(process),
      atOnce: 1,
      // Each gets through at its second try, ten minutes later.
      async send() {
        tries += 1;
        return tries % 2 === 0 ? { kind: 'accepted' } : { kind: 'later', why: '429', afterMs: 10 * 60_000 };
      },
    };
    const run = await pass(batches.run('00000001', sender));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 6 } });
    expect(clock.now() - from).toBeGreaterThanOrEqual(60 * 60_000);
  });

  test('ends its run where nothing can be sent at all (no token), with what was done before', async () => {
    const { service, open, pass } = setUp({ 'SKU-1': ['no_token', 'accepts'] });
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(3))));
    const run = await pass(batches.run('00000001', service.sender(process)));
    const info = await pass(run.wait(waiting()));
    expect(info).toMatchObject({
      state: 'unfinished',
      why: 'No token.',
      counts: { accepted: 1, pending: 2 },
    });
    expect(kinds(info)).toEqual(['accepted', undefined, undefined]);
    const again = await pass(batches.run('00000001', service.sender(process)));
    expect(kinds(await pass(again.wait(waiting())))).toEqual(Array(3).fill('accepted'));
  });
});

describe('what was sent without an answer', () => {
  test('is looked at and never sent again; what reading does not tell is told as unknown', async () => {
    const { service, open, pass } = setUp(
      { 'SKU-0': ['silent_applied'], 'SKU-1': ['silent'], 'SKU-2': ['silent_applied'] },
      { unreadable: ['SKU-2'] },
    );
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(4))));
    const run = await pass(batches.run('00000001', service.sender(process)));
    const info = await pass(run.wait(waiting()));
    expect(info?.items.map(({ outcome }) => outcome)).toEqual([
      expect.objectContaining({ kind: 'accepted' }),
      expect.objectContaining({ kind: 'failed', why: expect.stringContaining('it was not applied') }),
      expect.objectContaining({ kind: 'unknown', why: expect.stringContaining('It was not sent again.') }),
      expect.objectContaining({ kind: 'accepted' }),
    ]);
    expect(service.sent).toHaveLength(4);
  });

  test('stays unfinished while it cannot be read, and the same call looks again', async () => {
    const { service, open, pass } = setUp({ 'SKU-0': ['silent_applied'] });
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(1))));
    const sender = service.sender(process);
    const blind: Sender = { ...sender, look: () => Promise.reject(new Error('not now')) };
    const run = await pass(batches.run('00000001', blind));
    const info = await pass(run.wait(waiting()));
    expect(info).toMatchObject({
      state: 'unfinished',
      why: expect.stringContaining('could not be read yet'),
    });
    const again = await pass(batches.run('00000001', sender));
    expect(kinds(await pass(again.wait(waiting())))).toEqual(['accepted']);
    expect(service.sent).toHaveLength(1);
  });

  test('is looked at once more at the end of the run where it could not be read at first', async () => {
    const { service, open, pass } = setUp({ 'SKU-0': ['silent_applied'] });
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(3))));
    const sender = service.sender(process);
    let looks = 0;
    const busy: Sender = {
      ...sender,
      look: (...args) => (looks++ === 0 ? Promise.reject(new Error('not now')) : sender.look(...args)),
    };
    const run = await pass(batches.run('00000001', busy));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 3 } });
  });

  test('is not gone on with once another process has it: its next step fails, and it is not even looked at', async () => {
    const { service, open, pass, shared, clock } = setUp();
    const { process, batches } = open();
    const other = open().process;
    await pass(batches.begin(listOf(items(1))));
    const seen: string[] = [];
    let by = '';
    const sender: Sender = {
      ...service.sender(process),
      async send(_item, { note }) {
        by = shared.giveTo(other, '00000001');
        await shared.past.change('00000001', [{ t: 'looking', i: 0, by }]);
        await note('uploaded').catch((error: Error) => {
          seen.push(error.name);
          throw error;
        });
        return { kind: 'accepted' };
      },
      async look() {
        seen.push('looked');
        return 'unknown';
      },
    };
    const failed = async () => {
      while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    const run = await pass(batches.run('00000001', sender));
    await pass(failed());
    expect(seen).toEqual(['BatchEndedError']);
    await clock.advance(1000);
    expect(seen).toEqual(['BatchEndedError']);
    const end = { t: 'end', i: 0, by, kind: 'accepted', journalId: 'of the other' } as const;
    await shared.past.change('00000001', [end]);
    const info = await pass(run.wait(waiting()));
    expect(info?.items[0]?.outcome).toMatchObject({ kind: 'accepted', journalId: 'of the other' });
    expect(seen).toEqual(['BatchEndedError']);
  });

  test('does not leave once another process has its list, though that one has not claimed it yet', async () => {
    const { service, open, pass, shared, clock } = setUp();
    const { process, batches } = open();
    await pass(batches.begin(listOf(items(1))));
    const seen: string[] = [];
    const sender: Sender = {
      ...service.sender(process),
      async send(_item, { note }) {
        shared.giveTo(open().process, '00000001');
        await note({ sent: true }).catch((error: Error) => {
          seen.push(error.name);
          throw error;
        });
        seen.push('left');
        return { kind: 'accepted' };
      },
      look: async () => ({ kind: 'later', why: 'It had not left.', afterMs: 0 }),
    };
    const run = await pass(batches.run('00000001', sender));
    await pass(run.wait(waiting(clock.now() + 10_000)));
    expect(seen).toEqual(['BatchEndedError']);
    expect(kinds(await pass(batches.info('00000001')))).toEqual([undefined]);
  });

  test('finds the steps that were noted before, in another process too', async () => {
    const { service, open, pass } = setUp();
    const first = open();
    await pass(first.batches.begin(listOf(items(1))));
    const sender = service.sender(first.process);
    const noted = new Promise<void>((resolve) => {
      void first.batches.run('00000001', {
        ...sender,
        async send(_item, parts) {
          expect(parts.steps).toBeUndefined();
          await parts.note({ document: 'd1' });
          await parts.note({ document: 'd1', feed: 'f1' });
          resolve();
          return new Promise(() => {});
        },
      });
    });
    await pass(noted);
    first.process.kill();
    const second = open();
    const seen: unknown[] = [];
    const later = await pass(
      second.batches.run('00000001', {
        ...service.sender(second.process),
        async look(_item, steps, parts) {
          seen.push(steps, parts.steps);
          await parts.note({ document: 'd1', feed: 'f1', report: 'r1' });
          return { kind: 'accepted', facts: { steps } };
        },
      }),
    );
    const info = await pass(later.wait(waiting()));
    expect(seen[0]).toEqual({ document: 'd1', feed: 'f1' });
    expect(info?.items[0]?.outcome).toMatchObject({ kind: 'accepted', facts: { steps: { feed: 'f1' } } });
  });
});

describe('a batch that ends before its time', () => {
  /** Begun, and under way until the first item is at the service. */
  async function begin(parts: Parameters<typeof listOf>[1] = {}) {
    const machine = setUp();
    const { service, open, pass } = machine;
    const one = open();
    await pass(one.batches.begin(listOf(items(10), parts)));
    const sender = service.sender(one.process);
    const { promise: first, resolve: arrived } = Promise.withResolvers<void>();
    const start = async () => {
      const run = await one.batches.run('00000001', {
        ...sender,
        send: (item, send) => {
          arrived();
          return sender.send(item, send);
        },
      });
      await first;
      return run;
    };
    return { ...machine, ...one, sender, start };
  }

  test('is stopped between two items, told with what was done, and never goes on', async () => {
    const { batches, start, service, pass, open, process } = await begin();
    await pass(start());
    const info = await pass(batches.stop('00000001'));
    const done = service.sent.length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(10);
    expect(info).toMatchObject({
      state: 'stopped',
      counts: { accepted: done, not_sent: 10 - done, pending: 0 },
    });
    expect(info?.items.at(-1)?.outcome).toEqual({
      kind: 'not_sent',
      why: 'The batch was stopped before it was sent.',
    });
    const other = open().batches;
    expect(await pass(other.find('shop', 'mark', 'asked'))).toMatchObject({ state: 'stopped' });
    const run = await pass(batches.run('00000001', service.sender(process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'stopped' });
    expect(service.sent).toHaveLength(done);
    // The same call again is a new one, with a new yes.
    expect(await pass(other.begin(listOf(items(10))))).toMatchObject({ isNew: true });
  });

  test('is not sent where the word to stop came between its claim and its sending', async () => {
    const { service, pass, open, shared } = setUp();
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(1))));
    const sender = service.sender(process);
    const stopping: Sender = {
      ...sender,
      // The last moment before the claim.
      check: async (some) => {
        await shared.past.change('00000001', [{ t: 'stop' }]);
        return new Map(some.map(({ key }) => [key, 'as_shown']));
      },
    };
    const run = await pass(batches.run('00000001', stopping));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'stopped', counts: { not_sent: 1 } });
    expect(service.sent).toEqual([]);
  });

  test('is not sent where its session ends between its claim and its sending, and the next one sends it', async () => {
    const { service, pass, open } = setUp();
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(1))));
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = () => resolve(batches.close());
    });
    const ending: Sender = {
      ...service.sender(process),
      // The last moment before the claim.
      check: async (some) => {
        close();
        return new Map(some.map(({ key }) => [key, 'as_shown']));
      },
    };
    await pass(batches.run('00000001', ending));
    await pass(closed);
    expect(service.sent).toEqual([]);
    const next = open();
    const run = await pass(next.batches.run('00000001', service.sender(next.process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 1 } });
    expect(service.sent).toHaveLength(1);
  });

  test('one that is taken back between its claim and its sending is not sent, and the others are', async () => {
    const { service, pass, open, shared } = setUp();
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(3))));
    const sender = service.sender(process);
    let looks = 0;
    const taken: Sender = {
      ...sender,
      async send(item, parts) {
        // Another process withdraws the item in the moment before it is sent.
        if (item.key === 'SKU-1') await shared.past.change('00000001', [{ t: 'withdrawn', items: [1] }]);
        await parts.note({ sent: true });
        return sender.send(item, parts);
      },
      look: async () => {
        looks += 1;
        // Were it tried again, it would be for ever.
        return looks > 3 ? 'unknown' : { kind: 'later', why: 'It had not left.', afterMs: 0 };
      },
    };
    const run = await pass(batches.run('00000001', taken));
    const info = await pass(run.wait(waiting()));
    expect(kinds(info)).toEqual(['accepted', 'not_sent', 'accepted']);
    expect(service.sent.map(({ key }) => key)).toEqual(['SKU-0', 'SKU-2']);
  });

  test('is stopped from another process, which waits until that has happened', async () => {
    const { start, service, pass, open } = await begin();
    await pass(start());
    const other = open().batches;
    expect(await pass(other.list())).toMatchObject([{ state: 'elsewhere' }]);
    const info = await pass(other.stop('00000001'));
    expect(info).toMatchObject({ state: 'stopped', counts: { accepted: service.sent.length } });
    expect(service.sent.length).toBeLessThan(10);
    expect(await pass(other.stop('00000001'))).toMatchObject({ state: 'stopped' });
    expect(await pass(other.stop('ffffffff'))).toBeUndefined();
  });

  test('ends with its session between two items, and the next session goes on', async () => {
    const { batches, start, service, pass, open } = await begin();
    await pass(start());
    await pass(batches.close());
    const done = service.sent.length;
    expect(done).toBeLessThan(10);
    const next = open();
    expect(await pass(next.batches.unfinished('shop', 'mark'))).toMatchObject([
      { state: 'unfinished', counts: { accepted: done, pending: 10 - done } },
    ]);
    // The batch sends nothing by itself.
    expect(service.sent).toHaveLength(done);
    const run = await pass(next.batches.run('00000001', service.sender(next.process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 10 } });
    expect(service.sent).toHaveLength(10);
  });

  test('gives up what is under way when the session cannot wait for it, and looks at it later', async () => {
    const { batches, service, process, pass, open, clock } = await begin();
    const seen: boolean[] = [];
    const slow: Sender = {
      ...service.sender(process),
      send: (_item, { signal, ending }) =>
        new Promise((_, reject) => {
          ending.addEventListener('abort', () => seen.push(signal.aborted));
          signal.addEventListener('abort', () => reject(new Error('cut off')));
        }),
    };
    await pass(batches.run('00000001', slow));
    await clock.advance(1000);
    const from = clock.now();
    await pass(batches.close());
    expect(clock.now() - from).toBeLessThan(2000);
    expect(seen).toEqual([false]);
    const next = open();
    const run = await pass(next.batches.run('00000001', service.sender(next.process)));
    const info = await pass(run.wait(waiting()));
    expect(kinds(info)).toEqual(['failed', ...Array(9).fill('accepted')]);
    expect(service.sent.map(({ key }) => key)).not.toContain('SKU-0');
  });

  test('is stopped within seconds also where an item waits for long, and that one is given up', async () => {
    const { batches, service, process, pass, clock } = await begin();
    const waits: Sender = {
      ...service.sender(process),
      send: (_item, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ kind: 'later', why: 'not sent' })),
        ),
    };
    await pass(batches.run('00000001', waits));
    await clock.advance(1000);
    const from = clock.now();
    const info = await pass(batches.stop('00000001'));
    expect(clock.now() - from).toBeLessThan(9000);
    expect(info).toMatchObject({ state: 'stopped', counts: { not_sent: 10 } });
  });

  test('is told for two days at most: later the same call is a new one', async () => {
    const { batches, start, pass, clock } = await begin();
    await pass(start());
    await pass(batches.stop('00000001'));
    clock.jump(47 * HOUR_MS);
    expect(await pass(batches.find('shop', 'mark', 'asked'))).toMatchObject({ state: 'stopped' });
    clock.jump(2 * HOUR_MS);
    expect(await pass(batches.find('shop', 'mark', 'asked'))).toBeUndefined();
    expect(await pass(batches.unfinished('shop', 'mark'))).toEqual([]);
    expect(await pass(batches.info('00000001'))).toMatchObject({ state: 'stopped' });
  });

  test('expires after 24 hours: the rest is told as not sent, and what hangs is only looked at', async () => {
    const { start, service, process, pass, open, clock } = await begin();
    await pass(start());
    process.kill();
    const done = service.sent.length;
    clock.jump(23.9 * HOUR_MS);
    const next = open();
    expect(await pass(next.batches.find('shop', 'mark', 'asked'))).toMatchObject({ state: 'unfinished' });
    clock.jump(0.2 * HOUR_MS);
    const info = await pass(next.batches.find('shop', 'mark', 'asked'));
    expect(info).toMatchObject({ state: 'expired', counts: { pending: 0 } });
    expect(info?.items.at(-1)?.outcome).toEqual({
      kind: 'not_sent',
      why: 'It was not sent within 24 hours.',
    });
    const run = await pass(next.batches.run('00000001', service.sender(next.process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'expired', counts: { unknown: 0 } });
    expect(service.sent).toHaveLength(done);
    expect(await pass(next.batches.begin(listOf(items(10))))).toMatchObject({ isNew: true });
  });

  test('does not outlive its day: not while the computer sleeps in its midst, not where the clock is set back', async () => {
    const { start, service, process, pass, open, clock, batches } = await begin();
    await pass(start());
    // The clock that a run waits by stands still meanwhile.
    clock.jump(25 * HOUR_MS);
    const run = await pass(batches.run('00000001', service.sender(process)));
    const info = await pass(run.wait(waiting()));
    expect(info).toMatchObject({ state: 'expired', counts: { pending: 0, accepted: service.sent.length } });
    expect(service.sent.length).toBeLessThan(10);
    await pass(batches.markTold('00000001'));
    const again = open();
    await pass(again.batches.begin(listOf(items(2))));
    clock.jump(-25 * HOUR_MS);
    expect(await pass(again.batches.find('shop', 'mark', 'asked'))).toMatchObject({ state: 'expired' });
  });

  test.each([
    ['the computer slept since', HOUR_MS],
    ['the clock was set back', -HOUR_MS],
  ])('looks again at what is to be sent where %s', async (_why, ms) => {
    const { batches, service, process, pass, clock } = await begin();
    const sender = service.sender(process);
    const asked: string[][] = [];
    const run = await pass(
      batches.run('00000001', {
        ...sender,
        send: async (item, parts) => {
          if (item.key === 'SKU-3') clock.jump(ms);
          return sender.send(item, parts);
        },
        check: async (some, signal) => {
          asked.push(some.map(({ key }) => key));
          return new Map(await sender.check?.(some, signal));
        },
      }),
    );
    await pass(run.wait(waiting()));
    expect(asked.map((keys) => keys[0])).toEqual(['SKU-0', 'SKU-4']);
  });

  test('what takes long to tell is left with its reason when it is stopped, and looked at by the same call', async () => {
    const { batches, service, process, pass, clock } = await begin();
    const feed: Sender = {
      ...service.sender(process),
      send: (_item, { ending }) =>
        new Promise((resolve) =>
          ending.addEventListener('abort', () => resolve({ kind: 'left', why: 'Feed 7 is in progress.' })),
        ),
    };
    await pass(batches.run('00000001', feed));
    await clock.advance(1000);
    const info = await pass(batches.stop('00000001'));
    expect(info).toMatchObject({ state: 'stopped', counts: { unknown: 1, not_sent: 9 } });
    expect(info?.items[0]?.outcome).toEqual({ kind: 'unknown', why: 'Feed 7 is in progress.' });
    const looking: Sender = { ...feed, look: async () => ({ kind: 'accepted' }) };
    const run = await pass(batches.run('00000001', looking));
    expect(await pass(run.wait(waiting()))).toMatchObject({
      state: 'stopped',
      counts: { accepted: 1, not_sent: 9 },
    });
  });

  test('is watched while another process works on it, and taken over when that one is gone', async () => {
    const { start, service, process, pass, open, clock } = await begin();
    await pass(start());
    const other = open();
    const reports: BatchProgress[] = [];
    const run = await pass(other.batches.run('00000001', service.sender(other.process)));
    const watched = run.wait(waiting(NEVER, (progress) => reports.push(progress)));
    await clock.advance(600);
    expect(await pass(other.batches.info('00000001'))).toMatchObject({ state: 'elsewhere' });
    expect(reports.length).toBeGreaterThan(0);
    process.kill();
    const info = await pass(watched);
    expect(info).toMatchObject({ state: 'ended', counts: { pending: 0 } });
    expect(new Set(service.sent.map(({ key }) => key)).size).toBe(service.sent.length);
  });
});

describe('what is kept on the disk', () => {
  test('is sealed where there is a key, in the clear where there is none, and only in memory where it is personal too', async () => {
    for (const [sealer, personal, kept] of [
      [anyKey, true, 'sealed'],
      [anyKey, false, 'sealed'],
      [noKey, false, 'clear'],
      [noKey, true, 'memory'],
    ] as const) {
      const { open, pass, shared, service } = setUp({ 'SKU-1': ['refuses'] });
      const { batches, process } = open({ sealer });
      await pass(batches.begin(listOf([{ key: 'SKU-1', value: 'Erika Muster' }], { personal })));
      const sender = service.sender(process);
      const run = await pass(
        batches.run('00000001', {
          ...sender,
          async send(item, parts) {
            await parts.note('step of Erika');
            return { ...(await sender.send(item, parts)), why: 'Erika said no' };
          },
        }),
      );
      const info = await pass(run.wait(waiting()));
      expect(info?.items).toMatchObject([
        { key: 'SKU-1', value: 'Erika Muster', outcome: { kind: 'not_accepted', why: 'Erika said no' } },
      ]);
      expect(shared.textOf('00000001')).toContain(`"kept":"${kept}"`);
      expect(shared.textOf('00000001').includes('Erika')).toBe(kept === 'clear');
    }
  });

  test('is sealed where others have it too, and begun by nobody who has no key', async () => {
    const { open, pass, shared } = setUp();
    const begun = open({ sealer: noKey, isShared: true }).batches.begin(listOf(items(1)));
    await expect(pass(begun)).rejects.toThrow('no key');
    expect(shared.ids()).toEqual([]);
  });

  test('a personal list without a key does not go on after its process: that is told, and nothing is sent', async () => {
    const { open, pass, service } = setUp();
    const first = open({ sealer: noKey });
    await pass(first.batches.begin(listOf(items(3), { personal: true })));
    first.process.kill();
    const next = open({ sealer: noKey });
    expect(await pass(next.batches.find('shop', 'mark', 'asked'))).toMatchObject({
      state: 'stopped',
      counts: { not_sent: 3 },
      items: [],
      why: expect.stringContaining('memory of a process that has ended'),
    });
    const run = await pass(next.batches.run('00000001', service.sender(next.process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'stopped' });
    expect(service.sent).toEqual([]);
  });

  test('a list whose key is gone, or that is not what was confirmed any more, is ended and told', async () => {
    const { open, pass, service, shared } = setUp();
    await pass(open().batches.begin(listOf(items(3))));
    const keyless = open({ sealer: { ...anyKey, open: async () => undefined } });
    const run = await pass(keyless.batches.run('00000001', service.sender(keyless.process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'stopped', counts: { not_sent: 3 } });

    const clear = setUp();
    await clear.pass(clear.open({ sealer: noKey }).batches.begin(listOf(items(3))));
    clear.shared.all('UPDATE batch_values SET value = replace(value, ?, ?)', '"price":1', '"price":1000');
    const next = clear.open({ sealer: noKey });
    const changed = await clear.pass(next.batches.run('00000001', clear.service.sender(next.process)));
    expect(await clear.pass(changed.wait(waiting()))).toMatchObject({ state: 'stopped' });
    expect([...service.sent, ...clear.service.sent]).toEqual([]);
    expect(shared.ids()).toHaveLength(1);
  });

  test('what an item was is damaged: it may have been sent, and is looked at', async () => {
    const { open, pass, service, shared, clock } = setUp();
    const first = open();
    await pass(first.batches.begin(listOf(items(6))));
    await pass(first.batches.run('00000001', service.sender(first.process)));
    await clock.advance(150);
    first.process.kill();
    shared.all('UPDATE batch_items SET state = ? WHERE item = 0', '\u0000');
    // This sender treats an item without steps as not sent, unless its steps may be lost, as that of writes
    // does.
    const look: Sender['look'] = async (_item, steps, { mayHaveLeft }) =>
      steps === undefined && mayHaveLeft !== true ? { kind: 'later', why: '', afterMs: 0 } : 'not_applied';
    const next = open();
    const run = await pass(next.batches.run('00000001', { ...service.sender(next.process), look }));
    const info = await pass(run.wait(waiting()));
    expect(info?.items[0]?.outcome?.kind).toBe('unknown');
    expect(service.sent.filter(({ key }) => key === 'SKU-0')).toHaveLength(1);
  });

  test('a disk that is full before the first item: nothing is sent, and that is said', async () => {
    const { open, pass, service, shared } = setUp();
    const { batches, process } = open();
    shared.isFull = () => true;
    await expect(pass(batches.begin(listOf(items(3))))).rejects.toThrow(
      'The confirmed list could not be written to /state/batches (ENOSPC); nothing was sent.',
    );
    expect(shared.ids()).toEqual([]);
    shared.isFull = () => false;
    const { id } = await pass(batches.begin(listOf(items(3))));
    shared.isFull = () => true;
    const run = await pass(batches.run(id, service.sender(process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({
      state: 'unfinished',
      counts: { pending: 3 },
      why: expect.stringContaining('could not be written to the disk (ENOSPC)'),
    });
    expect(service.sent).toEqual([]);
    shared.isFull = () => false;
    const again = await pass(batches.run(id, service.sender(process)));
    // The half line that the full disk left says nothing.
    expect(await pass(again.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 3 } });
  });

  test('a disk that is full in the midst: this process still knows what was accepted, another one looks', async () => {
    const { open, pass, service, shared } = setUp();
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(5))));
    shared.isFull = () => service.sent.length >= 2;
    const run = await pass(batches.run('00000001', service.sender(process)));
    const info = await pass(run.wait(waiting()));
    expect(info).toMatchObject({ state: 'unfinished', counts: { accepted: 2, pending: 3 } });
    expect(service.sent).toHaveLength(2);
    // Not all of it is on the disk.
    expect(await pass(open().batches.info('00000001'))).toMatchObject({ counts: { accepted: 1 } });
    shared.isFull = () => false;
    process.kill();
    const next = open();
    const later = await pass(next.batches.run('00000001', service.sender(next.process)));
    expect(await pass(later.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 5 } });
    expect(service.sent).toHaveLength(5);
  });

  test('what could not be written on a full disk is written as soon as it can', async () => {
    const { open, pass, service, shared } = setUp();
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(3))));
    shared.isFull = () => service.sent.length === 1;
    const run = await pass(batches.run('00000001', service.sender(process)));
    expect(await pass(run.wait(waiting()))).toMatchObject({ counts: { accepted: 1, pending: 2 } });
    shared.isFull = () => false;
    const looked: string[] = [];
    const sender = service.sender(process);
    const again = await pass(
      batches.run('00000001', {
        ...sender,
        look: async (item, ...args) => {
          looked.push(item.key);
          return sender.look(item, ...args);
        },
      }),
    );
    await pass(again.wait(waiting()));
    const info = await pass(open().batches.info('00000001'));
    expect(info).toMatchObject({ state: 'ended', counts: { accepted: 3 } });
    expect(info?.items[0]?.outcome).toMatchObject({ journalId: 'j-SKU-0' });
    expect(looked).toEqual([]);
  });

  test('what was changed before its turn waits until it can be written, and the run goes on by itself', async () => {
    const { clock, open, pass, service, shared } = setUp({}, { changed: ['SKU-1'] });
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(3))));
    let awayUntil: number | undefined;
    shared.isAway = () => clock.now() < (awayUntil ?? 0);
    const sender = service.sender(process);
    const run = await pass(
      batches.run('00000001', {
        ...sender,
        check: async (...asked) => {
          const found = new Map(await sender.check?.(...asked));
          awayUntil ??= clock.now() + 3_000;
          return found;
        },
      }),
    );
    expect(await pass(run.wait(waiting()))).toMatchObject({
      state: 'ended',
      counts: { accepted: 2, changed_since: 1 },
    });
  });

  test('one that another process has had for long is taken up, though it cannot be read just then', async () => {
    const { clock, open, pass, service, shared } = setUp();
    const { batches, process } = open();
    const { id } = await pass(batches.begin(listOf(items(3))));
    const other = open().process;
    const mark = shared.giveTo(other, id);
    const run = await pass(batches.run(id, service.sender(process)));
    await clock.advance(20 * 60_000);
    const from = clock.now();
    other.kill();
    shared.isAway = () => clock.now() < from + 3_000;
    await clock.advance(1_000);
    expect(shared.holderOf(id)).toBe(mark);
    expect(await pass(run.wait(waiting()))).toMatchObject({ state: 'ended', counts: { accepted: 3 } });
  });

  test('a file of somebody else, or half a list, is no batch', async () => {
    const { open, pass, shared } = setUp();
    const put = (id: string, head: string | null) =>
      shared.all("INSERT INTO batches (id, changed_at, head, flags) VALUES (?, 1, ?, '{}')", id, head);
    put('0000000a', 'not ours');
    put('0000000b', '{"v":2,"id":"0000000b"}');
    put('0000000c', null);
    const { batches, process } = open();
    await pass(batches.begin(listOf(items(1))));
    put('0000000d', String(shared.all("SELECT head FROM batches WHERE id = '00000001'")[0]?.head));
    expect((await pass(batches.list())).map(({ id }) => id)).toEqual(['00000001']);
    expect(await pass(batches.info('0000000a'))).toBeUndefined();
    await expect(pass(batches.run('0000000a', setUp().service.sender(process)))).rejects.toThrow(
      'no batch 0000000a',
    );
  });
});
