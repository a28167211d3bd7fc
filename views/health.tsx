/** Listing health: how much money stands still, why, what to do first, and every listing. */

import { useMemo, useState } from 'preact/hooks';
import type { ViewProps } from './ask.ts';
import type { HealthCause, HealthIssue, HealthListing, HealthReview, HealthView, Money } from './data.ts';
import { formatMoney, formatNumber, formatPercent, formatTime, plural, sumOf, visible } from './format.ts';
import { Bar, Notes, Nothing, Panel, Sentence, Text } from './parts.tsx';
import { type Column, Table } from './table.tsx';

const MAX_CAUSES = 8;

export function Health({ view: { review, ask } }: ViewProps<HealthView>) {
  if (review === undefined) {
    return <Nothing text="No review of your listings is kept on this computer." ask={ask} />;
  }
  return <Reviewed review={review} ask={ask} />;
}

function Reviewed({ review, ask }: { review: HealthReview; ask: string }) {
  const { collectedAt, complete, notes, causes, listings, issues, left } = review;
  const [cause, setCause] = useState<string | undefined>();
  const [open, setOpen] = useState<HealthListing | undefined>();
  const labels = useMemo(() => labelsOf(causes), [causes]);
  const columns = useMemo(() => columnsOf(review, labels), [review, labels]);
  const chosen = useMemo(
    () => (cause === undefined ? undefined : { cause: labels.get(cause) ?? '' }),
    [cause, labels],
  );
  const choose = (key: string) => {
    setCause(key);
    document.querySelector('#listings')?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <Summary review={review} />
      {causes.length === 0 ? undefined : <Causes causes={causes} choose={choose} />}
      <h2 id="listings">Listings</h2>
      <Table
        caption="Listings, the worst first"
        rows={listings}
        columns={columns}
        rowKey={({ sku, place: column }) => JSON.stringify([sku, column])}
        onOpen={setOpen}
        chosen={chosen}
      />
      {left > 0 ? (
        <p class="soft">{`${plural(left, 'more listing')}: query_data has all of them.`}</p>
      ) : undefined}
      <Notes of={[...(complete ? [] : ['The review is not whole: not every listing was read.']), ...notes]} />
      <p class="soft spaced">{`Reviewed ${formatTime(collectedAt)}.`}</p>
      <Sentence of={ask} label="For a new one, ask your assistant" />
      {open === undefined ? undefined : (
        <Listing listing={open} issues={issues} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function Summary({ review: { places, causes } }: { review: HealthReview }) {
  const sum = (member: 'listings' | 'altogether' | 'search' | 'exempt' | 'unpriced') =>
    places.reduce((all, column) => all + column[member], 0);
  const standing = sumOf(places.flatMap((column) => column.standing));
  const stopped = sum('altogether') + sum('search');
  const worst = causes[0];
  const first = causes.find(({ needed }) => needed !== undefined) ?? worst;
  return (
    <div class="cards">
      <section class="card">
        <h2>Standing still</h2>
        <p class={stopped === 0 ? 'big good' : 'big bad'}>
          {stopped === 0
            ? 'Nothing'
            : standing.length === 0
              ? plural(stopped, 'listing')
              : standing.map(formatMoney).join(' + ')}
        </p>
        <p>
          {stopped === 0
            ? `None of your ${plural(sum('listings'), 'listing')} is suppressed or hidden from search.`
            : `${formatNumber(sum('altogether'))} of ${plural(sum('listings'), 'listing')} suppressed altogether, ${formatNumber(sum('search'))} hidden from search.`}
          {sum('unpriced') > 0
            ? ` Price or stock of ${formatNumber(sum('unpriced'))} of them is not known.`
            : ''}
        </p>
        {sum('exempt') > 0 ? (
          <p class="soft">{`${formatNumber(sum('exempt'))} more are exempt for now.`}</p>
        ) : undefined}
        {places.length < 2 ? undefined : (
          <ul class="places">
            {places.map((column) => (
              <li key={column.name}>
                <Text of={column.name} />
                {`: ${column.standing.length === 0 ? plural(column.altogether + column.search, 'listing') : column.standing.map(formatMoney).join(' + ')}`}
              </li>
            ))}
          </ul>
        )}
      </section>
      {worst === undefined ? undefined : (
        <section class="card">
          <h2>Most of it, because</h2>
          <p class="cause">
            <Text of={worst.message === '' ? worst.code : worst.message} whole />
          </p>
          <p class="soft">
            {[
              plural(worst.listings, 'listing'),
              ...worst.standing.map(formatMoney),
              ...formatShares(worst.standing, standing),
            ].join(', ')}
          </p>
        </section>
      )}
      {first === undefined ? undefined : (
        <section class="card">
          <h2>Do first</h2>
          <p class="cause">
            {first.needed === undefined
              ? 'Look at the cause with the most money.'
              : `Needs from you: ${visible(first.needed)}.`}
          </p>
          <p class="soft">{`${plural(first.listings, 'listing')}, ${first.standing.map(formatMoney).join(' + ')}`}</p>
          <Sentence of={first.ask} />
        </section>
      )}
    </div>
  );
}

/** Formats the share of a total, if both have a single currency. */
function formatShares([own, ...others]: readonly Money[], [all, ...more]: readonly Money[]): string[] {
  if (own === undefined || all === undefined || others.length + more.length > 0 || all.amount <= 0) return [];
  return [`${formatPercent(own.amount / all.amount)} of it`];
}

/** Bars of one currency are held against each other, never against another's. */
function Causes({ causes, choose }: { causes: readonly HealthCause[]; choose: (key: string) => void }) {
  const [isWhole, setWhole] = useState(false);
  const most = new Map<string | null, number>();
  for (const { standing } of causes) {
    for (const { amount, currency } of standing)
      most.set(currency, Math.max(most.get(currency) ?? 0, amount));
  }
  const mostListings = Math.max(...causes.map(({ listings }) => listings));
  const part = ({ amount, currency }: Money) => amount / Math.max(1, most.get(currency) ?? 1);
  const shown = isWhole ? causes : causes.slice(0, MAX_CAUSES);
  return (
    <section>
      <h2>Why</h2>
      <div class="card">
        <table class="bars">
          <caption class="unseen">Causes, with the money and the listings that stand still for each</caption>
          <thead>
            <tr>
              <th scope="col">Cause</th>
              <th scope="col" class="amount">
                Standing still
              </th>
              <th scope="col" class="amount">
                Listings
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((cause) => {
              const kind = cause.effect === 'altogether' ? 'bad' : 'warn';
              return (
                <tr key={cause.key}>
                  <th scope="row">
                    <span class="what">
                      <Text of={cause.message === '' ? cause.code : cause.message} whole />
                    </span>
                    <span class="why">
                      <span class={`tag first ${kind}`}>{EFFECTS[cause.effect]}</span>{' '}
                      <Text of={[cause.code, cause.attributes].filter((text) => text !== '').join(', ')} />
                    </span>
                  </th>
                  <td>
                    {cause.standing.length === 0 ? <span class="soft">not known</span> : undefined}
                    {cause.standing.map((money) => (
                      <div key={money.currency}>
                        {formatMoney(money)}
                        <Bar part={part(money)} kind={kind} />
                      </div>
                    ))}
                  </td>
                  <td>
                    <button type="button" class="link plain" onClick={() => choose(cause.key)}>
                      {plural(cause.listings, 'listing')}
                    </button>
                    <Bar part={cause.listings / mostListings} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {causes.length > MAX_CAUSES ? (
          <button type="button" class="second" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show the worst' : `Show all ${formatNumber(causes.length)} causes`}
          </button>
        ) : undefined}
      </div>
    </section>
  );
}

const EFFECTS = { altogether: 'suppressed', search: 'hidden from search' } as const;

const STATES = {
  altogether: { words: 'Suppressed', tag: 'bad' },
  search: { words: 'Hidden from search', tag: 'warn' },
  exempt: { words: 'Exempt for now', tag: 'warn' },
  unbuyable: { words: 'Not buyable', tag: 'warn' },
  issues: { words: 'Warnings only', tag: '' },
  fine: { words: 'In order', tag: 'good' },
} as const;

function stateOf({ enforced, exemptUntil, isBuyable, issues }: HealthListing) {
  if (enforced !== null) return STATES[enforced];
  if (exemptUntil !== null) return STATES.exempt;
  if (isBuyable === false) return STATES.unbuyable;
  return issues.length > 0 ? STATES.issues : STATES.fine;
}

/** Returns a short, unique name of a cause for the filter. */
function labelsOf(causes: readonly HealthCause[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  for (const { key, code, attributes, message } of causes) {
    const about = attributes === '' ? message : attributes;
    const short = about.length > 40 ? `${about.slice(0, 38)}...` : about;
    const base = [code, short].filter((text) => text !== '').join(', ');
    let label = base;
    for (let number = 2; taken.has(label); number += 1) label = `${base} (${number})`;
    taken.add(label);
    labels.set(key, label);
  }
  return labels;
}

function columnsOf(
  { issues, listings }: HealthReview,
  labels: ReadonlyMap<string, string>,
): Column<HealthListing>[] {
  const known = new Map<HealthListing, readonly string[]>();
  const causesOf = (listing: HealthListing): readonly string[] => {
    const found = known.get(listing) ?? [
      ...new Set(
        listing.issues.flatMap(([at]) => {
          const key = issues[at]?.cause;
          const label = key === undefined ? undefined : labels.get(key);
          return label === undefined ? [] : [label];
        }),
      ),
    ];
    known.set(listing, found);
    return found;
  };
  const isOneMarketplace = new Set(listings.map(({ place: column }) => column)).size < 2;
  const column: Column<HealthListing> = {
    name: 'place',
    label: 'Country',
    value: (listing) => listing.place,
    filter: (listing) => listing.place,
    width: 1.1,
    isMinor: true,
  };
  return [
    { name: 'sku', label: 'SKU', value: ({ sku }) => sku, width: 1.5 },
    { name: 'title', label: 'Title', value: ({ title }) => title, width: 2.4 },
    ...(isOneMarketplace ? [] : [column]),
    {
      name: 'state',
      label: 'State',
      value: (listing) => stateOf(listing).words,
      cell: (listing) => {
        const { words, tag } = stateOf(listing);
        return <span class={`tag first ${tag}`}>{words}</span>;
      },
      filter: (listing) => stateOf(listing).words,
      width: 1.3,
    },
    {
      name: 'cause',
      label: 'Cause',
      value: (listing) => {
        const causes = causesOf(listing);
        return causes.length === 0 ? null : causes.join('; ');
      },
      filter: causesOf,
      width: 1.8,
      isMinor: true,
    },
    {
      name: 'until',
      label: 'Exempt until',
      value: ({ exemptUntil }) => exemptUntil,
      cell: ({ exemptUntil }) =>
        exemptUntil === null ? (
          <span class="soft">–</span>
        ) : exemptUntil === '' ? (
          'no end told'
        ) : (
          formatTime(exemptUntil.slice(0, 10))
        ),
      width: 1.2,
      isMinor: true,
    },
    { name: 'stock', label: 'Stock', value: ({ stock }) => stock, isNumber: true, width: 0.8, isMinor: true },
    {
      name: 'amount',
      label: 'Worth',
      value: ({ amount }) => amount,
      cell: ({ amount, currency }) =>
        amount === null ? <span class="soft">–</span> : formatMoney({ amount, currency }),
      isNumber: true,
      width: 1.2,
    },
  ];
}

function Listing({
  listing,
  issues,
  onClose,
}: {
  listing: HealthListing;
  issues: readonly HealthIssue[];
  onClose: () => void;
}) {
  const { sku, title, place: column, price, stock, currency, amount, ask } = listing;
  const { words, tag } = stateOf(listing);
  return (
    <Panel title={<Text of={sku} whole />} label={`Listing ${visible(sku)}`} onClose={onClose}>
      {title === null ? undefined : (
        <p>
          <Text of={title} whole />
        </p>
      )}
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <span class={`tag first ${tag}`}>{words}</span>
        </dd>
        <dt>Country</dt>
        <dd>
          <Text of={column} />
        </dd>
        <dt>Stock and price</dt>
        <dd>
          {`${stock === null ? 'stock not known' : formatNumber(stock)} × ${price === null ? 'price not known' : formatMoney({ amount: price, currency })}`}
          {amount === null ? '' : ` = ${formatMoney({ amount, currency })}`}
        </dd>
      </dl>
      <h3>{listing.issues.length === 0 ? 'No issues' : plural(listing.issues.length, 'issue')}</h3>
      <ul class="issues">
        {listing.issues.map(([at, until]) => {
          const issue = issues[at];
          return issue === undefined ? undefined : <Issue key={at} issue={issue} until={until} />;
        })}
      </ul>
      <Sentence of={ask} />
    </Panel>
  );
}

function Issue({
  issue: { code, severity, attributes, message, effect, isInForce },
  until,
}: {
  issue: HealthIssue;
  until: string | null;
}) {
  return (
    <li>
      <p>
        <span class={isInForce ? 'tag first bad' : until === null ? 'tag first' : 'tag first warn'}>
          {effect}
        </span>
        {until === null ? undefined : (
          <span class="soft">
            {until === '' ? ' exempt, no end told' : ` exempt until ${formatTime(until.slice(0, 10))}`}
          </span>
        )}
      </p>
      <p>
        <Text of={message} whole />
      </p>
      <p class="soft">
        <Text of={[code, severity, attributes].filter((text) => text !== '').join(', ')} whole />
      </p>
    </li>
  );
}
