/** Records where the facts come from and how new they are, as reviewed in provenance.yaml. */

import { provenance } from './generated/provenance.ts';

export interface Provenance {
  repository: string;
  licence: string;
  /** Holds the day (ISO) on which the facts were last compared with what Amazon had published. */
  asOf: string;
  commits: readonly {
    commit: string;
    /** ISO. */
    day: string;
    /** Lists definition files without ending; `rest`: all that no other commit names. */
    files: 'rest' | readonly string[];
  }[];
}

/** This is the day (ISO) of the facts. */
export const FACTS_DAY = provenance.asOf;
