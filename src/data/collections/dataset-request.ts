/**
 * Checks a request to a Data Kiosk dataset against its schema before anything is sent, and writes it as
 * GraphQL.
 */

import { InputError, type Problem } from '../../base/errors.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { isDay, localTime } from '../../base/text/local-time.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import {
  type DatasetField,
  fieldsNamed,
  fieldsOf,
  namedType,
  selectionOf,
  usualFields,
  withCurrencies,
} from '../../service/facts/dataset-fields.ts';
import type { Dataset, DatasetQuery } from '../../service/facts/datasets.ts';
import { currencyOf, marketplaceById } from '../../service/facts/marketplaces.ts';
import { type ReportType, reportType } from '../../service/facts/report-types.ts';
import { type GivenReport, readMarketplaces } from './report-request.ts';

/** The limit of the service, after needless white space is removed. */
const MAX_QUERY_CHARACTERS = 8_000;

export interface DatasetRequest {
  /** The name of the query within the dataset. */
  name: string;
  /** The name of the item type that it returns. */
  gives: string;
  fields: readonly DatasetField[];
  /** The query text in GraphQL. */
  query: string;
  /** The marketplace ids; empty if the query takes none. */
  marketplaces: string[];
  /** The first day, `2026-11-01`; both days count whole. */
  start: string;
  end: string;
}

interface Spec extends GivenReport {
  dataset: Dataset;
}

/**
 * Checks the request and builds its query.
 * @param home the account's marketplace, used if none is given
 * @param now milliseconds since the epoch
 * @throws InputError that lists every problem
 */
export function checkDatasetRequest(asked: Spec, home: string | undefined, now: number): DatasetRequest {
  const reading = new DatasetRequestReader(asked, home, now);
  const request = reading.read();
  if (request !== undefined && reading.problems.length === 0) return request;
  const list = reading.problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new InputError(
    `The dataset was not asked for: ${list}`,
    `Correct what is named and call again; describe_operation createQuery with member ${asked.type} shows what it takes and its fields.`,
    reading.problems,
  );
}

/** Returns undefined for marketplaces with several or unknown currencies. */
function commonCurrency(marketplaces: readonly string[]): string | undefined {
  const [first, ...others] = new Set(marketplaces.map(currencyOf));
  return others.length === 0 ? first : undefined;
}

/** The type of an argument or of one of its members, by its dotted path. */
interface AcceptedArgument {
  path: string;
  type: string;
}

const OWN_OPTIONS = ['query', 'fields', 'granularity'];

class DatasetRequestReader {
  readonly problems: Problem[] = [];
  readonly #asked: Spec;
  readonly #facts: ReportType | undefined;
  readonly #home: string | undefined;
  readonly #now: number;
  readonly #options: Readonly<Record<string, string>>;

  constructor(asked: Spec, home: string | undefined, now: number) {
    this.#asked = asked;
    this.#facts = reportType(asked.type);
    this.#home = home;
    this.#now = now;
    this.#options = asked.options ?? {};
  }

