/**
 * Opens the stored data of an account for the board, without its credentials, and serves its page until the
 * command ends.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { loadTool } from '../../../tools/index.ts';
import { AppError, InputError } from '../../base/errors.ts';
import { readRows } from '../../board/collected.ts';
import { type BoardSources, readBoard, readNewsSince } from '../../board/read-board.ts';
import { copyComparisons, listStoredReviews } from '../../data/review/comparisons.ts';
import { Snapshots } from '../../data/review/snapshots.ts';
import { findTablesFolder, listStored } from '../../data/tables/account-folders.ts';
import { openTables } from '../../data/tables/open-tables.ts';
import type { Tables } from '../../data/tables/table-types.ts';
import { createWorkerPool } from '../../data/tables/worker-thread.ts';
import { jsonAnswer, openPage, type PageAnswer, type PageRequest } from '../../page/page-server.ts';
import { readViewBundle, renderViews, type ViewBundle } from '../../page/views.ts';
import { createLeases } from '../../store/leases.ts';
import { openAccountWrites } from '../../write/records/account-writes.ts';
import type { Session } from '../../write/session.ts';
import { openStateStore } from '../../write/state-store.ts';
import { openSession } from './open-session.ts';
import type { Outside } from './outside.ts';
import { createProgram, type ProgramParts } from './program.ts';

/** The file name that the bundler uses. */
const WORKER = 'tables-worker.mjs';

const QUERY_MS = 20_000;

