/** A page: whose it is, its views by name, and the one that is looked at. */

import { useEffect, useState } from 'preact/hooks';
import { Approval } from './approval.tsx';
import type { Ask, ViewProps } from './ask.ts';
import { Changes } from './changes.tsx';
import { Collected } from './collected.tsx';
import type { PageData, View } from './data.ts';
import { formatTime } from './format.ts';
import { Health } from './health.tsx';
import { Hours } from './hours.tsx';
import { News } from './news.tsx';
import { Rows } from './rows.tsx';

const NAMES: Readonly<Record<View['kind'], string>> = {
  health: 'Listing health',
  news: 'What changed',
  hours: 'Hours',
  changes: 'Changes',
  data: 'Data',
  rows: 'Rows',
  yes: 'Your yes',
};

export function App({ data, ask }: { data: PageData; ask: Ask | undefined }) {
  const { title, account, madeAt, isSandbox, views } = data;
  const kind = useHash(views.map((view) => view.kind));
  const view = views.find((one) => one.kind === kind) ?? views[0];
  useEffect(() => {
    document.title = view === undefined ? title : `${NAMES[view.kind]} - ${title}`;
  }, [view?.kind]);
  return (
    <>
      <header class="top">
        <h1>{title}</h1>
        <p class="soft">
          {`account ${account}, as of ${formatTime(madeAt)}`}
          {isSandbox ? <strong class="tag">made-up seller</strong> : undefined}
        </p>
        {views.length < 2 ? undefined : (
          <nav aria-label="Views">
            {views.map((one) => (
              <a key={one.kind} href={`#${one.kind}`} aria-current={one === view ? 'page' : undefined}>
                {NAMES[one.kind]}
              </a>
            ))}
          </nav>
        )}
      </header>
      <main>{view === undefined ? undefined : <Shown view={view} ask={ask} />}</main>
    </>
  );
}

function Shown({ view, ask }: ViewProps<View>) {
  switch (view.kind) {
    case 'health':
      return <Health view={view} ask={ask} />;
    case 'rows':
      return <Rows view={view} ask={ask} />;
    case 'news':
      return <News view={view} ask={ask} />;
    case 'hours':
      return <Hours view={view} ask={ask} />;
    case 'changes':
      return <Changes view={view} ask={ask} />;
    case 'data':
      return <Collected view={view} ask={ask} />;
    case 'yes':
      return <Approval view={view} ask={ask} />;
  }
}

/** Which view the address names, so that back and forward work. */
function useHash(known: readonly string[]): string | undefined {
  const read = () => known.find((name) => name === location.hash.slice(1));
  const [name, setName] = useState(read());
  useEffect(() => {
    const turn = () => setName(read());
    addEventListener('hashchange', turn);
    return () => removeEventListener('hashchange', turn);
  }, []);
  return name;
}
