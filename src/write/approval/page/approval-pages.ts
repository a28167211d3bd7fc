/** Manages a session's approval pages: those that wait, and those whose answer no call has reported. */

import { setMaxListeners } from 'node:events';
import { sha256 } from '../../../base/canonical-json.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { ApprovalPage, ApprovalPageOptions } from './approval-page.ts';

/** The max number of pages that wait at once; opening more closes the oldest. */
const MAX_OPEN = 10;
/** The max number of ended pages. */
const MAX_ENDED = 50;

export interface ApprovalPages {
  open(
    options: Omit<
      ApprovalPageOptions,
      'signal' | 'takenBefore' | 'entryFile' | 'isSandbox' | keyof PageLifetime
    >,
  ): Promise<ApprovalPage>;
  /** Opens an address in the user's browser. @throws ConfigError if there is none */
  openInBrowser(url: string): Promise<void>;
  find(handle: string): ApprovalPage | undefined;
  /** Returns the page of the same call, unless its end was already reported. */
  findCall(tool: string, args: JsonObject): ApprovalPage | undefined;
  /** Returns the waiting page of the same change by the same tool. */
  findChange(tool: string, change: string): ApprovalPage | undefined;
  /** Returns the account's pages that still have something to report. */
  untold(account: string): readonly ApprovalPage[];
  close(): void;
}

type PageLifetime = Pick<ApprovalPageOptions, 'lifetimeMs'>;

export interface ApprovalPagesOptions extends PageLifetime {
  outside: Pick<ApprovalPageOptions, 'entryFile'> &
    Pick<ApprovalPages, 'openInBrowser'> & { readonly config: { sandbox: boolean } };
}

const keyOf = (tool: string, args: JsonObject) => sha256({ tool, args });

export function createApprovalPages({ outside, lifetimeMs }: ApprovalPagesOptions): ApprovalPages {
  const pages: ApprovalPage[] = [];
  const takenBefore = new Set<string>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const isSame = ({ options: { tool, args } }: ApprovalPage, key: string) => keyOf(tool, args) === key;
  const makeRoom = () => {
    const waiting = pages.filter(({ standing }) => standing === 'waiting');
    for (const page of waiting.slice(0, Math.max(0, waiting.length - MAX_OPEN))) page.close();
    const ended = pages.filter(({ standing, result }) => standing !== 'waiting' && result !== undefined);
    for (const page of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      page.close();
      pages.splice(pages.indexOf(page), 1);
    }
  };
  return {
    openInBrowser: outside.openInBrowser,
    async open(options) {
      const { ApprovalPage } = await import('./approval-page.ts');
      const page = new ApprovalPage({
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
