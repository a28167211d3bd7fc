/** A dataset of Data Kiosk has views, each with its arguments, whose items a query selects from. */

import * as z from 'zod';
import { invalid, problemsOf } from '../answer.ts';
import { addDays, beginOf, type Days, endOf, type Granularity } from '../world/periods.ts';
import type { World } from '../world/world.ts';
import type { Selection } from './read-query.ts';

/** Reads the arguments of a query, and returns how it is answered. @throws Refusal */
export type View = (query: Selection) => (world: World, now: number) => readonly object[];

export const defineView =
  <Schema extends z.ZodType>(
    schema: Schema,
    run: (
      world: World,
      args: z.output<Schema>,
      asked: { query: Selection; now: number },
    ) => readonly object[],
  ): View =>
  (query) => {
    const read = schema.safeParse(query.takes);
    if (!read.success) return invalid(`query: ${problemsOf(read.error)}`);
    return (world, now) => run(world, read.data, { query, now });
  };

export const daysSchema = z.strictObject({ startDate: z.iso.date(), endDate: z.iso.date() });

export const marketplaceIds = z.array(z.string()).min(1);

export const marketsOf = ({ markets }: World, ids: readonly string[]) =>
  markets.filter(({ id }) => ids.includes(id));

/** Cuts off the weeks or months that are not wholly within the days. */
export function wholePeriods({ first, last }: Days, by: Granularity): Days {
  const begin = beginOf(first, by);
  const lastBegin = beginOf(last, by);
  return {
    first: begin === first ? first : addDays(endOf(begin, by), 1),
    last: endOf(lastBegin, by) === last ? last : addDays(lastBegin, -1),
  };
}

/** Returns the items as JSON lines with what was selected of each; undefined where there are none. */
export const writeItems = (items: readonly object[], selects: readonly Selection[]): string | undefined =>
  items.length === 0
    ? undefined
    : items.map((item) => `${JSON.stringify(project(item, selects))}\n`).join('');

/** Keeps the order of the selection; null stands for what is not there. */
function project(value: unknown, selects: readonly Selection[]): unknown {
  if (selects.length === 0) return value ?? null;
  if (Array.isArray(value)) return value.map((item) => project(item, selects));
  if (!(value instanceof Object)) return null;
  return Object.fromEntries(
    selects.map(({ name, selects: below }) => [name, project(Reflect.get(value, name), below)]),
  );
}