  read(): DatasetRequest | undefined {
    const { dataset } = this.#asked;
    const found = this.#query();
    if (found === undefined) return undefined;
    const [name, query] = found;
    const fields = this.#fields(query);
    const marketplaces = this.#marketplaces(query);
    const [start, end] = this.#days(marketplaces[0]);
    const given = this.#arguments(query, { marketplaces, start, end });
    const text = `query{${dataset.root}{${name}(${given}){${selectionOf(fields)}}}}`;
    if (text.length > MAX_QUERY_CHARACTERS) {
      this.#refuse(
        'options.fields',
        `make a query of ${text.length} characters, and Data Kiosk takes ${MAX_QUERY_CHARACTERS}: name fewer`,
      );
    }
    return { name, gives: query.gives, fields, query: text, marketplaces, start, end };
  }

  #refuse(path: string, message: string): void {
    this.problems.push({ path: `report.${path}`, message });
  }

  #query(): readonly [string, DatasetQuery] | undefined {
    const { queries } = this.#asked.dataset;
    const name = this.#options.query ?? this.#facts?.dataset?.query ?? Object.keys(queries)[0] ?? '';
    const query = Object.hasOwn(queries, name) ? queries[name] : undefined;
    if (query === undefined) {
      this.#refuse('options.query', `is one of ${Object.keys(queries).join(', ')}, not ${quoteName(name)}`);
    }
    return query && [name, query];
  }

  #fields({ gives }: DatasetQuery): DatasetField[] {
    const all = fieldsOf(this.#asked.dataset, gives);
    const usual = this.#facts?.dataset?.fields?.filter((name) => fieldsNamed(all, name).length > 0);
    const names = this.#options.fields?.split(/[,\s]+/).filter((name) => name !== '') ?? usual;
    if (names === undefined || names.length === 0) return usualFields(all);
    const chosen = names.flatMap((name) => {
      const found = fieldsNamed(all, name);
      if (found.length === 0) this.#refuse('options.fields', `has no field ${quoteName(name)}`);
      return found;
    });
    // Row keys are always selected, so that each row identifies its subject.
    return withCurrencies(all, [...chosen, ...all.filter(({ path }) => ROW_KEYS.has(path.join('.')))]);
  }

  #marketplaces({ takes }: DatasetQuery): string[] {
    const argument = marketplaceArgument(takes);
    const given = this.#asked.marketplaces ?? [];
    if (argument === undefined) {
      // A marketplace within an input is named there, and some datasets cover the whole account.
      if (given.length > 0) this.#refuse('marketplaces', 'are not taken by this query: leave them out');
      return [];
    }
    const ids = readMarketplaces(given, this.#home, this.problems);
    const isList = takes[argument]?.startsWith('[') === true;
    if (!isList && ids.length > 1) this.#refuse('marketplaces', 'takes one marketplace in this query');
    return ids;
  }

  /** Returns the days of the marketplace, because Data Kiosk counts days. */
  #days(marketplace: string | undefined): [string, string] {
    const zone = marketplaceById(marketplace ?? this.#home ?? '')?.timeZone ?? 'UTC';
    const { start, end = localTime(this.#now, zone).slice(0, 10) } = this.#asked;
    if (start === undefined) this.#refuse('start', 'is required: a day, such as 2026-11-01');
    for (const [name, day] of Object.entries({ start, end })) {
      if (day !== undefined && !isDay(day)) this.#refuse(name, 'is a day, such as 2026-11-01');
    }
    if (start !== undefined && start > end) this.#refuse('end', 'lies before start');
    return [start ?? '', end];
  }

  #arguments({ takes }: DatasetQuery, given: { marketplaces: string[]; start: string; end: string }): string {
    const taken = Object.entries(takes).flatMap(([path, type]) => this.#taken({ path, type }));
    const granularity = taken.find(({ type }) => /DateGranularity$/.test(namedType(type)));
    const ours: Record<string, unknown> = { startDate: given.start, endDate: given.end };
    const argument = marketplaceArgument(takes);
    if (argument !== undefined) {
      ours[argument] = takes[argument]?.startsWith('[') ? given.marketplaces : given.marketplaces[0];
    }
    const options = { ...this.#options };
    const currency = Object.hasOwn(takes, 'currencyCode') ? commonCurrency(given.marketplaces) : undefined;
    // The service uses dollars unless the request names a currency.
    if (currency !== undefined) options.currencyCode ??= currency;
    if (options.granularity !== undefined && granularity !== undefined) {
      options[granularity.path] ??= options.granularity;
    }
    const known = new Set([...OWN_OPTIONS, ...taken.map(({ path }) => path)]);
    for (const name of Object.keys(options).filter((one) => !known.has(one))) {
      this.#refuse(`options.${name}`, `is not taken; this query takes ${[...known].join(', ')}`);
    }
    return Object.entries(takes)
      .flatMap(([name, type]) => {
        const value = ours[name] ?? this.#value({ path: name, type }, options);
        const isByWord = name === granularity?.path && this.#options[name] === undefined;
        const option = isByWord ? 'granularity' : name;
        if (value === undefined && type.endsWith('!'))
          this.#refuse(`options.${option}`, this.#required(type));
        return value === undefined ? [] : [`${name}:${this.#literal(type, value, `options.${option}`)}`];
      })
      .join(' ');
  }

  /** Returns an argument and the members of an object argument, each as its own option. */
  #taken(one: AcceptedArgument): AcceptedArgument[] {
    const input = this.#asked.dataset.inputs[namedType(one.type)];
    if (input === undefined || one.type.startsWith('[')) return [one];
    const below = Object.entries(input).flatMap(([name, type]) =>
      this.#taken({ path: `${one.path}.${name}`, type }),
    );
    return [one, ...below];
  }

  /** Returns the value of an option, or an object of its members' values. */
  #value({ path, type }: AcceptedArgument, options: Readonly<Record<string, string>>): unknown {
    const text = options[path];
    if (text !== undefined) return readText(text, type);
    const input = this.#asked.dataset.inputs[namedType(type)];
    if (input === undefined || type.startsWith('[')) return undefined;
    const members = Object.entries(input).flatMap(([name, below]) => {
      const value = this.#value({ path: `${path}.${name}`, type: below }, options);
      return value === undefined ? [] : [[name, value] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }

  #required(type: string): string {
    const choices = this.#asked.dataset.enums[namedType(type)];
    return `is required: ${choices?.join(', ') ?? type}`;
  }

  /** Writes a value as its type requires: texts are quoted, names of an enum are not. */
  #literal(type: string, value: unknown, path: string): string {
    const plain = type.replace(/!$/, '');
    if (plain.startsWith('[')) {
      const items = Array.isArray(value) ? value : [value];
      return `[${items.map((item) => this.#literal(plain.slice(1, -1), item, path)).join(' ')}]`;
    }
    const choices = this.#asked.dataset.enums[plain];
    if (choices !== undefined) return this.#choice(choices, value, path);
    const input = this.#asked.dataset.inputs[plain];
    if (input !== undefined) return this.#object(input, value, path);
    if (['Int', 'Long', 'Float'].includes(plain)) {
      if (!Number.isFinite(Number(value)))
        this.#refuse(path, `takes a number, not ${quoteName(String(value))}`);
      return String(Number(value));
    }
    if (plain === 'Boolean') return String(value) === 'true' ? 'true' : 'false';
    return JSON.stringify(String(value));
  }

  #choice(choices: readonly string[], value: unknown, path: string): string {
    const found = choices.find((one) => one === String(value).toUpperCase());
    if (found === undefined) {
      this.#refuse(path, `is one of ${choices.join(', ')}, not ${quoteName(String(value).slice(0, 100))}`);
    }
    return found ?? '';
  }

  #object(input: Dataset['inputs'][string], value: unknown, path: string): string {
    if (!isJsonObject(value)) {
      this.#refuse(path, `takes an object with ${Object.keys(input).join(', ')}`);
      return '{}';
    }
    const strange = Object.keys(value).filter((name) => !Object.hasOwn(input, name));
    for (const name of strange)
      this.#refuse(`${path}.${name}`, `is not one of ${Object.keys(input).join(', ')}`);
    const members = Object.entries(input).flatMap(([name, type]) => {
      const member = Reflect.get(value, name);
      if (member === undefined && type.endsWith('!')) this.#refuse(`${path}.${name}`, this.#required(type));
      return member === undefined ? [] : [`${name}:${this.#literal(type, member, `${path}.${name}`)}`];
    });
    return `{${members.join(' ')}}`;
  }
}

/**
 * The time, place and product of a row. Keys within a group are left out, since the service groups by the
 * selected ones.
 */
const ROW_KEYS: ReadonlySet<string> = new Set(
  'startDate endDate marketplaceId parentAsin childAsin msku sku'.split(' '),
);

const marketplaceArgument = (takes: DatasetQuery['takes']) =>
  Object.keys(takes).find((name) => /^marketplaceIds?$/.test(name));

/** Parses lists with commas, and lists of objects as JSON. */
function readText(text: string, type: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    const read = parseJson(text);
    if (read !== undefined) return read;
  }
  return type.startsWith('[') ? text.split(',').map((part) => part.trim()) : text;
}
