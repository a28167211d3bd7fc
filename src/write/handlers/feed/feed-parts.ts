/**
 * Defines what sending and following a feed needs from outside: the service's operations, transfers, time,
 * and a record of its steps.
 */

import type { Clock } from '../../../base/clock.ts';
import { NetworkError } from '../../../base/errors.ts';
import type { DispatchHooks } from '../../../call/api-request.ts';
import type { CallInput, CallResult, Client } from '../../../call/client-types.ts';
import type { Downloads } from '../../../call/download/download.ts';
import type { Uploads } from '../../../call/upload/upload.ts';
import type { CallProgress } from '../../../render/reading-session.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { FeedSteps } from './feed.ts';
import { FEED_CALL_MS } from './limits.ts';

export interface FeedParts {
  client: Pick<Client, 'call'>;
  uploads: Pick<Uploads, 'upload'>;
  downloads: Pick<Downloads, 'download'>;
  find(operation: string): Operation;
  account: string;
  owner: CallInput['owner'];
  /** The base address of the service, which decides where its upload and download addresses may lead. */
  givenBy: string;
  clock: Clock;
  /** Ends everything; a request that was sent without an answer is looked up by a later run. */
  signal: AbortSignal;
  /** Ends only the wait for a feed that the service has. */
  ending?: AbortSignal | undefined;
  /** The steps of an earlier run; empty for a new feed. */
  steps: FeedSteps;
  /** Resolves once the steps are on the disk, because what they record must not happen twice. */
  note(steps: FeedSteps): Promise<void>;
  /**
   * Calls createFeed with this body, and records it in the journal.
   * @param dispatchHooks are called for each attempt
   * @throws as the client does
   */
  submit(body: Readonly<Record<string, unknown>>, dispatchHooks: DispatchHooks): Promise<CallResult>;
  /**
   * Returns the path of a file that does not exist yet, in a folder of this work alone. The caller removes
   * the file.
   */
  scratch(): Promise<string>;
  /** Reports progress in our own words; nothing in them comes from the service. */
  tell(progress: CallProgress): void;
}

/** Calls an operation and waits for a slot under its rate limit. @throws as the client does */
export function callFeedOperation(
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

/** @param what the missing part, followed by the end of the sentence */
export const missingInAnswer = (operation: string, what: string) =>
  new NetworkError(
    'NO_ADDRESS',
    'not-sent',
    `${operation} answered without ${what}.`,
    'Call again in a minute.',
  );

export const NO_UPLOAD_ADDRESS = 'an address for the upload; nothing was sent';
