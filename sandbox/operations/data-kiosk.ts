/** The Data Kiosk operations: a query is sent, waits its turn and has a document. */

import * as z from 'zod';
import { type Answer, type Call, invalid, known, ok, readBody, refuseNotPlayed } from '../answer.ts';
import { createJobs, type Job, type JobState, type Jobs, type Outcome } from '../jobs.ts';
import { type View, writeItems } from '../kiosk/dataset.ts';
import { views } from '../kiosk/datasets.ts';
import { readQuery, type Selection } from '../kiosk/read-query.ts';
import type { Played } from '../router.ts';
import type { Addresses } from '../signed/signed-address.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findPageStart, readInteger, refuseChoices, refuseUnplayed } from './query.ts';

interface KioskQuery extends Job {
  text: string;
  query: Selection;
  answer: ReturnType<View>;
}

export type KioskJobs = Jobs<KioskQuery>;

/** Lists ask for queries of all datasets at once. */
const JOB = 'query';

const documentIdOf = (id: string) => `amzn1.tortuga.4.na.sandbox-${id}`;

/** @param speed how many times faster than the sandbox's own pace queries are answered */
export function createKiosk(world: World, now: () => number, speed: number): KioskJobs {
  const conclude = ({ id, query, answer }: KioskQuery): Outcome => {
    const text = writeItems(answer(world, now()), query.selects);
    if (text === undefined) return { status: 'DONE' };
    const bytes = Buffer.from(text);
    const document = { id: documentIdOf(id), bytes, contentType: 'application/jsonl', isCompressed: true };
    return { status: 'DONE', document };
  };
  return createJobs({ what: 'Query', firstId: 60_001_000_000, now, speed, conclude });
}

/** The document of a query that is over. */
export function findKioskDocument({ jobs, stateOf }: KioskJobs, id: string): Outcome['document'] {
  const query = jobs.find((one) => documentIdOf(one.id) === id);
  return query && stateOf(query).document;
}

interface Parts {
  kiosk: KioskJobs;
  addresses: Addresses;
}

export const playKiosk = ({ kiosk, addresses }: Parts): Played => ({
  'data-kiosk/createQuery': (call) => createQuery(kiosk, call),
  'data-kiosk/getQueries': (call) => listQueries(kiosk, call),
  'data-kiosk/getQuery': ({ params }) => {
    const query = kiosk.find(params.queryId);
    return ok(showQuery(query, kiosk.stateOf(query)));
  },
  'data-kiosk/cancelQuery': ({ params }) => kiosk.cancel(params.queryId),
  'data-kiosk/getDocument': ({ params: { documentId = '' } }) => {
    const { id } = known(findKioskDocument(kiosk, documentId), 'Document', documentId);
    return ok({ documentId, documentUrl: addresses.document(id, true) });
  },
});

function createQuery(kiosk: KioskJobs, { body }: Call): Answer {
  const { query: text } = readBody(z.looseObject({ query: z.string().min(1).max(8_000) }), body);
  const [root, ...more] = readQuery(text);
  const [query, ...others] = root?.selects ?? [];
  if (root === undefined || query === undefined) return invalid('query: names no dataset.');
  const view = views.get(`${root.name} ${query.name}`);
  if (view === undefined) return refuseNotPlayed(`${query.name} of ${root.name}`);
  if (more.length > 0 || others.length > 0) invalid('query: has more than one query.');
  const answer = view(query);
  const made = { type: JOB, marketplaceIds: [], text, query, answer, ...kiosk.begin() };
  kiosk.jobs.push(made);
  return ok({ queryId: made.id }, 202);
}

function listQueries(kiosk: KioskJobs, call: Call): Answer {
  refuseUnplayed(call);
  refuseChoices(call);
  const { query, cut } = findPageStart(call);
  const pageSize = readInteger(query, 'pageSize', { most: 100, otherwise: 10 });
  const found = kiosk.search({ query, now: call.now }, [JOB]).reverse();
  const { items, next } = cut(found, pageSize);
  const pagination = next.nextToken === undefined ? {} : { pagination: next };
  return ok({ queries: items.map((one) => showQuery(one, kiosk.stateOf(one))), ...pagination });
}

const showQuery = (query: KioskQuery, { status, start, end, document }: JobState): object => ({
  queryId: query.id,
  query: query.text,
  createdTime: isoSeconds(query.createdAt),
  processingStatus: status,
  ...(start !== undefined && { processingStartTime: isoSeconds(start) }),
  ...(end !== undefined && { processingEndTime: isoSeconds(end) }),
  ...(document !== undefined && { dataDocumentId: document.id }),
});
