/** The `status` command checks whether an account is ready for use, and says what to do if not. */

import type { Accounts } from '../../../accounts/account.ts';
import { FACTS_DAY } from '../../../service/facts/provenance.ts';
import { findStateFolder } from '../../../store/state-folder.ts';
import { openAccounts, openKeychain } from '../../runtime/open-accounts.ts';
import type { Outside } from '../../runtime/outside.ts';
import { createProgram } from '../../runtime/program.ts';
import type { Command } from '../line/command.ts';
import { createResultPrinter } from '../line/print-result.ts';
import { type Check, formatChecks, note, ok } from './check.ts';
import {
  checkAccount,
  checkCall,
  checkKeychain,
  checkSecretEnd,
  checkSellerId,
  checkToken,
  listOrigins,
} from './check-credentials.ts';
import { checkFolder } from './check-folder.ts';

export const status: Command = {
  name: 'status',
  summary: 'Check keychain, account, token, service, clock and folders; say what to do',
  options: {
    json: { type: 'boolean', help: 'Print one JSON object: { ok, account, values, checks }' },
    fresh: {
      type: 'boolean',
      help: 'Exchange the refresh token even when a shared access token is still good',
    },
  },
  details: 'Secrets are never shown. Exit code 0: all is well; 1: something has to be done.',
  async run({ values }, io) {
    const store = openKeychain(io);
    const program = io.config.sandbox ? createProgram(io) : undefined;
    try {
      const accounts = openAccounts(io, store, { sandbox: program?.sandbox });
      const name = io.config.account;
      const description = await accounts.describe(name);
      const checks = [
        program === undefined ? await checkKeychain(store, description) : KEYCHAIN_NOT_NEEDED,
        checkAccount(description),
        ...checkSellerId(description),
        ...(await checkSecretEnd(description, store)),
        ...(await checkOnline(name, description.problem === undefined, accounts, io, values.fresh === true)),
        await checkFolder('Journal', await findStateFolder(io.config)),
        ok('Facts', `of ${FACTS_DAY}: what Amazon's public API had on that day`),
      ];
      const isWell = checks.every(({ state }) => state !== 'problem');
      const report = { ok: isWell, account: name, values: listOrigins(description.origins), checks };
      createResultPrinter(io, values)(report, formatChecks(checks, columnsFor(io)));
      return isWell ? 0 : 1;
    } finally {
      await program?.close();
    }
  },
};

const KEYCHAIN_NOT_NEEDED = ok('Keychain', 'not needed: the sandbox has credentials of its own');

/** Lines in a pipe or file are not wrapped, so that they can be searched. */
const columnsFor = ({ interactive, columns }: Outside) => (interactive ? columns : Number.POSITIVE_INFINITY);

/**
 * Checks token, service, identity provider and clock; without an account's addresses there is nothing to
 * call.
 */
async function checkOnline(
  name: string,
  isComplete: boolean,
  accounts: Accounts,
  io: Outside,
  fresh: boolean,
): Promise<Check[]> {
  const skipped = 'not checked: the account is not complete';
  if (!isComplete) return [note('Token', skipped), note('Service', skipped)];
  const { baseUrl, authUrl } = await accounts.get(name);
  const { checkClock, checkReachable, probeHosts } = await import('./check-network.ts');
  const [token, [service, identity]] = await Promise.all([
    checkToken(name, accounts, io, fresh),
    probeHosts([baseUrl, authUrl], io),
  ]);
  if (service === undefined || identity === undefined) return [token];
  return [
    token,
    ...(token.state === 'ok' && service.error === undefined ? [await checkCall(name, accounts, io)] : []),
    checkReachable('Service', service),
    checkReachable('Identity provider', identity),
    checkClock([identity, service]),
  ];
}
