/** `seller-commerce-mcp accounts`: which accounts there are, and where each comes from. */

import type { Accounts, CredentialStore, Origin } from '../../../accounts/types.ts';
import { CredentialError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { fitRows } from '../../../base/text/fit-columns.ts';
import { wrap } from '../../../base/text/wrap.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import { type OpenStore, openAccounts, openKeychain } from '../../runtime/open-accounts.ts';
import type { Command } from '../line/command.ts';

/** One line of the table; nothing in it is secret. */
interface AccountLine {
  name: string;
  /** Address of the service; absent when the account has none. */
  baseUrl?: string;
  sellerId?: string;
  marketplaceId?: string;
  /** Name of its country, where it is known. */
  marketplace?: string;
  from?: Origin;
  /** Why it cannot be used as it is. */
  problem?: string;
}

interface Keychain {
  reachable: boolean;
  problem?: string;
}

export function createAccounts(openStore: OpenStore): Command {
  return {
    name: 'accounts',
    summary: 'List the accounts and where each comes from',
    options: { json: { type: 'boolean', help: 'Print one JSON object: { accounts, keychain }' } },
    details:
      'Secrets are never shown. Exit code 1: the keychain does not answer and nothing else defines an account.',
    async run({ values }, io) {
      const store = openStore(io);
      const keychain = await askKeychain(store);
      const source = openAccounts(io, store);
      const names = await source.names();
      const lines = await Promise.all(names.map((name) => describe(name, source)));
      if (values.json === true) io.stdout(`${JSON.stringify({ accounts: lines, keychain }, null, 2)}\n`);
      else io.stdout(lines.length === 0 ? howToAdd() : `${await formatTable(lines, io.columns)}\n`);
      if (!keychain.reachable && values.json !== true)
        io.stderr(`The keychain was left out: ${keychain.problem}\n`);
      return 0;
    },
  };
}

const howToAdd = () =>
  [
    `There are no accounts yet. To add one: ${commandLine('login')}`,
    `A second one: ${commandLine('login NAME')}`,
    '',
  ].join('\n');

async function askKeychain(store: CredentialStore): Promise<Keychain> {
  try {
    await store.list();
    return { reachable: true };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    return { reachable: false, problem: error.message };
  }
}

async function describe(name: string, source: Accounts): Promise<AccountLine> {
  const { values, problem } = await source.describe(name);
  const from = values.clientId.origin ?? values.clientSecret.origin ?? values.refreshToken.origin;
  const profile = await source.profile(name).catch(() => undefined);
  const { baseUrl, sellerId, marketplaceId } = profile ?? {};
  const marketplace = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId)?.name;
  return { name, baseUrl, sellerId, marketplaceId, marketplace, from, problem: problem?.message };
}

async function formatTable(lines: readonly AccountLine[], width: number): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const head = ['Account', 'Service', 'Seller ID', 'Marketplace', 'From'];
  const rows = lines.map(({ name, baseUrl, sellerId, marketplaceId, marketplace, from, problem }) => {
    const service = baseUrl === undefined ? 'not known' : new URL(baseUrl).host;
    return {
      name,
      problem,
      cells: [name, service, sellerId ?? '', marketplace ?? marketplaceId ?? '', from ?? 'not known'],
    };
  });
  const fitted = fitRows([head, ...rows.map(({ cells }) => cells)], width);
  const table = new Table({
    head,
    style: { head: [], border: [] },
    colWidths: fitted.widths,
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  const inner = fitted.widths.reduce((sum, one) => sum + one + 1, 0) - 3;
  rows.forEach(({ name, problem }, at) => {
    table.push(fitted.rows[at + 1] ?? []);
    if (problem === undefined) return;
    table.push([{ colSpan: 5, content: wrap(`${name}: ${problem}`, inner).join('\n') }]);
  });
  return table.toString();
}

export const accounts = createAccounts(openKeychain);
