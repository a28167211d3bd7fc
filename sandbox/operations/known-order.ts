/** Operations about one order that the caller names. */

import { type Answer, fail } from '../answer.ts';
import type { Order } from '../world/make-orders.ts';
import type { World } from '../world/world.ts';

const unknownOrder = (id: string): Answer =>
  fail(404, { code: 'NotFound', message: `Order '${id}' was not found.`, details: '' });

/** Any order of the world has one answer, all others have the same. */
export function withOrder(world: World, id: string | undefined, use: (order: Order) => Answer): Answer {
  const order = world.orders().find((one) => one.id === id);
  return order === undefined ? unknownOrder(id ?? '') : use(order);
}
