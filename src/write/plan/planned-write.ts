/** A write before it is sent: what it changes, the state that a yes is good for, and how to read it back. */

import type { CallOptions } from '../../call/client.ts';
import type { ReadBack } from '../run/failure.ts';
import type { Change } from './change.ts';

export interface PlannedWrite {
  change: Change;
  /** Digest of the values before; undefined where they are not known. */
  basis?: string;
  /** Absent where nothing can be read. */
  readBack?: (call: CallOptions) => Promise<ReadBack>;
  /** The service says that what would be changed is not there. */
  isAbsent?: boolean;
}
