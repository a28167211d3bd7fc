/** Bad input of collected data, through the real program: a clear answer, and nothing half that looks whole. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type HttpService, startHttpService } from '../helpers/http-service.ts';
import { LAUNCH } from '../helpers/launch.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { type CallOutcome, connect, type Session } from '../helpers/sessions.ts';

/** Against a hang; the answers come in seconds. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let outside: Outside;
let service: HttpService;
let sessions: Session[];
let document: Buffer;
/** Bytes of it that are sent before the connection breaks off; all of them when undefined. */
let sent: number | undefined;

async function setUp() {
  sessions = [];
  sent = undefined;
  outside = await startOutside();
  service = await startHttpService(({ path, method, headers }, response): Answer | undefined => {
    if (path === '/auth/o2/token')
      return { body: { access_token: 'Atza|1', token_type: 'bearer', expires_in: 3600 } };
    if (path.startsWith('/signed')) {
      if (sent === undefined) {
        return { headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: document };
      }
      response.writeHead(200, { 'content-length': document.length });
      response.write(document.subarray(0, sent), () => response.destroy());
      return undefined;
    }
    if (path.includes('/documents/'))
      return { body: { url: `http://${headers.host}/signed?${path.length}` } };
    if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
    if (path.includes('/reports/R1'))
      return { body: { reportId: 'R1', processingStatus: 'DONE', reportDocumentId: 'D1' } };
    return { body: { reports: [] } };
  });
}

async function tearDown() {
  await Promise.all(sessions.map((session) => session.close()));
  await service.close();
  await outside.close();
}

async function open(env: Record<string, string> = {}, shell?: string): Promise<Session> {
  const session = await connect({
    ...(shell === undefined
      ? { args: outside.args, spawn: true }
      : {
          command: 'sh',
          entry: '-c',
          args: [`${shell}; exec "$0" "$@"`, LAUNCH.node, LAUNCH.program, ...outside.args],
        }),
    env: { ...outside.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url, ...env },
  });
  sessions.push(session);
  return session;
}

const REPORT = { report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaces: ['DE'] }, as: 'lines' };

async function collect(session: Session, args: Record<string, unknown> = REPORT): Promise<CallOutcome> {
  for (;;) {
    const answer = await session.call('collect_data', args);
    if (answer.structured.state !== 'under way') return answer;
  }
}

const rows = async (session: Session, sql: string) =>
  (await session.call('query_data', { sql })).structured.rows;

const posts = () =>
  service.requests.filter(({ method, path }) => method === 'POST' && path.includes('/reports'));

/** Lists the files of collections, and of loads and runs that did not end. */
async function files(kind: RegExp): Promise<string[]> {
  const names = await readdir(join(outside.folder, 'data'), { recursive: true }).catch(() => []);
  return names.filter((name) => kind.test(name));
}
const LEFTOVERS = /loading\/./;

async function expectNothing(session: Session) {
  expect(await rows(session, 'SELECT name FROM tables')).toEqual([]);
  expect(await files(/\.(db|json)$/)).toEqual([]);
  expect(await files(LEFTOVERS)).toEqual([]);
}

/** Each part of gzip is packed for itself, so that making it costs nothing. */
function packed(start: string, part: string, megabytes: number): Buffer {
  const member = gzipSync(part.repeat(Math.ceil(4_000_000 / part.length)), { level: 9 });
  return Buffer.concat([gzipSync(start), ...Array.from({ length: megabytes / 4 }, () => member)]);
}

describe('in one session', () => {
  let session: Session;
  beforeAll(async () => {
    await setUp();
    session = await open();
  });
  afterAll(tearDown);

  it.each([
    ['a report type that is nearly another', { type: 'GET_MERCHANT_LISTING_ALL_DATA' }, 'LISTINGS_ALL_DATA'],
    [
      'dates the wrong way round',
      {
        type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
        start: '2026-11-07',
        end: '2026-11-01',
      },
      'the wrong way round',
    ],
  ])('is refused before anything is sent: %s', async (_what, report, words) => {
    const answer = await collect(session, { report: { marketplaces: ['DE'], ...report } });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(words) });
    expect(service.requests).toEqual([]);
  });

  const wide = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join('\t');
  const many = gzipSync(`sku\ttitle\n${'A\tx\n'.repeat(50_000)}`);
  it.each<[string, Buffer, number | undefined, RegExp]>([
    ['a download that breaks off', many, Math.floor(many.length / 2), /before the whole answer had arrived/],
    ['gzip that ends too soon', many.subarray(0, many.length - 20), undefined, /truncated|cut|ends/],
    ['100,000 columns', gzipSync(`${wide}\n${wide}\n`), undefined, /1,?990/],
    ['4 GB in 4 MB', packed('sku\ttitle\n', 'A\tx\n', 4_000), undefined, /250 times/],
    ['400 MB without a line end', packed('sku\ttitle\n', 'x', 400), undefined, /250 times|1,?000,?000/],
  ])(
    'is refused, and nothing is loaded: %s',
    async (_what, bytes, breaksAt, words) => {
      document = bytes;
      sent = breaksAt;
      const answer = await collect(session);
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(words);
      await expectNothing(session);
      expect(await peakMegabytes(session)).toBeLessThan(300);
      sent = undefined;
    },
    120_000,
  );

  it('is refused, and nothing is loaded: an open quote followed by 400 MB of CSV', async () => {
    document = packed('a,b,c\n1,2,3\n1,2,"', '1,2,3\n', 400);
    const answer = await collect(session, { document: { id: 'D1' } });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/1,?000,?000 characters|250 times|never closed/);
    await expectNothing(session);
    expect(await peakMegabytes(session)).toBeLessThan(300);
  }, 120_000);

  it.each<[string, Buffer, unknown[][], RegExp]>([
    ['no gzip', Buffer.from('sku\ttitle\n007\tx\n'), [['007', 'x']], /1 rows?, all/],
    ['gzip in gzip', gzipSync(gzipSync('sku\ttitle\n007\tx\n')), [['007', 'x']], /1 rows?, all/],
    [
      'Cp1252 that is called UTF-8',
      Buffer.from('sku\ttitle\n007\tGr\xfcn\n', 'latin1'),
      [['007', 'Grün']],
      /windows-1252|Cp1252/i,
    ],
    ['a header row only', gzipSync('sku\ttitle\r\n'), [], /no rows; the last collection/],
    [
      'too few and too many fields, and an inch sign',
      Buffer.from('sku\ttitle\nA\t19" rack\nB\nC\tx\ty\tz\n'),
      [
        ['A', '19" rack'],
        ['B', null],
        ['C', 'x'],
      ],
      /1 .*(?:fewer|few|short|missing).*1 .*(?:more|many)|fields/is,
    ],
  ])('is loaded, and what is unusual is told: %s', async (_what, bytes, expected, messages) => {
    document = bytes;
    const answer = await collect(session, { ...REPORT, fresh: true });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text).toMatch(messages);
    expect(JSON.stringify(answer.structured)).toMatch(messages);
    expect(await rows(session, 'SELECT sku, title FROM lines')).toEqual(expected);
  });
});

