/** A report is taken where there is a fitting one, asked for once more where nobody knows whether it was, and looked at until it is there or will not come. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { ApiError, NetworkError } from '../../../src/base/errors.ts';
import type { CallInput, CallOptions } from '../../../src/call/client-types.ts';
import { findOrRequestReport } from '../../../src/data/collections/find-or-request-report.ts';
import { checkReport } from '../../../src/data/collections/report-request.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { makeTestFolder } from '../../helpers/tables-worker.ts';

const DE = 'A1PA6795UKMFR9';
const TYPE = 'GET_MERCHANT_LISTINGS_DATA';
const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const { find } = await loadRegistry();
const never = () => {
  throw new Error('not in this test');
};

/** Time passes as fast as it is waited for. */
function quickClock(): Clock {
  let passed = 0;
  return {
    now: () => passed,
    wallClock: () => NOW + passed,
    after(ms, run) {
      passed += ms;
      queueMicrotask(run);
      return () => undefined;
    },
  };
}

interface World {
  answers: (name: string, calls: number, input: CallInput) => unknown;
  fresh?: boolean;
  known?: string;
  /** Instead of one that is known. */
  type?: string;
  /** The text in the document of a report that could not be made. */
  said?: string | Error;
}

async function run({ answers, fresh = false, known, type, said = '' }: World) {
  const clock = quickClock();
  const calls: CallInput[] = [];
  const messages: string[] = [];
  const idled: string[] = [];
  const folder = await makeTestFolder();
  const made = findOrRequestReport({
    client: {
      async call(input: CallInput, options?: CallOptions) {
        calls.push(input);
        const { name } = input.operation;
        options?.onProgress?.({ kind: 'wait', ms: 2_000, reason: 'rate limit' });
        const body = answers(name, calls.filter(({ operation }) => operation.name === name).length, input);
        if (body instanceof Error) throw body;
        return { status: 200, headers: {}, body, bytes: 1, filledIn: {}, owner: {} as never };
      },
      prepare: never,
      exchangeToken: never,
      rememberRestrictedToken: never,
      close: async () => undefined,
    },
    clock,
    signal: new AbortController().signal,
    tell: ({ message }) => messages.push(message),
    account: 'default',
    owner: undefined,
    givenBy: 'https://service.example',
    downloads: {
      async download(_address, file) {
        if (said instanceof Error) throw said;
        await writeFile(file, said);
        return { bytes: said.length, charset: undefined };
      },
      close: async () => undefined,
    },
    operation: find('reports/getReportDocument'),
    operations: {
      getReports: find('reports/getReports'),
      createReport: find('reports/createReport'),
      getReport: find('reports/getReport'),
    },
    request: {
      ...checkReport({ type: TYPE, marketplaces: ['DE'] }, DE, NOW),
      ...(type !== undefined && { type, facts: undefined }),
    },
    recentMs: 4 * 60 * MINUTE,
    fresh,
    known,
    idle: (wait) => {
      idled.push(calls.map(({ operation }) => operation.name).join(' '));
      return wait();
    },
    scratch: async () => join(folder, 'reason'),
  });
  const outcome = await made.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  const names = calls.map(({ operation }) => operation.name);
  return { ...outcome, calls, names, messages, idled, waited: clock.now() };
}

