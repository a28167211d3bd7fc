/** How much time one report may cover. */

import { DAY_MS } from '../world/plain-values.ts';
import type { ReportRequest } from './report-type.ts';

/** The reason why a longer time fails; the service takes such a request and ends the report as FATAL. */
export const longerThan =
  (days: number) =>
  ({ start, end }: ReportRequest): string | undefined =>
    end - start > days * DAY_MS ? `The requested time is longer than ${days} days.` : undefined;
