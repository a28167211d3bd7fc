/** What the operations of answers.yaml are about: lists of the made-up world, or one thing of it, with what is computed. */

import { inboundRows } from './inbound-rows.ts';
import { moneyRows } from './money-rows.ts';
import { orderRows } from './order-rows.ts';

export const ROWS = { ...orderRows, ...moneyRows, ...inboundRows };
