/** Every tool, in the order in which assistants see them. */

import type { Tool } from '../src/protocol/define-tool.ts';
import { changeListings } from './change-listings.ts';
import { collectData } from './collect-data.ts';
import { describeOperation } from './describe-operation.ts';
import { exchangeToken } from './exchange-token.ts';
import { getCatalogItem } from './get-catalog-item.ts';
import { listKnownOperations } from './list-known-operations.ts';
import { queryData } from './query-data.ts';
import { readOperation } from './read-operation.ts';
import { reviewListings } from './review-listings.ts';
import { undoChange } from './undo-change.ts';
import { updateSupplySource } from './update-supply-source.ts';
import { writeOperation } from './write-operation.ts';

export const TOOLS: readonly Tool[] = [
  listKnownOperations,
  describeOperation,
  readOperation,
  reviewListings,
  collectData,
  queryData,
  changeListings,
  updateSupplySource,
  writeOperation,
  undoChange,
  getCatalogItem,
  exchangeToken,
];

/** @throws Error for a name that is not in the list, which the server never asks for. */
export function getTool(name: string): Tool {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}
