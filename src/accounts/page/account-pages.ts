/** The credentials pages of one owner: one for each account, offered again as long as it is open. */

import { type CredentialsPage, type CredentialsPageOptions, openCredentialsPage } from './open-page.ts';

export type AccountPages = (options: CredentialsPageOptions) => Promise<CredentialsPage>;

/**
 * Gives the page that is open for the account, with its time begun anew and `options` left aside; a new one where none
 * is. It throws CancelledError when `signal` has aborted.
 */
export function createAccountPages(): AccountPages {
  const open = new Map<string, Promise<CredentialsPage>>();

  const openNew = (options: CredentialsPageOptions): Promise<CredentialsPage> => {
    const opening = openCredentialsPage(options);
    const forget = () => {
      if (open.get(options.account) === opening) open.delete(options.account);
    };
    open.set(options.account, opening);
    opening.then((page) => page.done.then(forget), forget);
    return opening;
  };

  return async (options) => {
    const opening = open.get(options.account);
    if (opening === undefined) return openNew(options);
    const page = await opening;
    if (page.isOpen) {
      page.renew();
      return page;
    }
    // It has ended and is about to be forgotten; another call may have noticed first.
    const newer = open.get(options.account);
    return newer === undefined || newer === opening ? openNew(options) : newer;
  };
}
