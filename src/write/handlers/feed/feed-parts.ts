/** What sending and following a feed needs from outside: the service's operations, addresses, time, and a place for its steps. */

import type { Clock } from '../../../base/clock.ts';
import { NetworkError } from '../../../base/errors.ts';
import type { DispatchHooks } from '../../../call/api-request.ts';
import type { CallInput, CallResult, Client } from '../../../call/client-types.ts';
import type { Downloads } from '../../../call/download/download.ts';
import type { Uploads } from '../../../call/upload/upload.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Progress } from '../../../tell/reading-session.ts';
import type { FeedSteps } from './feed.ts';
import { FEED_CALL_MS } from './limits.ts';

export interface FeedParts {
  client: Pick<Client, 'call'>;
  uploads: Pick<Uploads, 'upload'>;
  downloads: Pick<Downloads, 'download'>;
  find(operation: string): Operation;
  account: string;
  owner: CallInput['owner'];
  /** Base address of the service, which decides where its addresses may lead. */
  givenBy: string;
  clock: Clock;
  /** Ends everything: what was sent without an answer is looked for another time. */
  signal: AbortSignal;
  /** Ends only the following of a feed that the service has. */
  ending?: AbortSignal | undefined;
  /** How far an earlier run came; empty for a new feed. */
  steps: FeedSteps;
  /** Is on disk before it resolves: what it holds must not happen twice. */
  note(steps: FeedSteps): Promise<void>;
  /** createFeed with this body, recorded in the journal. @param dispatchHooks told of each attempt. @throws as the client does */
  submit(body: Readonly<Record<string, unknown>>, dispatchHooks: DispatchHooks): Promise<CallResult>;
  /** A file that is not there, in a folder of this work alone; the caller removes it. */
  scratch(): Promise<string>;
  /** In our own words: nothing in them comes from the service. */
  tell(progress: Progress): void;
}

/** Reads or requests, patiently: waits for its place under the limit. @throws as the client does */
export function ask(
  { client, find, account, owner, signal, tell }: FeedParts,
  name: string,
  given: Pick<CallInput, 'parameters' | 'body'>,
): Promise<CallResult> {
  return client.call(
    { operation: find(`feeds/${name}`), account, owner, ...given },
    {
      signal,
      timeoutMs: FEED_CALL_MS,
      onProgress: () => tell({ message: `Waits for its place under the limit of ${name}` }),
    },
  );
}

/** @param what it lacks, and to the end of the sentence */
export const answeredWithout = (operation: string, what: string) =>
  new NetworkError(
    'NO_ADDRESS',
    'not-sent',
    `${operation} answered without ${what}.`,
    'Call again in a minute.',
  );

export const NO_PLACE = 'an address for the upload; nothing was sent';
