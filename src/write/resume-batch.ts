/**
 * Resumes a batch by its id alone, for a caller that does not know the arguments that began it. The same call
 * with its arguments resumes in batch-call.ts.
 */

import * as z from 'zod';
import { InputError } from '../base/errors.ts';
import type { ToolAnswer } from '../render/tool-answer.ts';
import { sendAndReportBatch, stopBatch } from './batch-call.ts';
import { buildListingsBatchHandlers } from './handlers/listing/listings-batch-handlers.ts';
import { findListingsScope } from './handlers/listing/listings-scope.ts';
import { findOperation } from './handlers/undo/prepare-undo.ts';
import { PATCH } from './model/listing/apply-patches.ts';
import type { WriteStructured } from './model/outcome.ts';
import { ownerOf } from './plan/batch-owner.ts';
import type { BatchInfo } from './run/batches/summary.ts';
import type { ToolContext } from './session.ts';
import { type BatchSpec, buildBatchHandlers } from './write-batch.ts';

interface ResumedList {
  tool: string;
  id: string;
  account?: string;
  stop: boolean;
}

/** @throws InputError if this tool and account have no such batch, or only its arguments can resume it */
export async function resumeById(
  { tool, id, account: named, stop }: ResumedList,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session } = ctx;
  const account = session.accountOf(named);
  const [batches, of] = await Promise.all([session.batches(), ownerOf(account, session)]);
  const info = await batches.info(id);
  if (info?.account !== account || info.owner !== of.ownerDigest || info.tool !== tool) {
    throw new InputError(
      `There is no list ${id} of ${tool} for this account; nothing was sent.`,
      'undo_change without id lists what was changed from here.',
    );
  }
  const list = buildBatchHandlers(await restoreList(info, ctx), of, ctx);
  return stop ? stopBatch(info, list, ctx) : sendAndReportBatch(info, list, ctx);
}

const itemSchema = z.object({
  operation: z.string().optional(),
  parameters: z.object({ marketplaceIds: z.array(z.string()).optional() }).optional(),
  options: z.object({ marketplaceIds: z.array(z.string()) }).optional(),
});

async function restoreList({ id, account, tool, items }: BatchInfo, ctx: ToolContext): Promise<BatchSpec> {
  const { session } = ctx;
  const found = items.map(({ value }) => itemSchema.safeParse(value).data ?? {});
  const ids = new Set(found.flatMap(({ parameters, options }) => (options ?? parameters)?.marketplaceIds));
  const [first] = found;
  const operation = first?.operation ?? (first?.options === undefined ? undefined : PATCH);
  if (operation === undefined && items.length > 0) {
    throw new InputError(
      `The list ${id} goes on with the arguments that began it; nothing was sent.`,
      'Give the same call again.',
    );
  }
  const [marketplaceId] = ids;
  const isTogether = tool === 'change_listings' || (operation === PATCH && tool === 'undo_change');
  const parts =
    isTogether && ids.size === 1 && marketplaceId !== undefined
      ? buildListingsBatchHandlers(await findListingsScope(account, marketplaceId, session), ctx)
      : {};
  const registry = await session.program.registry();
  return { account, ...parts, operation: findOperation(operation ?? PATCH, registry) };
}
