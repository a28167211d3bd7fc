/** The one way from a page to the program that serves it; a saved file has none. */

import type { View } from './data.ts';

/** Without `body` it reads, with one it sends; relative to the page. Throws where the program is gone or says no. */
export type Ask = (name: string, body?: unknown) => Promise<unknown>;

export const ask: Ask = async (name, body) => {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(name, sent);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

/** What every view is given. */
export interface ViewProps<V extends View> {
  view: V;
  /** Undefined in a saved file, which asks nobody. */
  ask: Ask | undefined;
}
