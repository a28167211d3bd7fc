/** Defines one write of a batch: the same while it is shown, approved, stored, sent and recorded. */

import type { CallInput, PreparedRequest } from '../../call/client-types.ts';
import type { Change } from './change.ts';
import type { MaskedArguments } from './write-view.ts';

export interface Write {
  /** The SKU, the id of a store, or the number of the call: unique in the batch. */
  key: string;
  /** The call that is approved, recorded and sent; operation and account are the same in the whole batch. */
  input: CallInput;
  /** The parameters that the account fills in, and the owner of the account. */
  request: Pick<PreparedRequest, 'filledIn' | 'owner'>;
  /** The change for the user alone. */
  change: Change;
  /** The form for the assistant and the journal; the same object if nothing in it is personal. */
  shown: { parameters: Readonly<Record<string, unknown>>; body?: unknown; change: Change };
  /** The digest of the old values: the write is not sent if they differ by then. */
  stateDigest?: string | undefined;
  /** The masked arguments, absent if no placeholder was given. */
  marked?: MaskedArguments;
  /** The id of the journal entry that it undoes. */
  undoes?: string | undefined;
  /** The undo restores only what nobody else has changed; the rest can still be undone. */
  isPart?: boolean;
}
