/**
 * Finds the adapter for the changed thing: by its subject, by the parameters that name it, or by the
 * operation.
 */

import { own } from '../../service/facts/schema-parts.ts';
import type { Subject } from './change.ts';
import { genericAdapter } from './generic-adapter.ts';
import { listingAdapter } from './listing/listing-adapter.ts';
import { storeAdapter } from './store/store-adapter.ts';
import type { SubjectAdapter, WritePlanner } from './subject-adapter.ts';

const ADAPTERS = { listing: listingAdapter, store: storeAdapter, operation: genericAdapter };

export const adapterOf = ({ kind }: Pick<Subject, 'kind'>): SubjectAdapter => ADAPTERS[kind];

/** Returns true if a recorded write is about a listing; every other recorded write is about a store. */
export const isListing = ({ parameters }: { parameters: Readonly<Record<string, unknown>> }): boolean =>
  parameters.sku !== undefined;

export const adapterOfRecorded = (values: Parameters<typeof isListing>[0]): SubjectAdapter =>
  isListing(values) ? listingAdapter : storeAdapter;

const PLANNERS = { ...listingAdapter.planners, ...storeAdapter.planners };

/** Returns the planner, or undefined for an operation that is described member by member. */
export const plannerOf = (operation: string): WritePlanner | undefined => own(PLANNERS, operation);

const UNDONE_WITH = { ...listingAdapter.undoneWith, ...storeAdapter.undoneWith };

/** Returns the id of the operation that undoes this one; undefined if none does. */
export const undoOperationOf = (operation: string): string | undefined => own(UNDONE_WITH, operation);
