/**
 * Allows a figure only if all amounts behind it have one currency: the rewritten statement checks this row by
 * row, so that its conditions and groups decide.
 */

import { InputError } from '../../base/errors.ts';
import { delimit } from '../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import { isCurrencyName } from './amounts.ts';
import {
  closeOf,
  isNameToken,
  isSign,
  isWord,
  opensQuery,
  readQuery,
  readSelect,
  type SelectCore,
  type SelectItem,
  type SelectQuery,
  splitAtCommas,
  type TableSource,
  type TokenRange,
  UnreadSelectError,
} from './select-parts.ts';
import { quoteIdentifier } from './sql-names.ts';
import type { SqlStatement, SqlToken } from './statement.ts';
import { MARKETPLACE_NAMES, type MoneyTable } from './table-currencies.ts';
import { MIXED, ONE_CURRENCY } from './worker/one-currency.ts';

/** Functions that compute one figure from the amounts of several rows. */
const FIGURES = new Set('sum avg total min max median percentile percentile_cont percentile_disc'.split(' '));
/** Functions that aggregate only with one argument; with more they compare within a row. */
const EXTREMES = new Set(['min', 'max']);
/** Functions in which a zero that the statement itself substitutes for an amount changes nothing. */
const SUMS = new Set(['sum', 'total']);
/** Functions that return the value of another row. */
const OF_ANOTHER_ROW = new Set(['lag', 'lead', 'first_value', 'last_value', 'nth_value']);
/** Functions whose result is never an amount. */
const NO_AMOUNT = new Set(
  `count row_number rank dense_rank percent_rank cume_dist ntile typeof length sign json_array_length json_type
  group_concat string_agg json_group_array json_group_object json_object json_array printf format exists`.split(
    /\s+/,
  ),
);
/** Words before a parenthesis that are no functions. */
const NO_FUNCTION = new Set(
  `and or not in like glob regexp match between is case when then else end on using where having by over filter
  values as select from distinct all union except intersect limit offset exists any`.split(/\s+/),
);
const COMPARES = new Set('and or not is in like glob regexp match between isnull notnull exists'.split(' '));
const COMPARISON_SIGNS = new Set(['=', '<', '>', '!']);

/** The value columns of json_each and json_tree. */
const JSON_VALUES = new Set(['value', 'atom']);

/** The error details if a check finds two currencies. */
interface CurrencyCheck {
  /** The figure as written in the statement. */
  figure: string;
  /** The currency columns under names that the statement can use; empty if none is visible. */
  columns: readonly CurrencyColumn[];
  /** Whether the figure belongs to a window, so that it is partitioned there and not by GROUP BY. */
  isWindow: boolean;
  /** The reason why the statement could not be analyzed. */
  unread?: UnreadSelectError;
}

interface CurrencyColumn {
  name: string;
  /** False for a marketplace, which has a currency. */
  isCurrency: boolean;
}

export interface GuardedStatement {
  sql: string;
  checks: readonly CurrencyCheck[];
  /** The names of the tables whose amounts it may read. */
  tables: readonly string[];
}

/** @param tables the tables by their names in the statement */
export function guardCurrencies(
  { sql, tokens }: Pick<SqlStatement, 'sql' | 'tokens'>,
  tables: ReadonlyMap<string, MoneyTable>,
): GuardedStatement {
  const read = moneyTablesIn(tokens, tables);
  const names = read.map(({ name }) => name);
  if (!mayMix(read)) return { sql, checks: [], tables: names };
  try {
    return { ...new GuardWriter(sql, tokens, tables).write(), tables: names };
  } catch (error) {
    if (!(error instanceof UnreadSelectError)) throw error;
    // SQLite's own error about the statement takes precedence; otherwise no row is returned.
    const checks = [{ figure: 'this statement', columns: [], isWindow: false, unread: error }];
    const refuse = `${ONE_CURRENCY}(0, NULL, NULL, NULL, 1, '?', '??')`;
    return { sql: `SELECT * FROM (\n${sql}\n) WHERE ${refuse}`, checks, tables: names };
  }
}

function moneyTablesIn(tokens: readonly SqlToken[], tables: ReadonlyMap<string, MoneyTable>): MoneyTable[] {
  const names = new Set(tokens.map(({ text }) => text));
  return [...names].flatMap((name) => tables.get(name) ?? []).filter(({ money }) => money.size > 0);
}

/** Returns false if all amounts of these tables are known to have one currency. */
function mayMix(tables: readonly MoneyTable[]): boolean {
  const known = new Set(tables.map(({ only }) => only));
  return known.size > 1 || known.has(undefined);
}

