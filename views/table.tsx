/**
 * A table of any length: only the rows in sight are in the document, told with their places to screen readers. It sorts
 * by a column's heading, finds text in all rows, filters by what columns hold, and opens a row; a list to choose from
 * has boxes. All rows together are one stop of the Tab key: the arrow keys go from row to row, and within a row. Printed,
 * it has all its rows, up to a number, and says what is missing.
 */

import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import { type ComponentChildren, options as preact } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { compare, formatNumber, plural, type Sortable, visible } from './format.ts';
import { Text } from './parts.tsx';

export interface Column<Row> {
  /** Unique within the table. */
  name: string;
  label: string;
  /** The value for sorting and search, which is also shown if there is no `cell`. */
  value(row: Row): Sortable;
  cell?(row: Row): ComponentChildren;
  /** Numbers stand at the end, so that their digits stand below each other. */
  isNumber?: boolean;
  /** Left out where there is little room. */
  isMinor?: boolean;
  /** How much of the width it takes beside the others: 1 where left out. */
  width?: number;
  /** A choice above the table, of the values that there are; from its words to its rows. */
  filter?(row: Row): string | readonly string[] | null;
}

export interface TableProps<Row> {
  /** The caption, which is shown above the table and read by screen readers. */
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** Opens the row when its first column is clicked. */
  onOpen?: ((row: Row) => void) | undefined;
  /** The initial order of the rows; their own order if absent. */
  sort?: Sort | undefined;
  /** The initial filters, from column to value; a change of them resets the filters. */
  chosen?: Readonly<Record<string, string>> | undefined;
  /** Columns keep their width, and are scrolled to; else they share what there is. */
  isWide?: boolean | undefined;
  /** A row is as high as its texts, so that nothing of them is cut. */
  isWhole?: boolean | undefined;
  /** Rows that are marked; boxes are shown for them. */
  marked?: ReadonlySet<string> | undefined;
  onMark?: ((keys: readonly string[], isMarked: boolean) => void) | undefined;
  /** More that belongs beside the filters. */
  children?: ComponentChildren;
}

export interface Sort {
  column: string;
  descending: boolean;
}

/** That are printed, and stand in a saved file's print. */
const MAX_PRINTED = 2_000;

/** Rows kept in the document beyond what is seen, so that a key or a turn of the wheel finds them there. */
const OVERSCAN = 8;

/** The height of a row in root ems, the same as in the style sheet. */
const ROW_HEIGHT = { wide: 2.75, narrow: 4.75 };
const NARROW = '(max-width: 44rem)';

const ALL = '';

export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, columns, rowKey, onOpen, chosen, marked, onMark, children } = props;
  const { isWide = false, isWhole = false } = props;
  const [sort, setSort] = useState<Sort | undefined>(props.sort);
  const [text, setText] = useState('');
  const [filters, setFilters] = useState<Readonly<Record<string, string>>>(chosen ?? {});
  useEffect(() => {
    if (chosen !== undefined) setFilters(chosen);
  }, [chosen]);

  const index = useMemo(() => createIndex(columns, rows), [columns, rows]);
  const choices = useChoices(columns, rows, index);
  const found = useMemo(() => index.find(text, filters), [index, text, filters]);
  const shown = useMemo(() => index.sort(found, sort), [index, found, sort]);

  const turn = (column: Column<Row>) =>
    setSort((before) => ({
      column: column.name,
      descending: before?.column === column.name ? !before.descending : column.isNumber === true,
    }));
  const isAllMarked =
    marked !== undefined && shown.length > 0 && shown.every((row) => marked.has(rowKey(row)));
  return (
    <section class="table">
      <div class="tools">
        <label class="find">
          <span>Find</span>
          <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        {choices.map(({ column, values }) => (
          <label key={column.name}>
            <span>{column.label}</span>
            <select
              value={filters[column.name] ?? ALL}
              onChange={({ currentTarget: { value } }) => setFilters({ ...filters, [column.name]: value })}
            >
              <option value={ALL}>All</option>
              {values.map(({ value, count }) => (
                <option key={value} value={value}>
                  {`${visible(value)} (${formatNumber(count)})`}
                </option>
              ))}
            </select>
          </label>
        ))}
        {children}
        <p role="status" class="count">
          {shown.length === rows.length
            ? plural(rows.length, 'row')
            : `${formatNumber(shown.length)} of ${plural(rows.length, 'row')}`}
          {text !== '' || Object.values(filters).some((value) => value !== ALL) ? (
            <button
              type="button"
              class="link"
              onClick={() => {
                setText('');
                setFilters({});
              }}
            >
              Show all
            </button>
          ) : undefined}
        </p>
      </div>
      <Rows
        {...{ caption, columns, shown, rowKey, onOpen, marked, onMark, isWide, isWhole, sort, turn }}
        markAll={
          onMark === undefined
            ? undefined
            : { isMarked: isAllMarked, mark: () => onMark(shown.map(rowKey), !isAllMarked) }
        }
      />
    </section>
  );
}

