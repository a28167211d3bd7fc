/** Work that is asked for, waits, is done and ends as the clock goes on: how reports and feeds come about. */

import { type Answer, type Call, invalid, known } from './answer.ts';
import { fits, isWithin, readList, readMoment } from './operations/query.ts';
import { DAY_MS } from './world/plain-values.ts';

const QUEUED_MS = 2_000;
const WORKED_MS = 3_000;
/** How far back a list looks when nobody says. */
const LISTED_DAYS = 90;

/** Moments in milliseconds. */
export interface Job {
  id: string;
  /** Which report or feed. */
  type: string;
  marketplaceIds: readonly string[];
  createdAt: number;
  isCancelled: boolean;
  /** It is not over before. */
  takesMs?: number | undefined;
}

/** The document behind a signed address. */
export interface StoredDocument {
  bytes: Buffer;
  contentType: string;
  /** It goes out as GZIP. */
  isCompressed: boolean;
  /** The document needs a restricted data token. */
  isRestricted?: true;
}

export interface Outcome {
  status: 'DONE' | 'CANCELLED' | 'FATAL';
  /** Absent where there is none. */
  document?: StoredDocument & { id: string };
}

export interface JobState extends Omit<Outcome, 'status'> {
  status: Outcome['status'] | 'IN_QUEUE' | 'IN_PROGRESS';
  /** When work on it began and ended; absent for what has not happened yet. */
  start?: number;
  end?: number;
}

interface Kind<J extends Job> {
  /** How errors call it. */
  what: string;
  firstId: number;
  /** The jobs that are there from the beginning. */
  jobs?: J[];
  now: () => number;
  /** How many times faster than the sandbox's own pace it is done. */
  speed: number;
  /** How it ends; asked once, when it is over. */
  conclude(job: J): Outcome;
}

export type Jobs<J extends Job> = ReturnType<typeof createJobs<J>>;

export function createJobs<J extends Job>({ what, firstId, jobs = [], now, speed, conclude }: Kind<J>) {
  const outcomes = new Map<J, Outcome>();
  /** All of it at one moment: what ends between two looks is not done without a document. */
  const stateOf = (job: J): JobState => {
    if (job.isCancelled) return { status: 'CANCELLED' };
    const start = job.createdAt + QUEUED_MS / speed;
    const end = Math.max(start + WORKED_MS / speed, job.createdAt + (job.takesMs ?? 0));
    const time = now();
    if (time < start) return { status: 'IN_QUEUE' };
    if (time < end) return { status: 'IN_PROGRESS', start };
    const outcome = outcomes.get(job) ?? conclude(job);
    outcomes.set(job, outcome);
    return { ...outcome, start, end };
  };
  const find = (id = ''): J =>
    known(
      jobs.find((job) => job.id === id),
      what,
      id,
    );
  return {
    jobs,
    stateOf,
    find,
    /** Returns the members of a job that only this module knows. */
    begin: (): Pick<Job, 'id' | 'createdAt' | 'isCancelled'> => ({
      id: String(firstId + jobs.length),
      createdAt: now(),
      isCancelled: false,
    }),
    /** @throws Refusal for one that has left the queue. */
    cancel(id: string | undefined): Answer {
      const job = find(id);
      const { status } = stateOf(job);
      if (status !== 'IN_QUEUE') invalid(`A ${what.toLowerCase()} that is ${status} cannot be cancelled.`);
      job.isCancelled = true;
      return { status: 200 };
    },
    /** Finds the jobs that a list requests, in the order in which they were created. @throws Refusal */
    search({ query, now: asked }: Pick<Call, 'query' | 'now'>, types: readonly string[]): J[] {
      const [statuses, marketplaceIds] = [
        readList(query, 'processingStatuses'),
        readList(query, 'marketplaceIds'),
      ];
      const span = {
        after: readMoment(query, 'createdSince') ?? asked - LISTED_DAYS * DAY_MS,
        before: readMoment(query, 'createdUntil') ?? asked,
      };
      return jobs
        .filter(({ type }) => types.includes(type))
        .filter(({ createdAt }) => isWithin(span, createdAt))
        .filter((job) => statuses.length === 0 || statuses.includes(stateOf(job).status))
        .filter((job) => fits(marketplaceIds, ...job.marketplaceIds));
    },
  };
}