/** @param message SQLite's message; the result is undefined if it has another cause */
export function explainMixedCurrencies(
  message: string,
  { checks, tables }: Pick<GuardedStatement, 'checks' | 'tables'>,
): InputError | undefined {
  const start = message.indexOf(MIXED);
  if (start < 0) return undefined;
  const [, number = '0', list = '[]'] = /^ (\d+) (\[.*\])/.exec(message.slice(start + MIXED.length)) ?? [];
  const check = checks[Number(number)] ?? { figure: 'a figure', columns: [], isWindow: false };
  const where = tables.length === 1 ? `table ${tables[0]}` : `tables ${tables.join(', ')}`;
  if (check.unread !== undefined) {
    return new InputError(
      `Not run: it is not known whether this statement makes one figure of several currencies in ${where}. ${check.unread.message}.`,
      check.unread.remedy,
    );
  }
  const found: unknown = JSON.parse(list);
  const codes = (Array.isArray(found) ? found : []).map(String);
  const shown = codes.map((code) => (code === '' ? 'no currency' : isCode(code) ? code : delimit(code, 20)));
  const what = `amounts of ${codes.length} currencies (${shown.join(', ')})`;
  return new InputError(
    `Not run: ${check.figure} would make one figure of ${what} in ${where}.`,
    remedyOf(check, codes.find(isCode) ?? '...'),
  );
}

/** Recommends a statement that is not refused again. */
function remedyOf({ columns, isWindow }: CurrencyCheck, example: string): string {
  const [first, ...others] = columns;
  if (first === undefined)
    return 'Select the column of currencies in the inner SELECT too, and group by it; or choose one currency with WHERE.';
  const chosen = columns.map(({ name, isCurrency }) =>
    isCurrency ? `${name} = '${example}'` : `${name} = ...`,
  );
  const condition = `WHERE ${chosen.join(' AND ')}`;
  if (others.length > 0) return `Choose one currency for all of them: ${condition}.`;
  const parted = isWindow ? `Write PARTITION BY ${first.name} into OVER` : `Group by ${first.name}`;
  return `${parted}, or choose one of them: ${condition}.`;
}

/** Any other value is untrusted text of the service and quoted. */
const isCode = (value: string) => /^[A-Z]{3}$/.test(value);

/** Figures that must share one currency in all rows; two groups that meet become one. */
class CurrencyGroup {
  #joined: CurrencyGroup | undefined;

  root(): CurrencyGroup {
    return this.#joined?.root() ?? this;
  }

  join(other: CurrencyGroup): void {
    const [own, others] = [this.root(), other.root()];
    if (own !== others) own.#joined = others;
  }
}

/** A part of an expression that may be an amount. */
interface AmountTerm {
  /** The SQL of the currency of each row behind it. */
  rows: readonly string[];
  /** The SQL of its currency in its own row; NULL if there is no amount. */
  currencies: readonly string[];
  groups: readonly CurrencyGroup[];
  /** Whether a function computed it from several rows. */
  isFigure: boolean;
  /**
   * Adds the value of a SELECT in parentheses to a group, because its currency is not visible from outside.
   */
  joinGroup?: (group: CurrencyGroup) => void;
}

interface BoundColumn {
  name: string;
  /** Undefined for a column without amounts. @param alias the quoted alias of its table */
  amount: ((alias: string) => AmountTerm) | undefined;
  isLabel: boolean;
}

interface BoundSource {
  /** The alias in lower case, as a statement compares names; undefined if the statement gives none. */
  alias: string | undefined;
  quoted: string;
  columns: readonly BoundColumn[];
  main: ((alias: string) => string) | undefined;
}

interface Scope {
  sources: BoundSource[];
  withTables: ReadonlyMap<string, readonly BoundColumn[] | 'in work'>;
  outer: Scope | undefined;
  /** The columns of SELECT by the names that HAVING and ORDER BY may use for them. */
  aliases: Map<string, TokenRange>;
}

/** The check around a column of SELECT that needs more than the checks within its figures. */
interface ItemGuard {
  currencies: Set<string>;
  groups: CurrencyGroup[];
  label: { key: number; sql: string } | undefined;
  isNeeded: boolean;
}

interface BoundItem {
  /** Undefined for a column from a star. */
  item: SelectItem | undefined;
  name: string;
  terms: readonly AmountTerm[];
  sql: string;
  isLabel: boolean;
  /** The SQL of the currency column that it is, or whose minimum or maximum it is. */
  labelOf: string | undefined;
  guard: ItemGuard;
  /** The amount of a star's column, by the alias of the outer SELECT's table. */
  passed: BoundColumn['amount'];
}

interface FoundColumn {
  source: BoundSource;
  column: BoundColumn;
}

const NO_TERM: AmountTerm = { rows: [], currencies: [], groups: [], isFigure: false };

const columnTerm = (column: string, currency: string): AmountTerm => ({
  ...NO_TERM,
  rows: [currency],
  currencies: [`CASE WHEN ${column} IS NOT NULL THEN coalesce(${currency}, '') END`],
});

