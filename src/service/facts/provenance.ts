/** The sources and the age of the facts, as reviewed in provenance.yaml. */

import { provenance } from './generated/provenance.ts';

export interface Provenance {
  repository: string;
  licence: string;
  /** The day (ISO) on which the facts were last compared with Amazon's publications. */
  asOf: string;
  commits: readonly {
    commit: string;
    /** The day of the commit, ISO. */
    day: string;
    /** Definition files without extension; `rest` means all that no other commit names. */
    files: 'rest' | readonly string[];
  }[];
}

/** The day (ISO) of the facts. */
export const FACTS_DAY = provenance.asOf;