/** The parts of a row that can be used: its box, and its name, which opens it. */
type RowPart = 'mark' | 'name';
const PART_SELECTORS: Readonly<Record<RowPart, string>> = { mark: '.mark input', name: '.name' };

interface RowsProps<Row>
  extends Pick<
    TableProps<Row>,
    'caption' | 'columns' | 'rowKey' | 'onOpen' | 'marked' | 'onMark' | 'isWide' | 'isWhole'
  > {
  shown: readonly Row[];
  sort: Sort | undefined;
  turn(column: Column<Row>): void;
  markAll: { isMarked: boolean; mark(): void } | undefined;
}

function Rows<Row>({
  caption,
  isWide,
  isWhole = false,
  columns,
  shown,
  rowKey,
  onOpen,
  marked,
  onMark,
  sort,
  turn,
  markAll,
}: RowsProps<Row>) {
  const scroller = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<number | undefined>();
  const [part, setPart] = useState<RowPart>('name');
  const isPrinting = usePrinting();
  const height = useRowHeight(isWide === true);
  const virtual = useVirtual(scroller, { count: shown.length, height, focused, isWhole });
  const inSight = isPrinting
    ? shown.slice(0, MAX_PRINTED).map((_, index) => ({ index, start: 0 }))
    : virtual.getVirtualItems();
  const left = shown.length - MAX_PRINTED;
  /** The row that the Tab key goes to. */
  const stop = focused !== undefined && focused < shown.length ? focused : inSight[0]?.index;

  const focusOn = (row: number, on: RowPart) => {
    scroller.current
      ?.querySelector<HTMLElement>(`[data-at="${row}"] ${PART_SELECTORS[on]}`)
      ?.focus({ preventScroll: true });
  };
  /** The arrow keys go from row to row, whether it is in the document already or not. */
  const step = (event: KeyboardEvent, at: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (onMark !== undefined && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      focusOn(at, event.key === 'ArrowLeft' ? 'mark' : 'name');
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? height) / height) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: shown.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setFocused(next);
    virtual.scrollToIndex(next);
    requestAnimationFrame(() => focusOn(next, part));
  };

  const tracks = [
    ...(markAll === undefined ? [] : ['2.5rem']),
    ...columns.map(({ width = 1 }) => `minmax(${isWide ? '9rem' : '0'},${width}fr)`),
  ].join(' ');
  return (
    <>
      <section
        class={`scroller${isWide ? ' wide' : ''}${isWhole ? ' whole-rows' : ''}`}
        ref={scroller}
        tabIndex={0}
        aria-label={caption}
      >
        <table role="table" aria-rowcount={shown.length + 1} style={{ '--tracks': tracks }}>
          <caption class="unseen">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
              {markAll === undefined ? undefined : (
                <th role="columnheader" scope="col" class="mark">
                  <input
                    type="checkbox"
                    aria-label="Mark all that are shown"
                    checked={markAll.isMarked}
                    onChange={markAll.mark}
                  />
                </th>
              )}
              {columns.map((column) => (
                <th
                  key={column.name}
                  role="columnheader"
                  scope="col"
                  class={classOf(column)}
                  aria-sort={
                    sort?.column !== column.name ? undefined : sort.descending ? 'descending' : 'ascending'
                  }
                >
                  <button type="button" onClick={() => turn(column)}>
                    {column.label}
                    <span class="arrow" aria-hidden="true">
                      {sort?.column !== column.name ? '' : sort.descending ? '↓' : '↑'}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" style={isPrinting ? undefined : { height: `${virtual.getTotalSize()}px` }}>
            {inSight.map(({ index, start }) => {
              const row = shown[index];
              if (row === undefined) return undefined;
              const key = rowKey(row);
              return (
                <tr
                  key={key}
                  role="row"
                  data-at={index}
                  ref={isWhole && !isPrinting ? virtual.measureElement : undefined}
                  aria-rowindex={index + 2}
                  class={marked?.has(key) ? 'marked' : undefined}
                  style={
                    isPrinting
                      ? undefined
                      : {
                          transform: `translateY(${start}px)`,
                          [isWhole ? 'min-height' : 'height']: `${height}px`,
                        }
                  }
                  onFocusIn={({ target }) => {
                    setFocused(index);
                    setPart(target instanceof HTMLInputElement ? 'mark' : 'name');
                  }}
                  onKeyDown={(event) => step(event, index)}
                >
                  {onMark === undefined ? undefined : (
                    <td role="cell" class="mark">
                      <input
                        type="checkbox"
                        tabIndex={index === stop && part === 'mark' ? 0 : -1}
                        aria-label={`Mark ${visible(String(columns[0]?.value(row) ?? ''))}`}
                        checked={marked?.has(key)}
                        onChange={({ currentTarget }) => onMark([key], currentTarget.checked)}
                      />
                    </td>
                  )}
                  {columns.map((column, at) => (
                    <Cell
                      key={column.name}
                      column={column}
                      row={row}
                      onOpen={at === 0 ? onOpen : undefined}
                      isStop={index === stop && (onMark === undefined || part === 'name')}
                      isWhole={isWhole}
                    />
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 ? <p class="soft none">Nothing here. Change what is looked for.</p> : undefined}
      </section>
      {isPrinting && left > 0 ? (
        <p>{`${plural(left, 'row')} more: ${formatNumber(MAX_PRINTED)} are printed. Filter them, or ask for a file of rows.`}</p>
      ) : undefined}
    </>
  );
}

function Cell<Row>({
  column,
  row,
  onOpen,
  isStop,
  isWhole,
}: {
  column: Column<Row>;
  row: Row;
  onOpen: ((row: Row) => void) | undefined;
  isStop: boolean;
  isWhole: boolean;
}) {
  const value = column.value(row);
  const shown =
    column.cell?.(row) ??
    (value === null ? (
      <span class="soft">–</span>
    ) : typeof value === 'number' ? (
      formatNumber(value)
    ) : (
      <Text of={value} whole={isWhole} />
    ));
  return (
    <td role="cell" class={classOf(column)} data-label={column.label}>
      {onOpen === undefined ? (
        shown
      ) : (
        <button type="button" class="name" tabIndex={isStop ? 0 : -1} onClick={() => onOpen(row)}>
          {shown}
        </button>
      )}
    </td>
  );
}

const classOf = ({
  isNumber = false,
  isMinor = false,
}: Pick<Column<never>, 'isNumber' | 'isMinor'>): string | undefined =>
  [...(isNumber ? ['number'] : []), ...(isMinor ? ['minor'] : [])].join(' ') || undefined;

// All rows, found and sorted without the document.

function createIndex<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const values = new Map<string, Map<Row, Sortable>>();
  const valuesOf = (column: Column<Row>) => {
    const known = values.get(column.name) ?? new Map(rows.map((row) => [row, column.value(row)]));
    values.set(column.name, known);
    return known;
  };
  // Made once, when somebody looks for something or has time.
  let texts: Map<Row, string> | undefined;
  const textOf = () => {
    const all = columns.map(valuesOf);
    texts ??= new Map(
      rows.map((row) => [
        row,
        all
          .map((column) => column.get(row) ?? '')
          .join('\n')
          .toLowerCase(),
      ]),
    );
    return texts;
  };
  return {
    prepare: () => void textOf(),
    find(text: string, filters: Readonly<Record<string, string>>): readonly Row[] {
      const words = text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const wanted = columns.flatMap(({ name, filter }) => {
        const value = filters[name] ?? ALL;
        return filter === undefined || value === ALL
          ? []
          : [(row: Row) => listOf(filter(row)).includes(value)];
      });
      if (words.length === 0 && wanted.length === 0) return rows;
      const all = words.length === 0 ? undefined : textOf();
      return rows.filter((row) => {
        const own = all?.get(row) ?? '';
        return words.every((word) => own.includes(word)) && wanted.every((is) => is(row));
      });
    },
    sort(found: readonly Row[], sort: Sort | undefined): readonly Row[] {
      const column = columns.find(({ name }) => name === sort?.column);
      if (sort === undefined || column === undefined) return found;
      const known = valuesOf(column);
      const valued = found.map((row) => ({ row, value: known.get(row) ?? null }));
      const turn = sort.descending ? -1 : 1;
      // Unknown values stay last in both directions.
      valued.sort((one, other) =>
        one.value === null || other.value === null
          ? compare(one.value, other.value)
          : turn * compare(one.value, other.value),
      );
      return valued.map(({ row }) => row);
    },
  };
}

const listOf = (value: string | readonly string[] | null): readonly string[] =>
  value === null ? [] : typeof value === 'string' ? [value] : value;

/** Counted once the rows are on the screen, and everything made ready to be looked through: nobody chooses or types before. */
function useChoices<Row>(columns: readonly Column<Row>[], rows: readonly Row[], index: { prepare(): void }) {
  const [counted, setCounted] = useState<ReturnType<typeof choicesOf<Row>> | undefined>();
  useEffect(() => {
    const timer = setTimeout(() => {
      setCounted(choicesOf(columns, rows));
      index.prepare();
    }, SOON_MS);
    return () => clearTimeout(timer);
  }, [columns, rows]);
  return counted ?? choicesOf(columns, []);
}

const SOON_MS = 30;

/** The values of each column that can be chosen from, the most frequent first. */
function choicesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return columns.flatMap((column) => {
    const { filter } = column;
    if (filter === undefined) return [];
    const counts = new Map<string, number>();
    for (const row of rows)
      for (const value of listOf(filter(row))) counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((one, other) => other.count - one.count);
    return [{ column, values }];
  });
}

// How much of it is in the document.

function useVirtual(
  scroller: { current: HTMLElement | null },
  {
    count,
    height,
    focused,
    isWhole,
  }: { count: number; height: number; focused: number | undefined; isWhole: boolean },
) {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const given = {
    count,
    estimateSize: () => height,
    getScrollElement: () => scroller.current,
    overscan: OVERSCAN,
    indexAttribute: 'data-at',
    // The row that has the focus stays in the document, or the focus would be lost.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (focused === undefined || focused >= count || indexes.includes(focused)) return indexes;
      return [...indexes, focused].sort((one, other) => one - other);
    },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(0),
    initialRect: { width: 0, height: 800 },
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(given));
  virtual.setOptions(given);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  // Rows as high as their texts are measured each by itself, and again when their width changes.
  useLayoutEffect(() => {
    if (!isWhole) virtual.measure();
  }, [height, isWhole]);
  return virtual;
}

function useRowHeight(isWide: boolean): number {
  const query = matchMedia(NARROW);
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const turn = () => setNarrow(query.matches);
    query.addEventListener('change', turn);
    return () => query.removeEventListener('change', turn);
  }, []);
  const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (isNarrow && !isWide ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide) * em;
}

/** True while the page is printed: what is drawn for it has to stand there at once. */
function usePrinting(): boolean {
  const query = matchMedia('print');
  const [isPrinting, setPrinting] = useState(query.matches);
  useEffect(() => {
    const turn = (now: boolean) => {
      const before = preact.debounceRendering;
      preact.debounceRendering = (draw) => draw();
      setPrinting(now);
      preact.debounceRendering = before;
    };
    const begin = () => turn(true);
    const end = () => turn(false);
    const change = () => turn(query.matches);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    query.addEventListener('change', change);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      query.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
