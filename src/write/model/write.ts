/** One write of a batch: the same while it is shown, approved, stored, sent and recorded. */

import type { CallInput, PreparedRequest } from '../../call/client-types.ts';
import type { Change } from './change.ts';
import type { Marked } from './write-view.ts';

export interface Write {
  /** SKU, id of a store, number of the call: unique in the batch. */
  key: string;
  /** The call that is approved, recorded and sent; operation and account are the same in the whole batch. */
  input: CallInput;
  /** Parameters that the account fills in, and the owner of the account. */
  request: Pick<PreparedRequest, 'filledIn' | 'owner'>;
  /** For the person alone. */
  change: Change;
  /** As the assistant sees it and the journal keeps it; the same object where nothing in it is personal. */
  shown: { parameters: Readonly<Record<string, unknown>>; body?: unknown; change: Change };
  /** Digest of the values before: the write is not sent where they are others by then. */
  stateDigest?: string | undefined;
  /** Absent where no mark was given. */
  marked?: Marked;
  /** Id of the entry of the journal that it takes back. */
  undoes?: string | undefined;
  /** The undo restores only what nobody else has changed; the rest can still be undone. */
  isPart?: boolean;
}
