/** Prompt edit_supply_source: a change of a store, given in words, made with a preview. */

import { completable } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { completeAccount, completeSupplySource } from '../completions.ts';
import { definePrompt } from '../define-prompt.ts';

export const editSupplySource = definePrompt({
  name: 'edit_supply_source',
  title: 'Edit a store or warehouse',
  description: 'Changes opening hours, contacts or capabilities of a supply source, shown before it is made.',
  arguments: ({ session }) =>
    z.object({
      change: z.string().min(1).describe('In your words: close on Sundays'),
      supplySourceId: completable(z.string().describe('Left out: choose from the list'), (typed) =>
        completeSupplySource(typed, session),
      ).optional(),
      account: completable(z.string(), (typed) => completeAccount(typed, session)).optional(),
    }),
  text({ change, supplySourceId, account }) {
    const which =
      supplySourceId === undefined
        ? 'First list my supply sources with read_operation "supply-sources/getSupplySources"; if there are several and it is not clear which I mean, ask me. Where I mean several or all, name them in one call (supplySourceIds).'
        : `The supply source is "${supplySourceId}".`;
    const whose = account === undefined ? '' : ` Use account "${account}" in every call.`;
    return [
      `Make this change to my supply source: ${change}`,
      `${which}${whose}`,
      'Read its current state with read_operation "supply-sources/getSupplySource". Then call update_supply_source with "changes" (a JSON Merge Patch holding only what changes) and dryRun true, show me the difference in plain words, and make it only after I agree. Afterwards tell me what was written and whether reading it back agrees.',
    ].join('\n');
  },
});
