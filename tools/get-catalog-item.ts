/** get_catalog_item: section 4.2, the withdrawn catalog lookup, with its issues explained. */

import * as z from 'zod';
import { isJsonObject } from '../src/base/json.ts';
import { readBound } from '../src/call/read-bound.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { accountArgument, selectArgument } from '../src/render/arguments/arguments.ts';
import { type DescribeItemOptions, describeItem, rankIssues } from '../src/render/listing/item.ts';
import {
  fitServiceAnswer,
  isOwnField,
  serviceAnswerFields,
  toToolAnswer,
  wholeUnlessSelected,
} from '../src/render/service-answer.ts';
import { memberLines, renderValue } from '../src/render/value/render.ts';
import { catalogItemV0 } from '../src/service/facts/documented-operations.ts';
import { marketplaceName } from '../src/service/facts/marketplaces.ts';

export const getCatalogItem = defineTool({
  name: 'get_catalog_item',
  title: 'Get a catalog item (v0, withdrawn)',
  description:
    'Looks up one catalog item by ASIN with the v0 operation, for services that still answer it: Amazon withdrew it on 2022-09-30. With Amazon use read_operation with catalog-items/getCatalogItem (2022-04-01).',
  effect: 'read',
  longAnswers: true,
  input: z.strictObject({
    asin: z.string(),
    MarketplaceId: z.string().optional().describe("Marketplace ID; default: the account's"),
    select: selectArgument,
    account: accountArgument,
  }),
  output: z.looseObject({
    payload: z.unknown().optional().describe('The item, or what was selected of it'),
    errors: z.unknown().optional(),
    ...serviceAnswerFields,
  }),
  async run({ asin, MarketplaceId, select, account: given }, { session, call }) {
    const account = session.accountOf(given);
    const client = await session.client();
    const input = { operation: catalogItemV0, account, parameters: { asin, MarketplaceId } };
    const result = await client.call(input, { ...call, bound: readBound(input) });
    const personal = await session.personal();
    const masked = personal.maskAnswer(account, { operation: catalogItemV0.id }, result.body);
    const whole = isJsonObject(masked) ? masked : {};
    const options = {
      now: session.program.now(),
      marketplaceName,
      path: 'payload',
      select: select?.map((path) => path.replace(/^payload\.?/, '')),
      ...wholeUnlessSelected(whole.payload, select),
    };
    const fitted = await fitServiceAnswer({
      session,
      name: 'getCatalogItem v0',
      account,
      result,
      whole,
      select: select?.map(underPayload),
      aside: ['payload.attributes'],
      rank: (value) => rankIssues(payloadOf(value), options),
      describe: (value, maxTokens) => describeEnvelope(value, { ...options, maxTokens }),
    });
    return toToolAnswer(fitted, toMembers(fitted.value));
  },
});

/** A member that does not fit at all is null, and a member of the service never passes for one of ours. */
function toMembers(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) return { value };
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [isOwnField(name) ? `service_${name}` : name, member]),
  );
}

/** `issues.0` means `payload.issues.0`: nobody thinks of the envelope. */
function underPayload(path: string): string {
  return /^(payload|errors)\b/.test(path) ? path : `payload.${path}`;
}

const payloadOf = (value: unknown) => (isJsonObject(value) ? value.payload : undefined);

function describeEnvelope(value: unknown, options: DescribeItemOptions): string {
  if (!isJsonObject(value)) return renderValue(value).join('\n');
  const { payload, ...others } = value;
  const item =
    payload === undefined || payload === null ? 'No item in this answer.' : describeItem(payload, options);
  const rest = Object.entries(others).flatMap(([name, member]) => memberLines(name, member));
  return [item, ...rest].join('\n');
}