// A limit on the size of a file plays the full disk, and Windows has no `ulimit -f` that sets one; the gate's
// Linux job always runs it.
const mayFill = process.platform !== 'win32';
if (!mayFill) process.stderr.write('Skipped: collecting onto a full disk (Windows has no ulimit -f)\n');

describe('in processes of their own', () => {
  beforeEach(setUp);
  afterEach(tearDown);

  // Skipped on Windows, never in the gate on Linux (see mayFill).
  it.skipIf(!mayFill)(
    'a full disk (ulimit -f, which Windows has not)',
    async () => {
      const lines = Array.from({ length: 20_000 }, (_, i) => `A${i}\t${'x'.repeat(200)}\n`);
      document = gzipSync(`sku\ttitle\n${lines.join('')}`);
      // Most bytes of one file, in blocks of 512.
      const full = await open({}, 'ulimit -f 2000');
      const answer = await collect(full);
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(/is full|room/);
      await expectNothing(full);
      const roomy = await open();
      expect((await collect(roomy)).structured).toMatchObject({ complete: true, tables: [{ rows: 20_000 }] });
    },
    120_000,
  );

  const ROWS = 300_000;
  const many = () => {
    const lines = Array.from({ length: ROWS }, (_, i) => `SKU-${i}\tLamp ${i % 977}\t${i % 400},50\n`);
    return gzipSync(`sku\ttitle\tprice\n${lines.join('')}`, { level: 1 });
  };
  const SUM = 'SELECT count(*), count(DISTINCT sku), sum(price) FROM lines';
  const expected = [
    [ROWS, ROWS, Array.from({ length: ROWS }, (_, i) => (i % 400) + 0.5).reduce((sum, each) => sum + each)],
  ];

  it('of a server that is killed while it loads nothing is left, and the next one loads all of it', async () => {
    document = many();
    const killed = await open();
    const messages: string[] = [];
    const call = killed
      .call('collect_data', REPORT, { onprogress: (message) => messages.push(message) })
      .catch(() => 'gone');
    const isLoading = async () => (await files(/loading\/.*\.db$/)).length > 0;
    await expect.poll(isLoading, { timeout: 30_000, interval: 5 }).toBe(true);
    process.kill(killed.pid() ?? 0, 'SIGKILL');
    await call;
    expect(await files(LEFTOVERS)).not.toEqual([]);
    expect(await files(/^tables\/[^/]+\/[^/]+\.db$/)).toEqual([]);
    const next = await open();
    expect(await rows(next, 'SELECT name FROM tables')).toEqual([]);
    expect((await collect(next)).structured).toMatchObject({ complete: true, tables: [{ rows: ROWS }] });
    expect(await rows(next, SUM)).toEqual(expected);
    expect(await files(LEFTOVERS)).toEqual([]);
  }, 120_000);

  it('two servers ask for it once, and read it at the same time', async () => {
    document = many();
    const both = await Promise.all([open(), open()]);
    const answers = await Promise.all(both.map((session) => collect(session)));
    for (const { structured } of answers) {
      expect(structured).toMatchObject({ complete: true, tables: [{ name: 'lines', rows: ROWS }] });
    }
    expect(posts()).toHaveLength(1);
    const asked = [0, 1, 2, 3].flatMap(() => both.map((session) => rows(session, SUM)));
    for (const answer of await Promise.all(asked)) expect(answer).toEqual(expected);
  }, 120_000);
});

/** The most that the process ever held; nothing where the system does not tell. */
async function peakMegabytes(session: Session): Promise<number> {
  const status = await readFile(`/proc/${session.pid()}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
