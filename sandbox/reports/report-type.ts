/** What a report type of the sandbox is: how it is asked for, made and written. */

import type { Market } from '../world/markets.ts';
import type { World } from '../world/world.ts';
import type { Charset } from './charsets.ts';

/** What a caller asked for, with the moments filled in (milliseconds). */
export interface ReportRequest {
  reportType: string;
  markets: readonly Market[];
  start: number;
  end: number;
  options: Readonly<Record<string, string>>;
}

export interface ReportType {
  charset: Charset;
  contentType: string;
  isCompressed: boolean;
  /** Its document holds personal data: the address is given out for a restricted data token only. */
  isRestricted?: true;
  /** False: the service makes it by itself, and refuses to be asked. */
  canBeRequested?: false;
  /** A second one of the same marketplaces within this time is cancelled. */
  minPauseMs?: number;
  /** Why the service cannot make it, told in the document of a report that is FATAL. */
  failure?(request: ReportRequest): string | undefined;
  /** The text; undefined where there is no data, so that the report is cancelled. */
  build(world: World, request: ReportRequest): string | undefined;
}
