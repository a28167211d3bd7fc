/** The model of a change: of what, where, from which value to which. Question, preview and answer are words for it. */

import type { Difference, Segments } from '../../base/json-difference.ts';

/** What a write changes, as a person knows it. Every text is the service's or the caller's: shown only by src/write/ask. */
export type Subject =
  /** A store or warehouse. */
  | { kind: 'store'; id: string; alias?: string; code?: string }
  | { kind: 'listing'; sku: string; title?: string }
  /** Anything else is told by its operation and parameters. */
  | { kind: 'operation' };

/** What is probably wrong with what is sent. */
export interface Warning {
  /** Dotted place in the body. */
  path: string;
  /** The same place in machine form. Names are the caller's or the service's: escape them where they are shown. */
  segments: Segments;
  /** Holds values as the caller gave them, JSON-quoted: pass it through the same escaping as other foreign text. */
  message: string;
  /** How to change it, for who makes the call; no part of the question to the person. Holds values like `message`. */
  how?: string;
}

/** One change of one thing. Many of them make a batch; `before` is what takes it back. */
export interface Change {
  subject: Subject;
  /** Ids of the marketplaces where it counts; empty where the thing belongs to none. */
  places: readonly string[];
  /** Parameters that subject and places tell already. */
  toldParameters: readonly string[];
  /** The values before, as far as the write touches them; undefined where they are not known. */
  before?: unknown;
  /** The same after it. */
  after?: unknown;
  /** Between the two; undefined where they cannot be told. */
  differences?: readonly Difference[];
  /** Members that are sent without a value before to compare them with, beside `differences`. */
  sent?: readonly { segments: Segments; value: unknown }[];
  /** Everything that the write changes is in `differences`. */
  isWhole: boolean;
  /** Why no values before are shown, in a sentence of ours; words of the service in it are marked. */
  noDifferences?: string;
  /** Why it could not be taken back afterwards, in a sentence; absent where it could. */
  cannotUndo?: string;
  warnings: readonly Warning[];
}

/** Everything that it would write was read as it is wanted. */
export function changesNothing({ differences, isWhole, sent = [] }: Change): boolean {
  return differences?.length === 0 && isWhole && sent.length === 0;
}

/** A write of which only the request itself can be shown. */
export function unknownChange(noDifferences: string | undefined, warnings: readonly Warning[]): Change {
  return {
    subject: { kind: 'operation' },
    places: [],
    toldParameters: [],
    isWhole: false,
    warnings,
    ...(noDifferences === undefined ? {} : { noDifferences }),
  };
}
