/** The pages of a session that wait for a yes, or were answered and not told yet. */

import { setMaxListeners } from 'node:events';
import { sha256 } from '../../../base/canonical-json.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { YesPage, YesPageOptions } from './yes-page.ts';

/** Waiting at once; the oldest of more is closed. */
const MOST_OPEN = 10;
/** Of those that have ended. */
const MOST_KEPT = 50;

export interface YesPages {
  open(
    options: Omit<YesPageOptions, 'signal' | 'takenBefore' | 'entryFile' | 'isSandbox' | keyof YesPagesParts>,
  ): Promise<YesPage>;
  /** Opens an address in the person's browser. @throws ConfigError where there is none */
  openInBrowser(url: string): Promise<void>;
  find(handle: string): YesPage | undefined;
  /** Of the same call, unless that was told how it ended. */
  findCall(tool: string, args: JsonObject): YesPage | undefined;
  /** Of the same change by the same tool, while it waits. */
  findChange(tool: string, change: string): YesPage | undefined;
  /** Of an account, those of which something is to be told. */
  untold(account: string): readonly YesPage[];
  close(): void;
}

type YesPagesParts = Pick<YesPageOptions, 'lifetimeMs'>;

export interface YesPagesOptions extends YesPagesParts {
  outside: Pick<YesPageOptions, 'entryFile'> &
    Pick<YesPages, 'openInBrowser'> & { readonly config: { sandbox: boolean } };
}

const keyOf = (tool: string, args: JsonObject) => sha256({ tool, args });

export function createYesPages({ outside, lifetimeMs }: YesPagesOptions): YesPages {
  const pages: YesPage[] = [];
  const takenBefore = new Set<string>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const isSame = ({ options: { tool, args } }: YesPage, key: string) => keyOf(tool, args) === key;
  const makeRoom = () => {
    const waiting = pages.filter(({ standing }) => standing === 'waiting');
    for (const page of waiting.slice(0, Math.max(0, waiting.length - MOST_OPEN))) page.close();
    const ended = pages.filter(({ standing, result }) => standing !== 'waiting' && result !== undefined);
    for (const page of ended.slice(0, Math.max(0, ended.length - MOST_KEPT))) {
      page.close();
      pages.splice(pages.indexOf(page), 1);
    }
  };
  return {
    openInBrowser: outside.openInBrowser,
    async open(options) {
      const { YesPage } = await import('./yes-page.ts');
      const page = new YesPage({
        ...options,
        lifetimeMs,
        entryFile: outside.entryFile,
        isSandbox: outside.config.sandbox,
        takenBefore,
        signal: closing.signal,
      });
      await page.open();
      pages.push(page);
      makeRoom();
      return page;
    },
    find: (handle) => pages.find((page) => page.handle === handle),
    findCall(tool, args) {
      const key = keyOf(tool, args);
      return pages.findLast((page) => !page.isTold && isSame(page, key));
    },
    findChange: (tool, change) =>
      pages.findLast(
        ({ standing, options }) =>
          standing === 'waiting' && options.tool === tool && options.asked.change === change,
      ),
    untold: (account) => pages.filter(({ isTold, options }) => !isTold && options.asked.account === account),
    close: () => closing.abort(),
  };
}
