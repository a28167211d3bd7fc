/** Which kind of thing a write is about: by what it changes, by the parameters that name it, and by its operation. */

import { own } from '../../service/facts/schema-parts.ts';
import type { Subject } from './change.ts';
import type { Kind, Planning } from './kind.ts';
import { listing } from './listing/listing-kind.ts';
import { other } from './other-kind.ts';
import { store } from './store/store-kind.ts';

const KINDS: Readonly<Record<Subject['kind'], Kind>> = { listing, store, operation: other };

export const kindOf = ({ kind }: Pick<Subject, 'kind'>): Kind => KINDS[kind];

/** Of what was kept: what is neither is not. */
export const isListing = ({ parameters }: { parameters: Readonly<Record<string, unknown>> }): boolean =>
  parameters.sku !== undefined;

export const kindOfKept = (values: Parameters<typeof isListing>[0]): Kind =>
  isListing(values) ? listing : store;

const PLANS = { ...listing.plans, ...store.plans };

/** Undefined for an operation that is told member by member. */
export const planningOf = (operation: string): Planning | undefined => own(PLANS, operation);

const UNDONE_WITH = { ...listing.undoneWith, ...store.undoneWith };

/** Id of the operation that takes back what this one writes; undefined where none does. */
export const undoneWith = (operation: string): string | undefined => own(UNDONE_WITH, operation);
