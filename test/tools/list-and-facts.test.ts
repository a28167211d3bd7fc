/** Tests that the facts repeated in the tool list equal the recorded facts. */

import { expect, it } from 'vitest';
import * as z from 'zod';
import { expectedReport } from '../../src/data/collections/expected-tables.ts';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { columnsOfReport } from '../../src/service/facts/report-columns.ts';
import { resolveSchema } from '../../src/service/facts/schema-parts.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';

const inputOf = (tool: string) => TOOL_LIST.find(({ name }) => name === tool)?.inputSchema;

it('collect_data names the columns of the report of all orders', () => {
  const text = JSON.stringify(inputOf('collect_data'));
  const [, type = '', columns = ''] = /All orders: (\w+), .*?columns: (.*?)\. Other/.exec(text) ?? [];
  const known = columnsOfReport(type);
  if (known === undefined) throw new Error(`The facts have no columns of ${type}`);
  const [table] = expectedReport(type, known);
  const named = columns.split(/, |; numbers: /);
  expect(named.toSorted()).toEqual(table?.columns.map(({ name }) => name).toSorted());
});

/** The members that both forms of a patch share. */
const patchSchema = z.object({
  properties: z.object({
    op: z.object({ type: z.string(), enum: z.array(z.string()) }),
    path: z.object({ type: z.string() }),
    value: z.object({ type: z.string(), items: z.object({ type: z.string() }) }),
  }),
  required: z.array(z.string()),
});

it('change_listings takes the patches that patchListingsItem takes', async () => {
  const { body, defs = {} } = (await loadRegistry()).find('listings-items/patchListingsItem');
  const { patches } = resolveSchema(body?.schema ?? {}, defs).properties ?? {};
  const known = patchSchema.parse(resolveSchema(patches?.items ?? {}, defs));
  const listed = z
    .object({ properties: z.object({ items: z.object({ items: z.unknown() }) }) })
    .parse(inputOf('change_listings')).properties.items.items;
  const item = z
    .object({ properties: z.object({ patches: z.object({ items: z.unknown() }) }) })
    .parse(listed);
  expect(patchSchema.parse(item.properties.patches.items)).toEqual(known);
});
