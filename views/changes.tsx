/** Renders the changes made from here as a timeline: old and new value, outcome, and how to undo each. */

import { useMemo, useState } from 'preact/hooks';
import type { ViewProps } from './ask.ts';
import type { Change, ChangeItem, ChangesView } from './data.ts';
import { formatMoney, formatNumber, formatTime, plural, visible } from './format.ts';
import { Nothing, Panel, Sentence, Text } from './parts.tsx';
import { type Column, Table } from './table.tsx';

/** Shown from the start; the rest at a button. */
const AT_FIRST = 40;

export function Changes({ view: { changes, left, ofOthers, ask } }: ViewProps<ChangesView>) {
  const [text, setText] = useState('');
  const [most, setMost] = useState(AT_FIRST);
  const [open, setOpen] = useState<Change | undefined>();
  const found = useMemo(() => find(changes, text), [changes, text]);
  if (changes.length === 0) return <Nothing text="Nothing was changed from this computer yet." />;
  return (
    <>
      <div class="tools">
        <label class="find">
          <span>Find</span>
          <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        <p role="status" class="count">
          {found.length === changes.length
            ? plural(changes.length, 'change')
            : `${formatNumber(found.length)} of ${plural(changes.length, 'change')}`}
        </p>
      </div>
      <ol class="line-of-time">
        {found.slice(0, most).map((change) => (
          <Entry key={change.id} change={change} onOpen={setOpen} />
        ))}
      </ol>
      {found.length > most ? (
        <button type="button" class="second" onClick={() => setMost(most + 10 * AT_FIRST)}>
          {`Show more (${formatNumber(found.length - most)})`}
        </button>
      ) : undefined}
      {left > 0 ? (
        <p class="soft">{`${plural(left, 'older change')}: seller-commerce-mcp history has all.`}</p>
      ) : undefined}
      {ofOthers > 0 ? (
        <p class="soft">{`${plural(ofOthers, 'write')} under this name by another owner of the account: not shown.`}</p>
      ) : undefined}
      <Sentence of={ask} />
      {open === undefined ? undefined : <Opened change={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function find(changes: readonly Change[], text: string): readonly Change[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return changes;
  return changes.filter((change) => {
    const own = JSON.stringify(change).toLowerCase();
    return words.every((word) => own.includes(word));
  });
}

function Entry({ change, onOpen }: { change: Change; onOpen: (change: Change) => void }) {
  const { id, at, what, outcome, isGood, undoes, ask, whyNot, items } = change;
  const single = items.length === 1 ? items[0] : undefined;
  const isShown = whyNot?.startsWith('it was undone already') === true;
  return (
    <li class={isGood ? 'good' : 'warn'}>
      <p class="when">
        <time dateTime={at}>{formatTime(at)}</time>
        <span class={`tag ${isGood ? 'good' : 'warn'}`}>{outcome}</span>
        {undoes === null ? undefined : <span class="tag">takes back an earlier one</span>}
        {isShown ? <span class="tag">taken back</span> : undefined}
      </p>
      <p class="what">
        <button type="button" class="name" onClick={() => onOpen(change)}>
          <Text of={single === undefined ? what : headOf(what, single)} whole />
        </button>
      </p>
      {single?.member == null ? undefined : (
        <p>
          <Text of={single.member} />
          {': '}
          <FromTo item={single} />
        </p>
      )}
      {ask === undefined ? (
        <p class="soft">
          {'Cannot be taken back: '}
          <Text of={whyNot ?? ''} whole />
        </p>
      ) : (
        <details>
          <summary>Take it back</summary>
          <Sentence of={ask} label="Tell your assistant" />
        </details>
      )}
      <p class="unseen">{`id ${id}`}</p>
    </li>
  );
}

/** Leaves out the amounts that stand below it in the reader's own number format. */
function headOf(what: string, { member }: ChangeItem): string {
  const at = member === null ? -1 : what.indexOf(`: ${member.split(',')[0]}`);
  return at > 0 ? what.slice(0, at) : what;
}

function FromTo({ item: { from, to, currency } }: { item: ChangeItem }) {
  return (
    <>
      <del>
        <Value of={from} currency={currency} />
      </del>
      {' → '}
      <ins>
        <Value of={to} currency={currency} />
      </ins>
    </>
  );
}

function Value({ of, currency }: { of: string | number | null; currency: string | null }) {
  if (of === null) return <>nothing</>;
  if (typeof of === 'string') return <Text of={of} whole />;
  return <>{currency === null ? formatNumber(of) : formatMoney({ amount: of, currency })}</>;
}

const columns: Column<ChangeItem>[] = [
  { name: 'thing', label: 'Of', value: ({ thing }) => thing, width: 1.2 },
  {
    name: 'member',
    label: 'What',
    value: ({ member }) => member,
    filter: ({ member }) => member,
    width: 1.2,
  },
  {
    name: 'from',
    label: 'Before',
    value: ({ from }) => from,
    cell: ({ from, currency }) => <Value of={from} currency={currency} />,
  },
  {
    name: 'to',
    label: 'After',
    value: ({ to }) => to,
    cell: ({ to, currency }) => <Value of={to} currency={currency} />,
  },
  { name: 'outcome', label: 'Outcome', value: ({ outcome }) => outcome, filter: ({ outcome }) => outcome },
];

function Opened({
  change: { id, at, what, items, left, error, undoes, ask, whyNot },
  onClose,
}: {
  change: Change;
  onClose: () => void;
}) {
  return (
    <Panel title={<Text of={what} whole />} label={`Change ${visible(id)}`} onClose={onClose}>
      <p class="soft">
        {`${formatTime(at)}, id `}
        <code>{visible(id)}</code>
        {undoes === null ? undefined : (
          <>
            {', takes back '}
            <code>{visible(undoes)}</code>
          </>
        )}
      </p>
      {error === null ? undefined : (
        <p>
          <Text of={error} whole />
        </p>
      )}
      <Table
        caption="Each value"
        rows={items}
        columns={columns}
        rowKey={(item) => JSON.stringify([item.id, item.thing, item.member])}
      />
      {left > 0 ? (
        <p class="soft">{`${plural(left, 'more value')}: query_data has them, in the table changes.`}</p>
      ) : undefined}
      {ask === undefined ? (
        <p class="soft">
          {'Cannot be taken back: '}
          <Text of={whyNot ?? ''} whole />
        </p>
      ) : (
        <Sentence of={ask} label="To take it back, tell your assistant" />
      )}
    </Panel>
  );
}
