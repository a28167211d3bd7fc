/** Adapts a store or warehouse: its configuration, which is written whole, and its status. */

import { isJsonObject } from '../../../base/json.ts';
import { valueAt, withValueAt } from '../../../base/json-difference.ts';
import { describeDifferences } from '../format/describe-difference.ts';
import { valuesByPath } from '../member-values.ts';
import type { MemberSplitter, SubjectAdapter, WritePlanner } from '../subject-adapter.ts';
import { toWritableSupplySource } from './body.ts';
import { compareReadBack, compareSupplySources } from './state.ts';
import { planStoreStatus, planStoreUpdate } from './store-change.ts';
import { describeStorePath } from './store-path.ts';

const STATUS = 'supply-sources/updateSupplySourceStatus';
const UPDATE = 'supply-sources/updateSupplySource';
const status: WritePlanner = { plan: planStoreStatus };

const SPLITTER: MemberSplitter = {
  splitState: (state) => state,
  joinState: (parts) => parts,
  splitMember: (member) => [member],
  marketplaceOf: () => undefined,
  restore: (segments, before) =>
    segments.map((path) => {
      const value = valueAt(before, path);
      return { segments: path, ...(value !== undefined && { before: value }) };
    }),
};

export const storeAdapter: SubjectAdapter = {
  planners: {
    [UPDATE]: {
      plan: ({ parameters, body }, read, reader) =>
        planStoreUpdate(String(parameters.supplySourceId), body, read, reader),
    },
    [STATUS]: status,
    'supply-sources/archiveSupplySource': status,
  },
  lines: ({ differences = [], pending }) => describeDifferences(differences, describeStorePath, pending),
  place: describeStorePath,
  values: ({ differences = [] }) => valuesByPath(differences, describeStorePath),
  stateOf: (side) => side,
  sideOf: (state) => state,
  compare: compareSupplySources,
  read: (answer) =>
    isJsonObject(answer) ? { ...toWritableSupplySource(answer), status: answer.status } : undefined,
  createSplitter: () => SPLITTER,
  isAsSent(segments, sent, now) {
    const [one, other] = [sent, now].map((value) => withValueAt({}, segments, value));
    return compareReadBack(one, other).length === 0;
  },
  shownBy: 'supply-sources/getSupplySource',
  undoneWith: { [UPDATE]: UPDATE, [STATUS]: STATUS },
  undoBody: ({ members }, state) =>
    members.reduce<unknown>(
      (made, { segments, before }) => withValueAt(made, segments, before),
      state === undefined ? {} : toWritableSupplySource(state),
    ),
};
