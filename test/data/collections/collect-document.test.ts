/** A document is fetched from the address that the service gives for its id, loaded as what it is, and told meanwhile in our own words. */

import { expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '../../../src/base/errors.ts';
import { type DocumentRequest, planDocument } from '../../../src/data/collections/collect-document.ts';
import type { RunProgress } from '../../../src/data/collections/collection-plan.ts';
import type { Loader } from '../../../src/data/tables/table-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClient } from '../../helpers/fake-client.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';

const { find } = await loadRegistry();

interface World {
  answer?: unknown;
  /** How the download goes, by attempt. */
  progress?: { bytes: number; ofBytes?: number };
  failures?: Error[];
  loader?: Partial<Loader>;
  saving?: Parameters<typeof planDocument>[1]['saving'];
}

async function collect(given: DocumentRequest & { as?: string }, world: World = {}) {
  const { answer = { url: 'https://documents.example/a' }, progress, failures = [], loader = {} } = world;
  const reports: RunProgress[] = [];
  const fetched: [string, string, string][] = [];
  const loaded: unknown[] = [];
  const finished: unknown[] = [];
  const owner = { name: 'default', baseUrl: 'https://service.example', authUrl: 'https://identity.example' };
  const { client, calls } = fakeClient(owner, (_input, options) => {
    options?.onProgress?.({ kind: 'wait', ms: 3_000, reason: 'rate limit' });
    return answer;
  });
  const plan = await planDocument(given, {
    client,
    downloads: async () => ({
      async download(address, file, { givenBy, onProgress }) {
        fetched.push([address, file, givenBy]);
        const failure = failures[fetched.length - 1];
        if (failure !== undefined) throw failure;
        if (progress !== undefined) onProgress?.({ ofBytes: undefined, ...progress });
        return { bytes: 7, charset: 'utf-16' };
      },
      close: async () => undefined,
    }),
    find,
    account: 'default',
    clock: fakeClock(),
    saving: world.saving,
  });
  const { open } = memoryLoaders();
  const made = plan.work({
    async openLoader() {
      const own = await open();
      return {
        ...own,
        async addDocument(...parts) {
          loaded.push(parts);
          return { rows: 2, tables: [], notes: ['of the load'] };
        },
        async finish(about) {
          finished.push(about);
          return own.finish(about);
        },
        ...loader,
      };
    },
    signal: new AbortController().signal,
    tell: (each) => reports.push(each),
    idle: (wait) => wait(),
  });
  const outcome = await made.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  return { ...outcome, plan, calls, reports, fetched, loaded, finished };
}

it.each<[DocumentRequest & { as?: string }, string, object, string, string]>([
  [{ id: 'D1' }, 'getReportDocument', { reportDocumentId: 'D1' }, 'report_document', 'auto'],
  [{ id: 'D1', of: 'feed' }, 'getFeedDocument', { feedDocumentId: 'D1' }, 'feed_document', 'auto'],
  [{ id: 'D1', of: 'data-kiosk' }, 'getDocument', { documentId: 'D1' }, 'data_kiosk_document', 'jsonl'],
  [{ id: 'D1', as: 'mine' }, 'getReportDocument', { reportDocumentId: 'D1' }, 'mine', 'auto'],
])('%j is asked for by its id, and never anew', async (given, name, parameters, table, format) => {
  const { plan, calls, fetched, loaded, finished, reports } = await collect(given);
  const source = { kind: 'document', id: 'D1', of: given.of ?? 'report' };
  expect(plan).toMatchObject({ source, recentMs: Number.POSITIVE_INFINITY });
  expect(calls.map(({ operation, parameters: sent, account }) => [operation.name, sent, account])).toEqual([
    [name, parameters, 'default'],
  ]);
  expect(fetched).toEqual([['https://documents.example/a', '/nowhere/document', 'https://service.example']]);
  // The report may be about buyers, since the type does not say that it is not.
  expect(loaded).toEqual([[table, '/nowhere/document', { format, charset: 'utf-16', isRestricted: true }]]);
  expect(finished).toEqual([{ source, complete: true, notes: ['of the load'] }]);
  expect(reports).toEqual([{ message: 'Waits for the address of the document', leftMs: 3_000 }]);
});

it('the address of either shape is taken; without one nothing is fetched, and that is told', async () => {
  const kiosk = await collect({ id: 'D1' }, { answer: { documentUrl: 'https://documents.example/k' } });
  expect(kiosk.fetched[0]?.[0]).toBe('https://documents.example/k');
  for (const answer of [{}, { url: '' }, { documentUrl: '' }, 'x', null]) {
    const { error, fetched } = await collect({ id: 'D1' }, { answer });
    expect(error).toMatchObject({
      code: 'NO_ADDRESS',
      fate: 'not-sent',
      message: 'getReportDocument answered without an address of the document.',
    });
    expect(fetched).toEqual([]);
  }
});

it('an address that has ended is asked for anew, any other failure ends it', async () => {
  const ended = new NetworkError('ADDRESS_EXPIRED', 'not-sent', 'ended');
  const again = await collect({ id: 'D1' }, { failures: [ended, ended] });
  expect([again.calls.length, again.fetched.length, again.error]).toEqual([3, 3, undefined]);
  const gone = new NetworkError('GONE', 'not-sent', 'gone');
  const failed = await collect({ id: 'D1' }, { failures: [gone] });
  expect([failed.calls.length, failed.error, failed.loaded]).toEqual([1, gone, []]);
});

it.each([
  [{ bytes: 1 }, 'Downloads 1 kB'],
  [{ bytes: 1_001, ofBytes: 999_999 }, 'Downloads 2 of 1000 kB'],
  [{ bytes: 1_000, ofBytes: 1_000_000 }, 'Downloads 0.0 of 1.0 MB'],
  [{ bytes: 2_340_000 }, 'Downloads 2.3 MB'],
])('how far the download is: %j', async (progress, message) => {
  const { reports } = await collect({ id: 'D1' }, { progress });
  expect(reports.at(-1)).toEqual({ message });
});

it.each([
  [400, true],
  [403, true],
  [404, true],
  [500, false],
])('a refused id may be of another kind: after %i that is said: %s', async (status, isSaid) => {
  const { error } = await collect(
    { id: 'D1', of: 'feed' },
    { answer: new ApiError({ status }, 'no', 'First.') },
  );
  const hint =
    "First. Is the id that of a document of a feed? A report's own id is another one: getReport tells its reportDocumentId.";
  expect(error).toMatchObject({ hint: isSaid ? hint : 'First.' });
});

it('how far the load is, is told four times a second, and never as whole before it is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const at = [
      { rows: 0, bytes: 0, ofBytes: 0 },
      { rows: 1_500, bytes: 50, ofBytes: 200 },
      { rows: 2_000, bytes: 200, ofBytes: 200 },
    ];
    const { reports } = await collect(
      { id: 'D1' },
      {
        loader: {
          progress: () => at.shift() ?? { rows: 9, bytes: 0, ofBytes: 0 },
          async addDocument() {
            vi.advanceTimersByTime(749);
            await Promise.resolve();
            vi.advanceTimersByTime(1);
            return { rows: 1, tables: [], notes: [] };
          },
        },
      },
    );
    vi.advanceTimersByTime(1_000);
    expect(reports.slice(1)).toEqual([
      { message: '0 rows loaded', done: 0 },
      { message: '1,500 rows loaded (25 %)', done: 1_500 },
      { message: '2,000 rows loaded (99 %)', done: 2_000 },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
