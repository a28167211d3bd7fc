/** Checks a report request before anything is sent: its type, marketplaces, time and options. */

import { InputError, type Problem } from '../../base/errors.ts';
import { isDay, momentOfDay, offsetAt } from '../../base/text/local-time.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { type DayEnd, hasOwnDays } from '../../service/facts/days.ts';
import { formatEndingSentence, isGone } from '../../service/facts/endings.ts';
import { findMarketplace } from '../../service/facts/find-marketplace.ts';
import { marketplaceById, marketplaceName } from '../../service/facts/marketplaces.ts';
import { accountWideRegions } from '../../service/facts/report-traits.ts';
import { nearestReportTypes, type ReportType, reportType } from '../../service/facts/report-types.ts';

export interface GivenReport {
  type: string;
  marketplaces?: readonly string[] | undefined;
  start?: string | undefined;
  end?: string | undefined;
  options?: Readonly<Record<string, string>> | undefined;
}

export interface ReportRequest {
  type: string;
  /** The documented facts about the type. */
  facts: ReportType | undefined;
  /** The marketplace ids. */
  marketplaces: string[];
  /** The start in ISO 8601, UTC. */
  start?: string;
  end?: string;
  options?: Record<string, string>;
  /** Doubts about the request, which is sent nevertheless. */
  notes: string[];
}

/** Matches the form of a report type. */
const TYPE = /^[A-Z][A-Z0-9_]{3,120}$/;

const DAY_MS = 86_400_000;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Checks the request.
 * @param account the account's marketplace, used if none is given
 * @param now milliseconds since the epoch
 * @throws InputError that lists every problem
 */
export function checkReport(given: GivenReport, account: string | undefined, now: number): ReportRequest {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const facts = reportType(given.type);
  checkType(given.type, facts, now, problems, notes);
  const marketplaces = readMarketplaces(given.marketplaces, account, problems, notes);
  const options = given.options ?? {};
  for (const name of facts?.requiredOptions ?? []) {
    if (Object.hasOwn(options, name)) continue;
    problems.push({
      path: `report.options.${name}`,
      message: `is required: ${facts?.options?.[name] ?? ''}`,
    });
  }
  const asked = idsOf(given.marketplaces);
  // An account-wide report uses the account's own days, so that it is the same one for every marketplace.
  const isAccountWide = accountWideRegions(given.type, marketplaces) !== undefined;
  const own = isAccountWide ? account : marketplaces.find((id) => id === account);
  const home = own ?? asked[0] ?? marketplaces[0];
  const times = readTimes(given, { facts, zone: zoneOf(home, facts) }, now, problems, notes);
  if (problems.length > 0) {
    const list = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new InputError(
      `The report was not asked for: ${list}`,
      'Correct what is named and call again.',
      problems,
    );
  }
  return {
    type: given.type,
    facts,
    marketplaces,
    ...times,
    ...(Object.keys(options).length === 0 ? {} : { options: { ...options } }),
    notes,
  };
}

function checkType(
  type: string,
  facts: ReportType | undefined,
  now: number,
  problems: Problem[],
  notes: string[],
): void {
  const path = 'report.type';
  if (facts === undefined) {
    const near = nearestReportTypes(type);
    const names = near.length === 0 ? '' : ` Near it are: ${near.join(', ')}.`;
    const words = `is no report type known here: ${quoteName(type.slice(0, 100))}.${names}`;
    // The service adds types, so a name of the right form that resembles no known one is sent.
    if (!TYPE.test(type) || isSlip(type, near)) problems.push({ path, message: words });
    else notes.push(`The type ${words} It was sent as it is.`);
    return;
  }
  const { ending } = facts;
  if (ending === undefined) return;
  const message = formatEndingSentence(type, ending, now);
  if (isGone(ending, now)) problems.push({ path, message });
  else notes.push(message);
}

/**
 * Returns true if it is almost another type's name: the same words but for a letter or two, or one word more
 * or less.
 */
function isSlip(type: string, near: readonly string[]): boolean {
  const words = (name: string) => name.split('_').filter((word) => word !== 'GET');
  return near.some((name) => {
    const [own, other] = [words(type), words(name)];
    const shared = own.filter((word) => other.some((each) => isNear(each, word))).length;
    return shared >= Math.max(own.length, other.length) - 1 && shared >= 2;
  });
}

/** Matches singular and plural, for example. */
const isNear = (one: string, other: string) =>
  Math.abs(one.length - other.length) <= 2 && (one.startsWith(other) || other.startsWith(one));