export interface Board {
  url: string;
  /** Settles when the board is closed. */
  done: Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens the board.
 * @throws ConfigError for a wrong setting; the errors of opening a page
 */
export async function openBoard(io: Outside): Promise<Board> {
  const program = createProgram(io);
  const session = openSession(program);
  const opened = await openSources(program, session);
  const bundle = await readViewBundle(io.entryFile);
  const { policy } = renderViews(bundle, { title: '' }, { isFile: false });
  const page = await openPage({
    door: {
      title: 'Your board',
      text: 'The page behind this button shows your listings, stores and changes, as they are kept on this computer.',
      button: 'Open the board',
    },
    policy,
    answer: (request) => answer(request, opened.sources(io.signal), bundle),
    signal: io.signal,
  });
  return {
    url: page.url,
    done: page.done,
    async close() {
      page.close();
      await page.done;
      await opened.close();
      await session.close();
      await program.close();
    },
  };
}

const MAX_FROM = 1e12;

async function answer(
  { name, query }: PageRequest,
  sources: BoardSources,
  bundle: ViewBundle,
): Promise<PageAnswer> {
  try {
    if (name === '') {
      const { html } = renderViews(bundle, await readBoard(sources), { isFile: false });
      return { status: 200, type: 'text/html', body: html };
    }
    if (name === 'news') return jsonAnswer(await readNewsSince(query.get('since') ?? '', sources));
    if (name === 'rows') {
      const from = Number(query.get('from') ?? 0);
      if (!Number.isInteger(from) || from < 0 || from > MAX_FROM)
        throw new InputError('from is a number of rows.');
      return jsonAnswer(await readRows({ table: query.get('table') ?? '', from }, sources.tables, sources));
    }
    return { status: 404, type: 'text/plain', body: 'Not found.\n' };
  } catch (error) {
    const message =
      error instanceof AppError ? `${error.message} ${error.hint}` : 'Something unexpected went wrong.';
    return { status: 500, type: 'text/plain', body: `${sources.redact(message)}\n` };
  }
}

interface BoardAccess {
  sources(signal: AbortSignal): BoardSources;
  close(): Promise<void>;
}

/** The operation whose rows the page of opening hours shows. */
const STORES = 'supply-sources/getSupplySource';

async function openSources(program: ProgramParts, session: Session): Promise<BoardAccess> {
  const config = program.config();
  const account = session.accountOf(undefined);
  const [journal, personal] = await Promise.all([session.journal(), session.personal()]);
  const { redact } = session.redactor;
  const written = openAccountWrites({ account, journal, personal });
  const stored = await findStoredData(program, account);
  const isNew = config.sandbox && !(stored.has('review_listings') && stored.has(STORES));
  if (isNew) program.outside.stderr('The made-up seller is reviewed first: some seconds.\n');
  const own = isNew ? await reviewSandbox(program, account) : undefined;
  const workers = createWorkerPool(join(dirname(program.outside.entryFile), WORKER));
  const tables: Tables =
    own?.tables ??
    openTables({
      folder: stored.tables,
      account,
      now: program.now,
      keepHours: config.keepDataHours,
      changes: written.changes,
      leases: createLeases(program.stateStore),
      snapshots: new Snapshots({
        comparisons: await program.comparisons(),
        account: stored.mark,
        now: program.now,
        keepDays: config.keepSnapshotsDays,
      }),
      marketplaceId: config.marketplaceId,
      workers,
      personal,
    });
  return {
    sources: (signal) => ({
      account,
      isSandbox: config.sandbox,
      tables,
      kept: written,
      redact,
      timeoutMs: QUERY_MS,
      signal,
      now: program.now,
      since: own?.since,
    }),
    async close() {
      if (own === undefined) await tables.close();
      await own?.close();
      await workers.close();
    },
  };
}

/** Finds the owner digest of the account's newest data, because reading the owner would need the keychain. */
async function findStoredData(program: ProgramParts, account: string) {
  const config = program.config();
  const { now } = program;
  const allTables = await findTablesFolder(config);
  const collections = (await listStored(allTables, { now, keepHours: config.keepDataHours })).filter(
    ({ info }) => info.account === account,
  );
  const newest = collections.toSorted((one, other) =>
    other.info.collectedAt.localeCompare(one.info.collectedAt),
  )[0];
  const reviews = await listStoredReviews(await program.comparisons(), {
    now,
    keepDays: config.keepSnapshotsDays,
  });
  const ofAccount = reviews.filter((one) => isOf(account, one.account));
  const last = ofAccount.toSorted((one, other) => other.last.localeCompare(one.last))[0];
  const mark = newest === undefined ? (last?.account ?? 'none') : basename(newest.folder);
  return {
    mark,
    tables: join(allTables, mark),
    /** Returns whether anything was collected from an operation. */
    has: (operation: string) =>
      collections.some(
        ({ info: { source }, folder }) =>
          folder === newest?.folder && source.kind === 'operation' && source.operation === operation,
      ),
  };
}

/** Compares an account with an owner digest built by `accountDigest`. */
const isOf = (account: string, mark: string) =>
  mark.replace(/-[0-9a-f]{8}$/, '') === account.replace(/[^\w.@-]/g, '_');

// The sandbox's seller is reviewed first when a page of the board would be empty.

const CALL_MS = 50_000;
const DAY_MS = 86_400_000;

/**
 * Reviews the sandbox in a separate folder and store, with copies of earlier comparisons, so that other data
 * stay unchanged.
 */
async function reviewSandbox(program: ProgramParts, account: string) {
  const config = program.config();
  const dataDir = await mkdtemp(join(tmpdir(), 'seller-board-'));
  const store = openStateStore(dataDir);
  await copyComparisons(await program.comparisons(), store);
  const alone = {
    ...createProgram({ ...program.outside, config: { ...config, dataDir } }),
    comparisons: async () => store,
  };
  const session = openSession(alone);
  const call = {
    session,
    call: {
      signal: program.outside.signal,
      deadline: performance.now() + CALL_MS,
      onProgress: () => undefined,
    },
    tell: () => undefined,
    person: NO_USER,
  };
  const tables = await session.tables(account);
  // All recent events of the sandbox are of interest.
  const since = (await tables.snapshots.list()).find(({ at }) => Date.parse(at) > program.now() - DAY_MS)?.at;
  const [review, collect] = await Promise.all([loadTool('review_listings'), loadTool('collect_data')]);
  await review.invoke({}, call);
  await collect.invoke({ operation: 'getSupplySources' }, call);
  const each = 'SELECT supply_source_id AS supplySourceId FROM supply_sources';
  await collect.invoke({ operation: 'getSupplySource', each, as: 'stores' }, call).catch(() => undefined);
  return {
    tables,
    since,
    async close() {
      await session.close();
      await alone.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const refuse = (): never => {
  throw new InputError('Nobody is asked by the board.');
};
const NO_USER = {
  canConfirm: false,
  canOpenPage: false,
  isHere: false,
  answer: () => undefined,
  confirm: refuse,
  openPage: refuse,
};
