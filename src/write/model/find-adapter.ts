/** Finds the adapter for what a write changes: by its subject, by the parameters that name it, or by the operation. */

import { own } from '../../service/facts/schema-parts.ts';
import type { Subject } from './change.ts';
import { genericAdapter } from './generic-adapter.ts';
import { listingAdapter } from './listing/listing-adapter.ts';
import { storeAdapter } from './store/store-adapter.ts';
import type { SubjectAdapter, WritePlanner } from './subject-adapter.ts';

const ADAPTERS = { listing: listingAdapter, store: storeAdapter, operation: genericAdapter };

export const adapterOf = ({ kind }: Pick<Subject, 'kind'>): SubjectAdapter => ADAPTERS[kind];

/** Whether a recorded write is about a listing; every other recorded write is about a store. */
export const isListing = ({ parameters }: { parameters: Readonly<Record<string, unknown>> }): boolean =>
  parameters.sku !== undefined;

export const adapterOfRecorded = (values: Parameters<typeof isListing>[0]): SubjectAdapter =>
  isListing(values) ? listingAdapter : storeAdapter;

const PLANNERS = { ...listingAdapter.planners, ...storeAdapter.planners };

/** Undefined for an operation that is told member by member. */
export const plannerOf = (operation: string): WritePlanner | undefined => own(PLANNERS, operation);

const UNDONE_WITH = { ...listingAdapter.undoneWith, ...storeAdapter.undoneWith };

/** Id of the operation that takes back what this one writes; undefined where none does. */
export const undoneWith = (operation: string): string | undefined => own(UNDONE_WITH, operation);
