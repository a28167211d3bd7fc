/** Renders the changes since another review: what got worse or better, the inventory affected, and each listing. */

import { useMemo, useState } from 'preact/hooks';
import type { ViewProps } from './ask.ts';
import type { NewsChange, NewsGroup, NewsMarketplace, NewsView } from './data.ts';
import { formatMoney, formatNumber, formatTime, visible } from './format.ts';
import { Bar, Notes, Nothing, Panel, Sentence, Text } from './parts.tsx';
import { type Column, Table } from './table.tsx';

const LAST = '';

export function News({ view, ask }: ViewProps<NewsView>) {
  const [shown, setShown] = useState(view);
  const [problem, setProblem] = useState<string | undefined>();
  const [chosen, setChosen] = useState(view.chosen ?? LAST);
  const { places, moments } = shown;
  const choose = async (since: string) => {
    setChosen(since);
    try {
      const next = since === LAST ? view : await ask?.(`news?since=${encodeURIComponent(since)}`);
      if (isNews(next)) setShown({ ...next, moments: view.moments });
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The program does not answer.');
    }
  };
  if (places.length === 0) {
    return (
      <Nothing
        text="No review of your listings is kept on this computer, so there is nothing to compare."
        ask={view.ask}
      />
    );
  }
  return (
    <>
      {ask === undefined || moments.length < 2 ? undefined : (
        <div class="tools">
          <label>
            <span>Compared with the review of</span>
            <select value={chosen} onChange={({ currentTarget }) => void choose(currentTarget.value)}>
              <option value={LAST}>the last time</option>
              {moments.map((at) => (
                <option key={at} value={at}>
                  {formatTime(at)}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {problem === undefined ? undefined : <p role="alert">{problem}</p>}
      {places.map((place) => (
        <MarketplaceNews key={place.name} place={place} />
      ))}
      <Sentence of={view.ask} label="For what is new now, ask your assistant" />
    </>
  );
}

/** Checks the shape of the program's answer before it is drawn, although the program is ours. */
const isNews = (value: unknown): value is NewsView =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'news';

function MarketplaceNews({ place: { name, at, since, note, groups, changes } }: { place: NewsMarketplace }) {
  const [open, setOpen] = useState<NewsChange | undefined>();
  const [group, setGroup] = useState<string | undefined>();
  const columns = useMemo(() => columnsOf(), []);
  const chosen = useMemo(() => (group === undefined ? undefined : { group }), [group]);
  return (
    <section>
      <h2>
        <Text of={name} />
      </h2>
      {note === undefined ? undefined : <Notes of={[`${note}.`]} />}
      {since === undefined || at === undefined ? undefined : (
        <p class="soft">{`From ${formatTime(since)} to ${formatTime(at)}.`}</p>
      )}
      {since !== undefined && groups.length === 0 ? (
        <p class="card">
          Nothing is new: no listing got worse or better, none came or went, no price changed.
        </p>
      ) : undefined}
      {groups.length === 0 ? undefined : (
        <>
          <Groups groups={groups} choose={setGroup} changes={changes} />
          <Table
            caption={`What changed in ${visible(name)}`}
            rows={changes}
            columns={columns}
            rowKey={({ sku, group: of }) => JSON.stringify([sku, of])}
            onOpen={setOpen}
            chosen={chosen}
          />
        </>
      )}
      {open === undefined ? undefined : <Opened change={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

function Groups({
  groups,
  changes,
  choose,
}: {
  groups: readonly NewsGroup[];
  changes: readonly NewsChange[];
  choose: (group: string) => void;
}) {
  const most = Math.max(...groups.map(({ listings }) => listings));
  return (
    <div class="card spaced">
      <table class="bars">
        <caption class="unseen">What is new, by kind, with listings and money</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" class="amount">
              Listings
            </th>
            <th scope="col" class="amount">
              Worth
            </th>
            <th scope="col" class="amount">
              After a change from here
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, words, isGood, listings, ours, standing }) => {
            const group = changes.find((change) => words.endsWith(change.group))?.group;
            return (
              <tr key={name}>
                <th scope="row">
                  <span
                    class={`tag first ${isGood ? 'good' : name === 'worse' || name === 'gone' ? 'bad' : 'warn'}`}
                  >
                    {words}
                  </span>
                </th>
                <td>
                  <button
                    type="button"
                    class="link plain"
                    onClick={() => group !== undefined && choose(group)}
                  >
                    {formatNumber(listings)}
                  </button>
                  <Bar part={listings / most} kind={isGood ? 'good' : undefined} />
                </td>
                <td>
                  {standing.length === 0 ? (
                    <span class="soft">–</span>
                  ) : (
                    standing.map(formatMoney).join(' + ')
                  )}
                </td>
                <td>{ours === 0 ? <span class="soft">–</span> : formatNumber(ours)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const columnsOf = (): Column<NewsChange>[] => [
  { name: 'sku', label: 'SKU', value: ({ sku }) => sku, width: 1.3 },
  { name: 'title', label: 'Title', value: ({ title }) => title, width: 2, isMinor: true },
  {
    name: 'group',
    label: 'What',
    value: ({ group }) => group,
    cell: ({ group }) => <span class="tag first">{group}</span>,
    filter: ({ group }) => group,
    width: 1.2,
  },
  {
    name: 'from',
    label: 'Before',
    value: ({ from }) => from,
    cell: (change) => <Value of={change.from} change={change} />,
    width: 1.4,
  },
  {
    name: 'to',
    label: 'Now',
    value: ({ to }) => to,
    cell: (change) => <Value of={change.to} change={change} />,
    width: 1.4,
  },
  {
    name: 'ours',
    label: 'From here',
    value: ({ isOurs }) => (isOurs ? 'after a change from here' : null),
    isMinor: true,
    filter: ({ isOurs }) => (isOurs ? 'after a change from here' : 'not from here'),
    width: 1,
  },
  {
    name: 'amount',
    label: 'Worth',
    value: ({ amount }) => amount,
    cell: ({ amount, currency }) =>
      amount === null ? <span class="soft">–</span> : formatMoney({ amount, currency }),
    isNumber: true,
    width: 1,
  },
];

function Value({ of, change: { group, currency } }: { of: string | number | null; change: NewsChange }) {
  if (of === null) return <span class="soft">–</span>;
  if (typeof of === 'string') return <Text of={of} />;
  return <>{group.includes('price') ? formatMoney({ amount: of, currency }) : formatNumber(of)}</>;
}

function Opened({ change, onClose }: { change: NewsChange; onClose: () => void }) {
  const { sku, title, group, from, to, isOurs, ask } = change;
  return (
    <Panel title={<Text of={sku} whole />} label={`Listing ${visible(sku)}`} onClose={onClose}>
      {title === null ? undefined : (
        <p>
          <Text of={title} whole />
        </p>
      )}
      <dl class="facts">
        <dt>What</dt>
        <dd>{group}</dd>
        <dt>Before</dt>
        <dd>{typeof from === 'string' ? <Text of={from} whole /> : <Value of={from} change={change} />}</dd>
        <dt>Now</dt>
        <dd>{typeof to === 'string' ? <Text of={to} whole /> : <Value of={to} change={change} />}</dd>
        {isOurs ? (
          <>
            <dt>By whom</dt>
            <dd>A change from here was made in this time.</dd>
          </>
        ) : undefined}
      </dl>
      <Sentence of={ask} />
    </Panel>
  );
}