class GuardWriter {
  readonly #sql: string;
  readonly #tokens: readonly SqlToken[];
  readonly #tables: ReadonlyMap<string, MoneyTable>;
  readonly #edits: { at: number; isEnd: boolean; text: () => string }[] = [];
  readonly #checks: CurrencyCheck[] = [];
  readonly #groups: CurrencyGroup[] = [];
  readonly #withNames = new Set<string>();
  readonly #recursive = new Set<string>();
  /** Whether a SELECT reads several tables. */
  #isJoined = false;
  #keys = 0;
  #aliases = 0;

  constructor(sql: string, tokens: readonly SqlToken[], tables: ReadonlyMap<string, MoneyTable>) {
    this.#sql = sql;
    this.#tokens = tokens;
    this.#tables = tables;
  }

  /** @throws UnreadSelectError */
  write(): Pick<GuardedStatement, 'sql' | 'checks'> {
    this.#bindQuery(readSelect(this.#tokens), undefined, 'answer');
    const edits = this.#edits
      .map(({ at, isEnd, text }, order) => ({ at, isEnd, text: text(), order }))
      // Ends come before beginnings at the same offset; the innermost edit is written first, so it ends
      // first and begins last.
      .sort(
        (one, other) =>
          one.at - other.at ||
          Number(other.isEnd) - Number(one.isEnd) ||
          (one.isEnd ? one.order - other.order : other.order - one.order),
      );
    const written = edits.map(({ text }) => text).join('');
    for (const name of this.#withNames) {
      if (written.includes(`FROM ${quoteIdentifier(name)} AS __owner`)) {
        throw new UnreadSelectError(
          'A WITH table has the name of the table that tells the currency',
          'Give the WITH table another name.',
        );
      }
    }
    let sql = '';
    let last = 0;
    for (const { at, text } of edits) {
      sql += this.#sql.slice(last, at) + text;
      last = at;
    }
    if (sql.length > MAX_GUARDED_CHARACTERS)
      throw new UnreadSelectError('The statement becomes too long', 'Ask in two steps.');
    return { sql: sql + this.#sql.slice(last), checks: this.#checks };
  }

  // This part finds the columns that SELECTs return, and the currency of each.

  /** @param names the names of its columns, if a WITH table lists them */
  #bindQuery(
    query: SelectQuery,
    outer: Scope | undefined,
    role: QueryRole,
    names?: readonly string[],
  ): BoundColumn[] {
    const withTables = new Map(outer?.withTables);
    const around: Scope = { sources: [], withTables, outer, aliases: new Map() };
    for (const { name, columns: listed, query: body } of query.withTables) {
      this.#withNames.add(name);
      withTables.set(name, 'in work');
      const names = listed?.map((at) => this.#nameOf(at));
      const columns = this.#bindQuery(body, around, 'source', names);
      if (this.#recursive.has(name) && columns.some(({ amount }) => amount !== undefined)) {
        throw new UnreadSelectError(
          'A WITH table adds amounts to its own rows',
          'Let the recursive WITH table make rows without amounts, and join the amounts outside of it.',
        );
      }
      withTables.set(name, columns);
    }
    const bound = query.cores.map((core) => this.#bindCore(core, around));
    const [first] = bound;
    if (bound.length === 1 && first !== undefined) this.#terms(query.tail, first.scope);
    const cores = bound.map(({ items }) =>
      names === undefined
        ? items
        : items.map((item, at) => ({ ...item, name: names[at] ?? item.name, passed: undefined })),
    );
    return this.#joinCores(cores, role);
  }

  #bindCore(core: SelectCore, around: Scope): { items: BoundItem[]; scope: Scope } {
    const scope: Scope = { sources: [], withTables: around.withTables, outer: around, aliases: new Map() };
    this.#isJoined ||= core.sources.length > 1;
    for (const source of core.sources) scope.sources.push(this.#bindSource(source, around, scope));
    const used = new Map<string, number>();
    const items = core.items.flatMap((item) => this.#bindItem(item, scope, used));
    for (const range of core.rest) this.#terms(range, scope);
    return { items, scope };
  }

  #bindSource({ kind, name, query, alias, end }: TableSource, around: Scope, inner: Scope): BoundSource {
    if (query !== undefined) {
      const columns = this.#bindQuery(query, around, 'source');
      if (alias !== undefined) return sourceOf(this.#nameOf(alias), columns);
      this.#aliases += 1;
      const own = `${UNNAMED}${this.#aliases}`;
      this.#insert({ at: this.#tokens[end]?.end, isEnd: true, text: () => ` AS ${own}` });
      return { ...sourceOf(own, columns), alias: undefined };
    }
    if (name === undefined) throw new UnreadSelectError('A table has no name');
    const called = this.#tokens[name]?.text ?? '';
    const source = sourceOf(this.#nameOf(alias ?? name), []);
    if (kind === 'function') return { ...source, columns: jsonColumns(inner) };
    const isQualified = isSign(this.#tokens[name - 1], '.');
    const defined = isQualified ? undefined : around.withTables.get(called);
    if (defined === 'in work') this.#recursive.add(called);
    if (defined !== undefined) return { ...source, columns: defined === 'in work' ? [] : defined };
    const table = this.#tables.get(called);
    if (table === undefined) return source;
    const columns = table.columns.map((column): BoundColumn => {
      const currency = table.money.get(column);
      const amount =
        currency === undefined
          ? undefined
          : (of: string) => columnTerm(`${of}.${quoteIdentifier(column)}`, currency(of));
      return { name: column, amount, isLabel: table.labels.has(column) };
    });
    return { ...source, columns, main: table.main };
  }

  #bindItem(item: SelectItem, scope: Scope, used: Map<string, number>): BoundItem[] {
    if (item.isStar) return this.#bindStar(item, scope, used);
    const { from, to, alias } = item;
    const plain = this.#plainColumn(item, scope);
    const name = alias === undefined ? (plain?.column.name ?? this.#textOf(item)) : this.#nameOf(alias);
    const edits = this.#edits.length;
    const terms = this.#terms(item, scope);
    const hasEdits = this.#edits.length > edits;
    scope.aliases.set(name.toLowerCase(), { from, to });
    used.set(name, (used.get(name) ?? 0) + 1);
    const guard: ItemGuard = { currencies: new Set(), groups: [], label: undefined, isNeeded: false };
    this.#writeItem(item, name, terms, guard, hasEdits);
    return [
      {
        item,
        name,
        terms,
        sql: this.#textOf(item),
        isLabel: terms.length === 0 && this.#isLabel(item, name, scope),
        labelOf: this.#labelOf(item, scope),
        guard,
        passed: undefined,
      },
    ];
  }

  /** Expands a star; columns of the same name are distinguished as in SQLite. */
  #bindStar({ from, to }: SelectItem, scope: Scope, used: Map<string, number>): BoundItem[] {
    const only = to - from === 3 ? this.#tokens[from]?.text : undefined;
    const sources = scope.sources.filter(({ alias }) => only === undefined || alias === only);
    return sources.flatMap(({ quoted, columns }) => {
      const taken = columns.map(({ name }) => name).filter((name) => used.has(name));
      return columns.map(({ name, amount, isLabel }): BoundItem => {
        const times = used.get(name) ?? 0;
        used.set(name, times + 1);
        const term = amount?.(quoted);
        // A currency column keeps its own name outside, unless another column has that name.
        const isHidden = taken.some((one) =>
          term?.rows.some((row) => row.includes(`.${quoteIdentifier(one)}`) || row.includes(`.${one}`)),
        );
        return {
          item: undefined,
          name: times === 0 ? name : `${name}:${times}`,
          terms: term === undefined ? [] : [term],
          sql: `${quoted}.${quoteIdentifier(name)}`,
          isLabel,
          labelOf: isLabel ? `${quoted}.${quoteIdentifier(name)}` : undefined,
          guard: { currencies: new Set(), groups: [], label: undefined, isNeeded: false },
          passed: isHidden || times > 0 ? undefined : amount,
        };
      });
    });
  }

  #isLabel(item: SelectItem, name: string, scope: Scope): boolean {
    const isNamed = isCurrencyName(name.toLowerCase());
    return isNamed || this.#namesIn(item).some((at) => this.#find(at, scope)?.column.isLabel === true);
  }

  #labelOf(item: SelectItem, scope: Scope): string | undefined {
    const { from, to } = item;
    const isExtreme = EXTREMES.has(this.#tokens[from]?.text ?? '') && isSign(this.#tokens[from + 1], '(');
    const isWhole = isExtreme && closeOf(this.#tokens, from + 1) === to - 1;
    const found = this.#plainColumn(isWhole ? { from: from + 2, to: to - 1 } : { from, to }, scope);
    const isCurrency = found?.column.isLabel === true && !MARKETPLACE_NAMES.has(found.column.name);
    return isCurrency ? `${found.source.quoted}.${quoteIdentifier(found.column.name)}` : undefined;
  }

  /** Returns the columns of connected SELECTs, column by column. */
  #joinCores(cores: readonly (readonly BoundItem[])[], role: QueryRole): BoundColumn[] {
    const hasAmounts = cores.some((core) => core.some(({ terms }) => terms.length > 0));
    if (hasAmounts && new Set(cores.map(({ length }) => length)).size > 1) {
      throw new UnreadSelectError('SELECTs that are connected have not the same columns');
    }
    for (const core of cores) for (const item of core) this.#guardItem(item);
    if (role === 'answer') for (const core of cores) guardLabels(core);
    const [first = []] = cores;
    return first.map(({ name }, at): BoundColumn => {
      const items = cores.flatMap((core) => core[at] ?? []);
      const isLabel = first[at]?.isLabel === true;
      if (items.every(({ terms }) => terms.length === 0)) return { name, amount: undefined, isLabel };
      return { name, isLabel: false, amount: this.#amountOf(at, cores, role) };
    });
  }

  /** Returns the facts about a column's currency that are known outside. */
  #amountOf(at: number, cores: readonly (readonly BoundItem[])[], role: QueryRole): BoundColumn['amount'] {
    const items = cores.flatMap((core) => core[at] ?? []);
    if (role === 'answer') return () => NO_TERM;
    if (role === 'value') {
      const joinGroup = (group: CurrencyGroup) => joinItems(items, group);
      return () => ({ ...NO_TERM, joinGroup });
    }
    const [only] = items;
    if (cores.length === 1 && only?.passed !== undefined) return only.passed;
    const [first = []] = cores;
    const isOf = (label: number) =>
      cores.every((core) => {
        const rows = core[at]?.terms.flatMap((term) => term.rows) ?? [];
        const labelOf = core[label]?.labelOf;
        return labelOf !== undefined && rows.every((row) => row === labelOf);
      });
    // The first SELECT provides the names.
    const labels = [...first.keys()].filter(
      (label) => first[label]?.isLabel === true && cores.every((core) => core[label]?.terms.length === 0),
    );
    const exact = labels.find(isOf);
    const label = exact ?? labels[0];
    if (label === undefined) {
      const group = new CurrencyGroup();
      joinItems(items, group);
      return () => ({ ...NO_TERM, groups: [group] });
    }
    this.#keys += 1;
    for (const core of cores) {
      const [item, named] = [core[at], core[label]];
      if (item === undefined || named === undefined || item.terms.length === 0) continue;
      const isSameRow = exact !== undefined && item.terms.every(({ isFigure }) => !isFigure);
      if (isSameRow && named.sql === named.labelOf) continue;
      if (isSameRow && named.item !== undefined && this.#isPlain(named.item)) continue;
      useGuard(item);
      if (exact === undefined) item.guard.label = { key: this.#keys, sql: named.sql };
      else item.guard.currencies.add(`coalesce(${named.sql}, '')`);
    }
    const name = first[label]?.name ?? '';
    const own = first[at]?.name ?? '';
    return (of) => columnTerm(`${of}.${quoteIdentifier(own)}`, `${of}.${quoteIdentifier(name)}`);
  }

  /** Checks that several amounts of one column have the same currency in each row. */
  #guardItem(item: BoundItem): void {
    const { terms, item: written } = item;
    const currencies = new Set(terms.flatMap((term) => term.currencies));
    const groups = terms.flatMap((term) => term.groups);
    const values = terms.filter(({ joinGroup }) => joinGroup !== undefined);
    if (written === undefined || currencies.size + new Set(groups).size + values.length < 2) return;
    useGuard(item);
    if (groups.length + values.length > 0) item.guard.groups.push(groupOf(terms));
  }

  #writeItem(
    item: SelectItem,
    name: string,
    terms: readonly AmountTerm[],
    guard: ItemGuard,
    hasEdits: boolean,
  ): void {
    const { from, to, alias } = item;
    const check = this.#addCheck(this.#textOf(item), terms);
    const head = () => {
      const key = guard.label === undefined ? 'NULL, NULL' : `${guard.label.key}, ${guard.label.sql}`;
      return `${ONE_CURRENCY}(${check}, ${this.#groupNumber(guard.groups)}, ${key}, `;
    };
    const tail = () => [...guard.currencies].map((currency) => `, ${currency}`).join('');
    this.#insert({
      at: this.#tokens[from]?.start,
      isEnd: false,
      text: () => (guard.isNeeded ? head() : ''),
    });
    this.#insert({
      at: this.#tokens[to - 1]?.end,
      isEnd: true,
      text: () => {
        const named =
          alias === undefined && (guard.isNeeded || hasEdits) ? ` AS ${quoteIdentifier(name)}` : '';
        return (guard.isNeeded ? `${tail()})` : '') + named;
      },
    });
  }

  // This part finds the amounts in expressions.

  /** Returns the amounts of all expressions in the range. */
  #terms(range: TokenRange, scope: Scope): AmountTerm[] {
    return splitAtCommas(this.#tokens, range).flatMap((part) => this.#termsOfOne(part, scope));
  }

  #termsOfOne({ from, to }: TokenRange, scope: Scope): AmountTerm[] {
    const isTruth = this.#compares({ from, to });
    const terms: AmountTerm[] = [];
    /** Whether a condition is being read, for each open CASE. */
    const conditions: boolean[] = [];
    const add = (found: readonly AmountTerm[]) => {
      if (!isTruth && !conditions.includes(true)) terms.push(...found);
    };
    for (let at = from; at < to; at++) {
      const token = this.#tokens[at];
      if (isWord(token, 'case')) conditions.push(true);
      else if (isWord(token, 'when')) conditions[conditions.length - 1] = true;
      else if (isWord(token, 'then') || isWord(token, 'else')) conditions[conditions.length - 1] = false;
      else if (isWord(token, 'end')) conditions.pop();
      else if (isSign(token, '(')) {
        const close = closeOf(this.#tokens, at);
        add(this.#termsInside({ from: at, to: close }, scope));
        at = close;
      } else if (this.#isCall(at)) {
        const call = this.#readCall(at, to);
        add(this.#termsOfCall(call, scope));
        at = call.end - 1;
      } else if (isNameToken(token) && !isSign(this.#tokens[at + 1], '.')) {
        add(this.#termsOfName(at, scope));
      }
    }
    return terms;
  }

  /** @param range starts at a parenthesis and extends to its end */
  #termsInside({ from, to }: TokenRange, scope: Scope): AmountTerm[] {
    if (!opensQuery(this.#tokens, from)) return this.#terms({ from: from + 1, to }, scope);
    const [column] = this.#bindQuery(readQuery(this.#tokens, { from: from + 1, to }), scope, 'value');
    const isTested = isWord(this.#tokens[from - 1], 'in') || isWord(this.#tokens[from - 1], 'exists');
    return isTested || column?.amount === undefined ? [] : [column.amount('')];
  }

  #termsOfName(at: number, scope: Scope): AmountTerm[] {
    const found = this.#find(at, scope);
    if (found !== undefined) {
      const { source, column } = found;
      return column.amount === undefined ? [] : [column.amount(source.quoted)];
    }
    const named = scope.aliases.get(this.#tokens[at]?.text ?? '');
    if (named === undefined || isSign(this.#tokens[at - 1], '.')) return [];
    // The columns of SELECT were read before: only their amounts matter here, and nothing is written.
    return this.#withoutEdits(() => this.#terms(named, { ...scope, aliases: new Map() }));
  }

  #termsOfCall(call: CallParts, scope: Scope): AmountTerm[] {
    const { name, args, suffix } = call;
    this.#terms(suffix, scope);
    const isFigure = FIGURES.has(name) && !(EXTREMES.has(name) && this.#parts(args).length > 1);
    if (isFigure) return this.#termsOfFigure(call, scope);
    const [first, ...rest] = this.#parts(args).map((part) => this.#termsOfOne(part, scope));
    if (NO_AMOUNT.has(name)) return [];
    if (name === 'iif' || name === 'if') return rest.flat();
    const all = [...(first ?? []), ...rest.flat()];
    if (!OF_ANOTHER_ROW.has(name)) return all;
    const [argument, ...others] = this.#parts(args).map((part) => this.#textOf(part));
    if (argument === undefined) return all;
    const behind = others.map((other) => `, ${other}`).join('');
    return (first ?? []).map((term) => ({
      ...term,
      isFigure: true,
      currencies: term.currencies.map((one) => `${name}(${one}${behind})${this.#suffixOf(suffix)}`),
    }));
  }

  #termsOfFigure({ name, args, text, suffix }: CallParts, scope: Scope): AmountTerm[] {
    const [given] = this.#parts(args);
    if (given === undefined) return [];
    const isCounted = isWord(this.#tokens[given.from], 'distinct') || isWord(this.#tokens[given.from], 'all');
    const first = { from: given.from + (isCounted ? 1 : 0), to: given.to };
    const inner = this.#termsOfOne(first, scope);
    if (inner.length === 0) return [];
    const argument = this.#textOf(first);
    const choosesCurrency =
      SUMS.has(name) && this.#namesIn(first).some((at) => this.#find(at, scope)?.column.isLabel === true);
    const isThere = choosesCurrency ? `(${argument}) <> 0` : `(${argument}) IS NOT NULL`;
    const rows = inner.flatMap((term) =>
      term.isFigure ? term.currencies : term.rows.map((row) => `coalesce(${row}, '')`),
    );
    const tail = this.#suffixOf(suffix);
    // Aggregates min and max would choose the row of bare columns beside them, so they are avoided. In a
    // window they choose none, and group_concat with DISTINCT is not allowed there.
    const isWindow = this.#tokens.slice(suffix.from, suffix.to).some((token) => isWord(token, 'over'));
    const kinds = isWindow ? ['min(', 'max('] : ['group_concat(DISTINCT '];
    const cases = [...new Set(rows)].map((row) => `CASE WHEN ${isThere} THEN ${row} END)${tail}`);
    const all = cases.flatMap((one) => kinds.map((kind) => `${kind}${one}`));
    const isGrouped = inner.some(({ groups, joinGroup }) => groups.length > 0 || joinGroup !== undefined);
    const groups = isGrouped ? [groupOf(inner)] : [];
    const term: AmountTerm = {
      rows: [...new Set(inner.flatMap((one) => one.rows))],
      currencies: cases.map((one) => `${kinds[0]}${one}`),
      groups,
      isFigure: true,
    };
    const check = this.#addCheck(this.#textOf(text), inner);
    this.#insert({
      at: this.#tokens[text.from]?.start,
      isEnd: false,
      text: () => `${ONE_CURRENCY}(${check}, ${this.#groupNumber(groups)}, NULL, NULL, `,
    });
    const list = all.map((one) => `, ${one}`).join('');
    this.#insert({ at: this.#tokens[text.to - 1]?.end, isEnd: true, text: () => `${list})` });
    return [term];
  }

  #isCall(at: number): boolean {
    const token = this.#tokens[at];
    if (token === undefined || !isNameToken(token) || !isSign(this.#tokens[at + 1], '(')) return false;
    return token.kind === 'name' || !NO_FUNCTION.has(token.text);
  }

  /** Reads a function with its arguments, FILTER and OVER. */
  #readCall(at: number, limit: number): CallParts {
    const open = at + 1;
    const close = closeOf(this.#tokens, open);
    let end = close + 1;
    if (end < limit && isWord(this.#tokens[end], 'filter') && isSign(this.#tokens[end + 1], '(')) {
      end = closeOf(this.#tokens, end + 1) + 1;
    }
    if (end < limit && isWord(this.#tokens[end], 'over')) {
      end = isSign(this.#tokens[end + 1], '(') ? closeOf(this.#tokens, end + 1) + 1 : end + 2;
    }
    return {
      name: this.#tokens[at]?.text ?? '',
      args: { from: open + 1, to: close },
      suffix: { from: close + 1, to: end },
      text: { from: at, to: end },
      end,
    };
  }

  /** Returns true for an expression whose outermost operators give true or false. */
  #compares({ from, to }: TokenRange): boolean {
    const depth = this.#tokens[from]?.depth;
    let cases = 0;
    for (let at = from; at < to; at++) {
      const token = this.#tokens[at];
      if (token === undefined || token.depth !== depth) continue;
      if (isWord(token, 'case')) cases += 1;
      else if (isWord(token, 'end')) cases -= 1;
      else if (cases > 0) continue;
      else if (token.kind === 'word' && COMPARES.has(token.text) && !isSign(this.#tokens[at - 1], '.')) {
        return true;
      } else if (token.kind === 'sign' && COMPARISON_SIGNS.has(token.text) && !this.#isOfTwo(at)) return true;
    }
    return false;
  }

  /** Returns true for a sign of `->`, `->>`, `<<` or `>>`, which compare nothing. */
  #isOfTwo(at: number): boolean {
    const touches = (one: number, other: number) => this.#tokens[one]?.end === this.#tokens[other]?.start;
    const [before, here, behind] = [this.#tokens[at - 1], this.#tokens[at], this.#tokens[at + 1]];
    const isBehind = touches(at - 1, at) && before?.kind === 'sign';
    const isBefore = touches(at, at + 1) && behind?.kind === 'sign';
    if (here?.text === '>' && isBehind && before.text === '-') return true;
    const isDouble = here?.text === '<' || here?.text === '>';
    return isDouble && ((isBehind && before.text === here.text) || (isBefore && behind.text === here.text));
  }

  // This part resolves names and texts.

  #find(at: number, scope: Scope | undefined): FoundColumn | undefined {
    if (scope === undefined) return undefined;
    const name = this.#tokens[at]?.text;
    const table = isSign(this.#tokens[at - 1], '.') ? this.#tokens[at - 2]?.text : undefined;
    for (const source of scope.sources) {
      if (table !== undefined && source.alias !== table) continue;
      const column = source.columns.find((one) => one.name.toLowerCase() === name);
      if (column !== undefined) return { source, column };
    }
    return this.#find(at, scope.outer);
  }

  #isPlain({ from, to }: TokenRange): boolean {
    return (
      (to - from === 1 && isNameToken(this.#tokens[from])) ||
      (to - from === 3 && isSign(this.#tokens[from + 1], '.'))
    );
  }

  /** Returns the column if the range is nothing but its name. */
  #plainColumn(range: TokenRange, scope: Scope): FoundColumn | undefined {
    return this.#isPlain(range) ? this.#find(range.to - 1, scope) : undefined;
  }

  #namesIn({ from, to }: TokenRange): number[] {
    return Array.from({ length: to - from }, (_, i) => from + i).filter((at) =>
      isNameToken(this.#tokens[at]),
    );
  }

  #parts = (range: TokenRange) => splitAtCommas(this.#tokens, range);

  #textOf({ from, to }: TokenRange): string {
    return this.#sql.slice(this.#tokens[from]?.start, this.#tokens[to - 1]?.end);
  }

  #suffixOf(range: TokenRange): string {
    return range.from < range.to ? ` ${this.#textOf(range)}` : '';
  }

  /** Returns the name as written, without its quotes. */
  #nameOf(at: number): string {
    const { start, end, kind } = this.#tokens[at] ?? {};
    const raw = this.#sql.slice(start, end);
    if (kind === 'word') return raw;
    const quote = raw.charAt(0);
    const bare = raw.slice(1, -1);
    return quote === '[' ? bare : bare.replaceAll(quote + quote, quote);
  }

  // This part collects the edits.

  #insert({ at, isEnd, text }: { at: number | undefined; isEnd: boolean; text: () => string }): void {
    if (at === undefined) throw new UnreadSelectError('A part of the statement is empty');
    this.#edits.push({ at, isEnd, text });
  }

  #withoutEdits<Result>(read: () => Result): Result {
    const { length } = this.#edits;
    const result = read();
    this.#edits.length = length;
    return result;
  }

  #addCheck(figure: string, terms: readonly AmountTerm[]): number {
    const columns = new Map(
      terms
        .flatMap(({ rows }) => rows)
        .flatMap((row) => this.#currencyColumn(row) ?? [])
        .map((column) => [column.name, column]),
    );
    const shown = figure.replace(/\s+/g, ' ');
    this.#checks.push({
      figure: shortenToCharacters(shown, MAX_FIGURE_CHARACTERS),
      columns: [...columns.values()],
      isWindow: /\bover\b/i.test(figure),
    });
    return this.#checks.length - 1;
  }

  /** Qualifies a column with its table if there are several tables, because they may share column names. */
  #currencyColumn(row: string): CurrencyColumn | undefined {
    const [, of = '', name] = COLUMN_AT_END.exec(row) ?? [];
    if (name === undefined) return undefined;
    const isNamed = this.#isJoined && !of.startsWith(UNNAMED);
    const parts = isNamed ? [of, name] : [name];
    const written = parts.map((part) => (PLAIN_NAME.test(part) ? part : quoteIdentifier(part)));
    return { name: written.join('.'), isCurrency: !row.endsWith(')') };
  }

  #groupNumber(groups: readonly CurrencyGroup[]): string {
    const [first, ...others] = groups;
    if (first === undefined) return 'NULL';
    for (const other of others) first.join(other);
    const root = first.root();
    const known = this.#groups.indexOf(root);
    return String(known >= 0 ? known : this.#groups.push(root) - 1);
  }
}

type QueryRole = 'answer' | 'source' | 'value';

interface CallParts {
  name: string;
  args: TokenRange;
  suffix: TokenRange;
  /** The range of the whole call. */
  text: TokenRange;
  end: number;
}

/** Matches `"o"."currency"` and `__currency_of("o"."marketplace")`. */
const COLUMN_AT_END = /"([^"]+)"\."([^"]+)"\)?$/;

const PLAIN_NAME = /^[a-z_]\w*$/i;

/** The prefix of aliases for tables to which the statement gives none. */
const UNNAMED = '__guarded_';

const MAX_FIGURE_CHARACTERS = 80;

/** The engine takes a million; a rewritten statement has a few times its original length. */
const MAX_GUARDED_CHARACTERS = 500_000;

const sourceOf = (alias: string, columns: readonly BoundColumn[]): BoundSource => ({
  alias: alias.toLowerCase(),
  quoted: quoteIdentifier(alias),
  columns,
  main: undefined,
});

/** Treats the values of a JSON list as possible amounts of the tables before it. */
function jsonColumns({ sources }: Scope): BoundColumn[] {
  const owners = sources.flatMap(({ main, quoted }) => (main === undefined ? [] : [main(quoted)]));
  if (owners.length === 0) return [];
  return [...JSON_VALUES].map((name) => ({
    name,
    isLabel: false,
    amount: (of) => {
      const terms = owners.map((currency) => columnTerm(`${of}.${name}`, currency));
      return {
        ...NO_TERM,
        rows: terms.flatMap(({ rows }) => rows),
        currencies: terms.flatMap(({ currencies }) => currencies),
      };
    },
  }));
}

function useGuard(bound: BoundItem): void {
  if (bound.item === undefined)
    throw new UnreadSelectError(
      'A star brings an amount without its currency',
      'Name the columns instead of *, and select the column of currencies too.',
    );
  bound.guard.isNeeded = true;
  for (const { currencies, groups } of bound.terms) {
    for (const currency of currencies) bound.guard.currencies.add(currency);
    bound.guard.groups.push(...groups);
  }
}

function joinItems(items: readonly BoundItem[], group: CurrencyGroup): void {
  for (const item of items) {
    if (item.terms.length === 0) continue;
    useGuard(item);
    item.guard.groups.push(group);
    for (const { joinGroup } of item.terms) joinGroup?.(group);
  }
}

/** Joins the groups of all terms into one. */
function groupOf(terms: readonly AmountTerm[]): CurrencyGroup {
  const group = new CurrencyGroup();
  for (const { groups, joinGroup } of terms) {
    for (const other of groups) group.join(other);
    joinGroup?.(group);
  }
  return group;
}

/** Checks in an answer that a currency beside a figure is that of the figure. */
function guardLabels(items: readonly BoundItem[]): void {
  const labels = items.filter(({ labelOf }) => labelOf !== undefined);
  for (const item of items) {
    if (item.item === undefined || !item.terms.some(({ isFigure }) => isFigure)) continue;
    const rows = new Set(item.terms.flatMap((term) => term.rows));
    const own = labels.filter(({ labelOf = '' }) => rows.has(labelOf));
    const [label, ...others] = own.length > 0 ? own : labels;
    if (label === undefined || others.length > 0) continue;
    useGuard(item);
    item.guard.currencies.add(`coalesce(${label.sql}, '')`);
  }
}
