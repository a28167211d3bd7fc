/** Builds the rows that answers.yaml renders: lists of the demo world, or one thing of it, with their computed members. */

import { inboundRows } from './inbound-rows.ts';
import { moneyRows } from './money-rows.ts';
import { orderRows } from './order-rows.ts';

export const ROWS = { ...orderRows, ...moneyRows, ...inboundRows };