const listed = (reportId: string, processingStatus: string, minutesAgo: number, more: object = {}) => ({
  reportId,
  reportType: TYPE,
  processingStatus,
  marketplaceIds: [DE],
  createdTime: new Date(NOW - minutesAgo * MINUTE).toISOString(),
  ...(processingStatus === 'DONE' && { reportDocumentId: `D-${reportId}` }),
  ...more,
});
const DONE = { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' };
const MADE: Readonly<Record<string, unknown>> = {
  getReports: { reports: [] },
  createReport: { reportId: 'R1' },
  getReport: DONE,
  getReportDocument: { url: 'https://documents.example/signed' },
};
const over = (more: Readonly<Record<string, unknown>>) => (name: string) => ({ ...MADE, ...more })[name];

it('the newest one that is done is used, else the newest that is being made, else one is asked for', async () => {
  const report = fc.record({
    status: fc.constantFrom('DONE', 'IN_QUEUE', 'IN_PROGRESS'),
    isEmpty: fc.boolean(),
    minutesAgo: fc.integer({ min: 1, max: 200 }),
    isOther: fc.constantFrom(undefined, 'type', 'marketplace'),
  });
  const unique = { selector: ({ minutesAgo }: { minutesAgo: number }) => minutesAgo, maxLength: 6 };
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(report, unique), fc.nat({ max: 6 }), async (world, cut) => {
      const reports = world.map(({ status, isEmpty, minutesAgo, isOther }) => ({
        isFitting: isOther === undefined,
        minutesAgo,
        body: listed(`R${minutesAgo}`, status, minutesAgo, {
          ...(isOther === 'type' && { reportType: 'GET_OTHER' }),
          ...(isOther === 'marketplace' && { marketplaceIds: ['X'] }),
          ...(isEmpty && { reportDocumentId: undefined }),
        }),
      }));
      const { value, names, calls } = await run({
        answers: (name, times, { parameters }) => {
          const pages = [reports.slice(0, cut), reports.slice(cut)].map((page) =>
            page.map(({ body }) => body),
          );
          if (name === 'getReports')
            return {
              reports: [...(pages[times - 1] ?? []), 'torn'],
              nextToken: times === 1 ? 'next' : undefined,
            };
          return name === 'getReport' ? { ...DONE, reportId: parameters.reportId } : MADE[name];
        },
      });
      const fitting = reports
        .filter(({ isFitting }) => isFitting)
        .sort((a, b) => a.minutesAgo - b.minutesAgo);
      const done = fitting.find(
        ({ body }) => 'reportDocumentId' in body && body.reportDocumentId !== undefined,
      );
      const open = fitting.find(({ body }) => body.processingStatus !== 'DONE');
      const lists = ['getReports', 'getReports'];
      if (done !== undefined) {
        expect(names).toEqual(lists);
        expect(value?.reports.map(({ reportId }) => reportId)).toEqual([done.body.reportId]);
        expect(value?.notes[0]).toMatch(
          new RegExp(`^Report ${done.body.reportId} that was made .* was used;`),
        );
      } else {
        expect(names).toEqual([...lists, ...(open === undefined ? ['createReport'] : []), 'getReport']);
        expect(calls.at(-1)?.parameters).toEqual({ reportId: open?.body.reportId ?? 'R1' });
        expect(value).toMatchObject({ areJoined: false, complete: true, notes: [] });
      }
      expect(calls[1]?.parameters).toEqual({ nextToken: 'next' });
      expect(calls[0]?.parameters.createdSince).toBe('2026-11-20T08:00:00.000Z');
    }),
    { numRuns: 40 },
  );
});

it('where no request is answered, one that was made all the same is found after the last too', async () => {
  const { names, value } = await run({
    answers: (name, times, { parameters }) => {
      if (name === 'createReport') return new NetworkError('ECONNRESET', 'unknown', 'reset');
      if (name === 'getReport') return { ...DONE, reportId: parameters.reportId };
      return name === 'getReports' ? { reports: times < 3 ? [] : [listed('R9', 'IN_QUEUE', 0)] } : MADE[name];
    },
  });
  const asked = ['createReport', 'getReports'];
  expect(names).toEqual(['getReports', ...asked, ...asked, 'getReport']);
  expect(value?.reports.map(({ reportId }) => reportId)).toEqual(['R9']);
});

it('a list that never ends is read for so many pages', async () => {
  const { names } = await run({ answers: over({ getReports: { reports: [], nextToken: 'more' } }) });
  expect(names).toEqual([...Array.from({ length: 20 }, () => 'getReports'), 'createReport', 'getReport']);
});

it('a new one is asked for whatever there is, where that is wanted; the one before is awaited, where that is', async () => {
  const there = over({ getReports: { reports: [listed('OLD', 'DONE', 5)] } });
  expect((await run({ answers: there, fresh: true })).names).toEqual(['createReport', 'getReport']);
  const known = await run({ answers: there, known: 'R7' });
  expect(known.names).toEqual(['getReport']);
  expect(known.calls[0]?.parameters).toEqual({ reportId: 'R7' });
  expect(known.value?.notes).toEqual(['Report R7, of which the table was made.']);
});

it('a type that is not known is compared with none: it may have options', async () => {
  const { names } = await run({ answers: over({}), type: 'GET_SOMETHING_NEW_DATA' });
  expect(names).toEqual(['createReport', 'getReport']);
});

