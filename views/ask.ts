/** The one way from a page to the program that serves it; a saved file has none. */

import type { View } from './data.ts';

/** Reads a path that is relative to the page, or posts `body` to it. Throws if the program has ended or refuses. */
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

/** The properties that every view takes. */
export interface ViewProps<V extends View> {
  view: V;
  /** Undefined in a saved file, which asks nobody. */
  ask: Ask | undefined;
}
