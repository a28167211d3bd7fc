/** The week of each store as a grid, all channels below each other, what is odd marked, and what a change left over what was there. */

import type { ViewProps } from './ask.ts';
import type { HoursDay, HoursStore, HoursView, Span } from './data.ts';
import { formatTime } from './format.ts';
import { Nothing, Sentence, Text } from './parts.tsx';

const DAY_MINUTES = 1_440;

export function Hours({ view: { stores, ask } }: ViewProps<HoursView>) {
  if (stores.length === 0)
    return <Nothing text="The hours of your stores are not kept on this computer yet." ask={ask} />;
  const isPartly = stores.some(({ collectedAt }) => collectedAt === null);
  return (
    <>
      <p class="legend" aria-hidden="true">
        <span class="key now" /> open <span class="key before" /> before the last change{' '}
        <span class="key odd" /> look here
      </p>
      {stores.map((store) => (
        <Store key={store.id} store={store} />
      ))}
      {isPartly ? <p class="soft">Of some stores only what was changed from here is known.</p> : undefined}
      <Sentence of={ask} label="For hours as they are now, ask your assistant" />
    </>
  );
}

function Store({ store: { id, name, zone, collectedAt, places, changed, ask } }: { store: HoursStore }) {
  return (
    <section class="card spaced">
      <h2 class="store">
        <Text of={name} />
      </h2>
      <p class="soft">
        {id === name ? undefined : (
          <>
            <Text of={id} />
            {', '}
          </>
        )}
        {zone === null ? undefined : (
          <>
            <Text of={zone} />
            {', '}
          </>
        )}
        {collectedAt === null ? 'not collected' : `collected ${formatTime(collectedAt)}`}
      </p>
      {places.length === 0 ? <p>No opening hours are told of it.</p> : undefined}
      <div class="weeks">
        {places.map((place) => (
          <table key={place.name} class="week">
            <caption>
              <Text of={place.name} />
            </caption>
            <thead class="unseen">
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Open</th>
              </tr>
            </thead>
            <tbody>
              {place.days.map((day) => (
                <Day key={day.name} day={day} />
              ))}
            </tbody>
          </table>
        ))}
      </div>
      {ask === undefined ? undefined : <Sentence of={ask} />}
      {changed === undefined ? undefined : (
        <>
          <p class="spaced">
            {`Last changed from here ${formatTime(changed.at)}: `}
            <Text of={changed.what} whole />
          </p>
          {changed.ask === undefined ? undefined : (
            <Sentence of={changed.ask} label="To take it back, tell your assistant" />
          )}
        </>
      )}
    </section>
  );
}

function Day({ day: { name, open, before, faults } }: { day: HoursDay }) {
  const words = open === undefined ? 'not known' : wordsOf(open);
  return (
    <tr class={faults.length > 0 ? 'odd' : undefined}>
      <th scope="row">
        <span aria-hidden="true">{formatDay(name)}</span>
        <span class="unseen">{formatDay(name, 'long')}</span>
      </th>
      <td>
        <span class="line" aria-hidden="true">
          {(before ?? []).map(([start, end]) => (
            <span key={start} class="before" style={positionOf(start, end)} />
          ))}
          {(open ?? []).map(([start, end]) => (
            <span key={start} class="now" style={positionOf(start, end)} />
          ))}
        </span>
        <span class="times">
          {before === undefined ? undefined : (
            <>
              <del>{wordsOf(before)}</del>{' '}
            </>
          )}
          {before === undefined ? words : <ins>{words}</ins>}
        </span>
        {faults.map((fault) => (
          <span key={fault} class="fault">
            <Text of={fault} whole />
          </span>
        ))}
      </td>
    </tr>
  );
}

const positionOf = (start: number, end: number) => ({
  insetInlineStart: `${(start / DAY_MINUTES) * 100}%`,
  width: `${(Math.max(0, end - start) / DAY_MINUTES) * 100}%`,
});

const wordsOf = (spans: readonly Span[]): string =>
  spans.length === 0 ? 'closed' : spans.map(([start, end]) => `${timeOf(start)}–${timeOf(end)}`).join(', ');

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const MINUTE_MS = 60_000;
const timeOf = (minutes: number): string =>
  minutes === DAY_MINUTES ? '24:00' : clock.format(minutes * MINUTE_MS);

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

function formatDay(name: string, weekday: 'short' | 'long' = 'short'): string {
  const at = DAYS.indexOf(name);
  if (at < 0) return name;
  return new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' }).format(MONDAY + at * DAY_MS);
}