it('it is looked at ever more slowly, at least twice a minute, and what it does meanwhile is told', async () => {
  const states = ['IN_QUEUE', 'IN_PROGRESS', ...Array.from({ length: 10 }, () => 'IN_PROGRESS')];
  const { messages, waited, idled, value } = await run({
    answers: (name, times) =>
      name === 'getReport' && times <= states.length
        ? { reportId: 'R1', processingStatus: states[times - 1] }
        : MADE[name],
  });
  expect(value?.reports).toEqual([DONE]);
  // Only the waiting leaves the place to others.
  expect(idled).toEqual(['getReports createReport']);
  expect(messages.filter((text) => text.startsWith('The report'))).toEqual([
    'The report is asked for',
    'The report waits in the queue of the service',
    'The report is being made, for 1 s so far',
    expect.stringMatching(/^The report is being made, for [23] s so far$/),
    ...Array.from({ length: 9 }, () => expect.stringMatching(/^The report is being made, for \d+ s so far$/)),
  ]);
  expect(messages[0]).toBe("getReports waits 2 s for the service's limit");
  let expected = 0;
  for (let look = 0, pause = 1_000; look < states.length; look++, pause = Math.min(30_000, pause * 1.5))
    expected += pause;
  expect(waited).toBe(expected);
});

it('after four hours it is left to be found later', async () => {
  const { error, waited } = await run({
    answers: over({ getReport: { reportId: 'R1', processingStatus: 'IN_QUEUE' } }),
  });
  expect(error).toMatchObject({
    message: expect.stringMatching(/^The report was not made within 24[01] min\.$/),
  });
  expect(waited).toBeGreaterThan(240 * MINUTE);
  expect(waited).toBeLessThanOrEqual(241 * MINUTE);
});

it.each<[string, object, string]>([
  ['DONE', {}, 'The report is done, but has no document: it is empty.'],
  ['CANCELLED', { reportDocumentId: 'D1' }, `The service cancelled report R1 (${TYPE}).`],
  ['FATAL', {}, `The service could not make the report ${TYPE} (FATAL).`],
  [
    'FATAL',
    { reportDocumentId: 'D1' },
    `The service could not make the report ${TYPE} (FATAL). It says: «dates too far apart»`,
  ],
])('%s %j ends the wait: %s', async (processingStatus, more, message) => {
  const { error } = await run({
    answers: over({ getReport: { reportId: 'R1', processingStatus, ...more } }),
    said: 'dates too far apart',
  });
  expect(error).toMatchObject({ name: 'ReportError', message });
});

it('that what the service says of a failure could not be had takes nothing from the failure; our own faults show', async () => {
  const answers = over({ getReport: { processingStatus: 'FATAL', reportId: 'R1', reportDocumentId: 'D1' } });
  const gone = await run({ answers, said: new NetworkError('GONE', 'not-sent', 'no') });
  expect(gone.error).toMatchObject({ message: `The service could not make the report ${TYPE} (FATAL).` });
  const fault = new TypeError('a fault of ours');
  expect((await run({ answers, said: fault })).error).toBe(fault);
});

const reset = () => new NetworkError('ECONNRESET', 'unknown', 'reset');
const down = (status: number) => new ApiError({ status }, 'down');

it.each<[string, Error, boolean]>([
  ['an answer that was lost', reset(), true],
  ['a failure of the service', down(500), true],
  ['a refusal', down(499), false],
  ['a fault of ours', new TypeError('x'), false],
])('after %s it is looked for and asked for once more, or not: %#', async (_what, failure, isTwice) => {
  const once = await run({
    answers: (name, times) => (name === 'createReport' && times === 1 ? failure : MADE[name]),
    fresh: true,
  });
  if (!isTwice) {
    expect(once.error).toBe(failure);
    expect(once.names).toEqual(['createReport']);
    return;
  }
  expect(once.names).toEqual(['createReport', 'getReports', 'createReport', 'getReport']);
  // Made within this minute, since clocks differ.
  expect(once.calls[1]?.parameters.createdSince).toBe('2026-11-20T11:59:00.000Z');
  const always = await run({
    answers: (name) => (name === 'createReport' ? failure : MADE[name]),
    fresh: true,
  });
  expect(always.error).toBe(failure);
  expect(always.names.filter((name) => name === 'createReport')).toHaveLength(2);
  const there = await run({
    answers: over({ createReport: failure, getReports: { reports: [listed('THERE', 'IN_QUEUE', 0)] } }),
    fresh: true,
  });
  expect(there.names).toEqual(['createReport', 'getReports', 'getReport']);
  expect(there.calls.at(-1)?.parameters).toEqual({ reportId: 'THERE' });
});

it('an answer without an id is told, and not asked for again', async () => {
  const { error, names } = await run({ answers: over({ createReport: { reportId: '' } }), fresh: true });
  expect(error).toMatchObject({ message: 'createReport answered without a reportId.' });
  expect(names).toEqual(['createReport']);
});

it('a type that the service does not take gets the names near it', async () => {
  const { error } = await run({
    answers: over({ createReport: new ApiError({ status: 400 }, 'no such type') }),
    type: 'GET_MERCHANT_LISTINGS_DATAS',
  });
  expect(error).toMatchObject({ hint: expect.stringContaining(TYPE) });
});