/** Returns distinct ids. @param notes receives doubts about unknown marketplaces */
export function readMarketplaces(
  given: readonly string[] = [],
  account: string | undefined,
  problems: Problem[],
  notes: string[] = [],
): string[] {
  const names = given.length > 0 ? given : account === undefined ? [] : [account];
  if (names.length === 0) {
    problems.push({
      path: 'report.marketplaces',
      message: 'is required, since the account has no marketplace of its own',
    });
  }
  const ids = names.map((name, at) => {
    const found = findMarketplace(name);
    if (found.kind === 'known') return found.marketplace.id;
    if (found.kind === 'refused') {
      problems.push({ path: `report.marketplaces.${at}`, message: found.problem });
    } else notes.push(found.warning);
    return name;
  });
  return [...new Set(ids)].sort();
}

function readTimes(
  given: GivenReport,
  { facts, zone }: { facts: ReportType | undefined; zone: Zone },
  now: number,
  problems: Problem[],
  notes: string[],
): { start?: string; end?: string } {
  const start = readTime(given.start, 'report.start', { end: 'start', zone }, problems);
  const end = readTime(given.end, 'report.end', { end: 'end', zone }, problems);
  if (start === null || end === null) return {};
  if (facts?.period === 'moment') {
    if (start !== undefined || end !== undefined) {
      notes.push(`${facts.id} shows the state when it is made: start and end do not count.`);
    }
    return {};
  }
  const isMade = facts?.origin === 'request' || facts?.origin === 'both';
  if (facts?.period === 'range' && isMade && start === undefined) {
    problems.push({
      path: 'report.start',
      message: `is required: ${facts.id} is about a time, such as the last 30 days`,
    });
  }
  if (start !== undefined && start > now)
    problems.push({ path: 'report.start', message: 'lies in the future' });
  if (start !== undefined && end !== undefined && start >= end) {
    problems.push({ path: 'report.end', message: 'lies before start: the two are the wrong way round' });
  }
  const days = start === undefined ? 0 : daysBetween(start, Math.min(end ?? now, now), given.start, zone);
  if (facts?.mostDays !== undefined && days > facts.mostDays) {
    problems.push({
      path: 'report.start',
      message: `is ${Math.ceil(days)} days before the end; ${facts.id} covers at most ${facts.mostDays} days: ask for several, one after the other`,
    });
  }
  const sent = {
    ...(start === undefined ? {} : { start: isoOf(start) }),
    ...(end === undefined ? {} : { end: isoOf(end) }),
  };
  const hasDays = [given.start, given.end].some((text) => text !== undefined && isDay(text));
  if (hasDays && zone.of !== undefined) notes.push(`Days are those of ${zone.of}.`);
  return sent;
}

/**
 * Counts the days between two moments; whole days do not count the hour by which clocks were set back in
 * between.
 */
function daysBetween(start: number, end: number, given = '', { timeZone }: Zone): number {
  const setBack = isDay(given) ? offsetAt(start, timeZone) - offsetAt(end, timeZone) : 0;
  return (end - start - Math.max(0, setBack)) / DAY_MS;
}

interface Zone {
  timeZone: string;
  /** The label `Germany (Europe/Berlin)`; absent if days are days of UTC. */
  of?: string;
}

/** Returns the ids in the given order. */
const idsOf = (given: readonly string[] = []) =>
  given.flatMap((name) => {
    const found = findMarketplace(name);
    return found.kind === 'known' ? [found.marketplace.id] : [];
  });

/** @param home the marketplace whose days are meant: several marketplaces share the same moments */
function zoneOf(home: string | undefined, facts: ReportType | undefined): Zone {
  const found = home === undefined || !hasOwnDays(facts) ? undefined : marketplaceById(home);
  return found === undefined
    ? { timeZone: 'UTC' }
    : { timeZone: found.timeZone, of: `${marketplaceName(found.id)} (${found.timeZone})` };
}

/** Returns undefined if none is given, null if it is wrong. A day as the end counts whole. */
function readTime(
  text: string | undefined,
  path: string,
  { end, zone }: { end: DayEnd; zone: Zone },
  problems: Problem[],
): number | undefined | null {
  if (text === undefined) return undefined;
  const ms = isDay(text)
    ? Date.parse(momentOfDay(text, zone.timeZone, end))
    : MOMENT.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  problems.push({
    path,
    message: 'must be a day (2026-11-01) or a time with its offset (2026-11-01T00:00:00+01:00)',
  });
  return null;
}

const isoOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
