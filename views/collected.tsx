/** Renders the data collected on this computer: each table with its age, its columns and its first rows. */

import { useState } from 'preact/hooks';
import type { Ask, ViewProps } from './ask.ts';
import type { CollectedView, DataCollection, DataTable, RowsView } from './data.ts';
import { formatNumber, formatTime, plural, visible } from './format.ts';
import { Notes, Nothing, Sentence, Text } from './parts.tsx';
import { Rows } from './rows.tsx';

export function Collected({ view: { collections, ask: sentence }, ask }: ViewProps<CollectedView>) {
  const [open, setOpen] = useState<DataTable | undefined>();
  if (collections.length === 0)
    return <Nothing text="Nothing is collected on this computer." ask={sentence} />;
  if (open !== undefined && ask !== undefined) {
    return <Look table={open} ask={ask} onClose={() => setOpen(undefined)} />;
  }
  return (
    <>
      {collections.map((collection) => (
        <Collection
          key={collection.id}
          collection={collection}
          onOpen={ask === undefined ? undefined : setOpen}
        />
      ))}
      <Sentence of={sentence} label="For more, ask your assistant, such as" />
    </>
  );
}

interface CollectionProps {
  collection: DataCollection;
  onOpen: ((table: DataTable) => void) | undefined;
}

function Collection({
  collection: { source, collectedAt, complete, until, notes, tables },
  onOpen,
}: CollectionProps) {
  const [isWhole, setWhole] = useState(false);
  const nested = tables.filter(({ isNested }) => isNested).length;
  const shown = isWhole ? tables : tables.filter(({ isNested }) => !isNested);
  return (
    <section class="card spaced">
      <h2 class="store">
        <Text of={source} />
        {complete ? undefined : <span class="tag warn">not all of it</span>}
      </h2>
      <p class="soft">
        {`Collected ${formatTime(collectedAt)}, kept until ${until === null ? 'the last program that uses it ends' : formatTime(until)}.`}
      </p>
      <Notes of={notes} />
      <table class="bars">
        <caption class="unseen">Tables of this collection</caption>
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col" class="amount">
              Rows
            </th>
            <th scope="col" class="amount">
              Columns
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((table) => (
            <tr key={table.name}>
              <th scope="row">
                {onOpen === undefined ? (
                  <Text of={table.name} />
                ) : (
                  <button type="button" class="name" onClick={() => onOpen(table)}>
                    <Text of={table.name} />
                  </button>
                )}
              </th>
              <td>{formatNumber(table.rows)}</td>
              <td>
                <Columns table={table} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {nested === 0 ? undefined : (
        <button type="button" class="small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Without lists within rows' : `${plural(nested, 'table')} of lists within these rows`}
        </button>
      )}
    </section>
  );
}

function Columns({ table: { name, columns } }: { table: DataTable }) {
  return (
    <details>
      <summary>
        {plural(columns.length, 'column')}
        <span class="unseen">{` of ${visible(name)}`}</span>
      </summary>
      <ul class="columns">
        {columns.map((column) => (
          <li key={column.name}>
            <Text of={column.name} />{' '}
            <span class="soft">
              {column.type}
              {column.from === null
                ? ''
                : `, ${formatTime(column.from)} to ${formatTime(column.to ?? column.from)}`}
              {column.note === null ? '' : `; ${visible(column.note)}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The first rows of a table, and more of them at a button. */
function Look({ table, ask, onClose }: { table: DataTable; ask: Ask; onClose: () => void }) {
  const [rows, setRows] = useState<RowsView | undefined>();
  const [state, setState] = useState<'idle' | 'reading' | string>('idle');
  const read = async (from: number, before: RowsView | undefined) => {
    setState('reading');
    try {
      const next = await ask(`rows?table=${encodeURIComponent(table.name)}&from=${from}`);
      if (isRows(next))
        setRows({ ...next, rows: [...(before?.rows ?? []), ...next.rows], total: table.rows });
      setState('idle');
    } catch (error) {
      setState(error instanceof Error ? error.message : 'The program does not answer.');
    }
  };
  if (rows === undefined && state === 'idle') void read(0, undefined);
  const left = table.rows - (rows?.rows.length ?? 0);
  return (
    <>
      <div class="back">
        <button type="button" class="small" onClick={onClose}>
          All tables
        </button>
        <h2>
          <Text of={table.name} />
        </h2>
      </div>
      {rows === undefined ? undefined : <Rows view={rows} ask={undefined} />}
      <p role="status">{state === 'reading' ? 'Reading…' : state === 'idle' ? '' : state}</p>
      {left > 0 && rows !== undefined ? (
        <button type="button" class="second" onClick={() => void read(rows.rows.length, rows)}>
          {`Read more (${formatNumber(left)} left)`}
        </button>
      ) : undefined}
    </>
  );
}

const isRows = (value: unknown): value is RowsView =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'rows';
