/** The prompts, in the order in which hosts show them: how one is declared, how it is shown, and what each says. */

import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { LISTING_LOOKUPS } from '../service/facts/listing-lookups.ts';
import type { Session } from '../write/session.ts';
import { completerOf } from './completions.ts';

interface PromptDefinition<Arguments extends z.ZodObject> {
  /** The name in snake_case. */
  name: string;
  title: string;
  description: string;
  /** The prompt is of no use if writes are switched off. */
  onlyWrites?: boolean;
  /** Made for each server, since completions need its session. */
  arguments(parts: { session: Session }): Arguments;
  /** Returns the message of the user to the assistant. */
  text(args: z.output<Arguments>): string;
}

interface Prompt {
  name: string;
  title: string;
  description: string;
  onlyWrites: boolean;
  register(server: McpServer, session: Session): void;
}

function definePrompt<Arguments extends z.ZodObject>(definition: PromptDefinition<Arguments>): Prompt {
  const { name, title, description, onlyWrites = false } = definition;
  return {
    name,
    title,
    description,
    onlyWrites,
    register(server, session) {
      const schema = definition.arguments({ session });
      // The SDK infers the arguments from a concrete type; ours are checked by `schema` itself.
      const argsSchema: z.ZodObject = schema;
      server.registerPrompt(name, { title, description, argsSchema }, (args) => {
        const text = session.redactor.redact(definition.text(parseGiven(schema, args)));
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      });
    },
  };
}

/** Hosts send the empty fields of their forms: what is blank was left out. */
function parseGiven<Arguments extends z.ZodObject>(
  schema: Arguments,
  args: Record<string, unknown>,
): z.output<Arguments> {
  const given = Object.entries(args).filter(([, value]) => typeof value !== 'string' || value.trim() !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Please give a value for: ${missing}.`);
}

const accountOf = (session: Session) => completable(z.string(), completerOf('account', session)).optional();

const formatAccount = (account: string | undefined) =>
  account === undefined ? '' : ` Use account "${account}" in every call.`;

// Prompt find_operation: from a goal to the operation that serves it.

const findOperation = definePrompt({
  name: 'find_operation',
  title: 'Find the right operation',
  description: 'Finds the operation for what you want to do, and shows how to call it.',
  arguments: ({ session }) =>
    z.object({
      goal: completable(
        z.string().min(1).describe('What you want, or part of a name'),
        completerOf('operation', session),
      ),
    }),
  text: ({ goal }) =>
    [
      `I want to: ${goal}`,
      'Find the operation for it with list_known_operations (search with a few words), read describe_operation of the best one, and tell me what it does, what it needs from me, and whether it changes anything. Do not call it yet.',
    ].join('\n'),
});

// Prompt explain_listing_issues: what is wrong with a listing, in a seller's words.

const explainListingIssues = definePrompt({
  name: 'explain_listing_issues',
  title: 'Explain what is wrong with a listing',
  description: 'Looks up the issues of a listing and explains what hurts sales, why, and what to do first.',
  arguments: ({ session }) =>
    z.object({
      identifier: z.string().min(1).describe('SKU or ASIN'),
      marketplace: completable(
        z.string().describe('Country: Germany, DE'),
        completerOf('marketplace', session),
      ).optional(),
      account: accountOf(session),
    }),
  text({ identifier, marketplace, account }) {
    const where =
      marketplace === undefined ? "the account's marketplace" : `the marketplace of ${marketplace}`;
    return [
      `Find out what is wrong with my listing "${identifier}" in ${where}.${formatAccount(account)}`,
      'Call read_operation with operation "listings-items/getListingsItem", the SKU as parameters.sku, and includedData ["summaries","issues","offers","fulfillmentAvailability"]. If I gave an ASIN (10 characters, beginning with B0), find the SKU first: read_operation with "listings-items/searchListingsItems", identifiers and identifiersType "ASIN".',
      `If I meant more than one listing: ${LISTING_LOOKUPS}`,
      'Then tell me: what stops sales first, what it means in plain words, which attributes to correct and how, and until when an exemption holds. Do not change anything.',
    ].join('\n');
  },
});

// Prompt edit_supply_source: a change of a store, given in words, made with a preview.

const editSupplySource = definePrompt({
  name: 'edit_supply_source',
  title: 'Edit a store or warehouse',
  description: 'Changes opening hours, contacts or capabilities of a supply source, shown before it is made.',
  onlyWrites: true,
  arguments: ({ session }) =>
    z.object({
      change: z.string().min(1).describe('In your words: close on Sundays'),
      supplySourceId: completable(
        z.string().describe('Left out: choose from the list'),
        completerOf('supplySource', session),
      ).optional(),
      account: accountOf(session),
    }),
  text({ change, supplySourceId, account }) {
    const which =
      supplySourceId === undefined
        ? 'First list my supply sources with read_operation "supply-sources/getSupplySources"; if there are several and it is not clear which I mean, ask me. Where I mean several or all, name them in one call (supplySourceIds).'
        : `The supply source is "${supplySourceId}".`;
    return [
      `Make this change to my supply source: ${change}`,
      `${which}${formatAccount(account)}`,
      'Read its current state with read_operation "supply-sources/getSupplySource". Then call update_supply_source with "changes" (a JSON Merge Patch holding only what changes) and dryRun true, show me the difference in plain words, and make it only after I agree. Afterwards tell me what was written and whether reading it back agrees.',
    ].join('\n');
  },
});

export const PROMPTS: readonly Prompt[] = [explainListingIssues, editSupplySource, findOperation];
