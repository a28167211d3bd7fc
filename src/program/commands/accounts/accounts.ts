/**
 * The `accounts` command lists the accounts and their origins, and sets the values of one that are not
 * secret.
 */

import type { Accounts, CredentialStore } from '../../../accounts/account.ts';
import { CredentialError, InputError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { formatTable } from '../../../base/text/fit-columns.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import { openAccounts, openKeychain } from '../../runtime/open-accounts.ts';
import { createProgram } from '../../runtime/program.ts';
import type { Command } from '../line/command.ts';

export const accounts: Command = {
  name: 'accounts',
  summary: 'List the accounts and where each comes from; set the seller ID and marketplace of one',
  positionals: 'list | set [account]',
  takes: 2,
  options: { json: { type: 'boolean', help: 'Print one JSON object: { accounts, keychain }' } },
  details: [
    'accounts set NAME --seller-id ID --marketplace-id COUNTRY adds one of them or both to an account in the keychain',
    '(without NAME: default), or replaces them; its credentials stay as they are.',
    'Secrets are never shown. Exit code 1: the keychain does not answer and nothing else defines an account.',
  ].join('\n'),
  async run(args, io) {
    const { values, positionals } = args;
    const [action = 'list', ...rest] = positionals;
    if (action === 'set') return (await import('./set-ids.ts')).setIds(args, io);
    if (action !== 'list' || rest.length > 0) {
      throw new InputError(
        `This is not understood: accounts ${positionals.join(' ')}.`,
        'Write accounts list, or accounts set NAME --seller-id ID.',
      );
    }
    const store = openKeychain(io);
    const program = io.config.sandbox ? createProgram(io) : undefined;
    // The sandbox defines the account, so no keychain is needed.
    const keychain: KeychainStatus = program === undefined ? await probeKeychain(store) : { reachable: true };
    const source = openAccounts(io, store, { sandbox: program?.sandbox });
    const lines = await listAccounts(source).finally(() => program?.close());
    if (values.json === true) io.stdout(`${JSON.stringify({ accounts: lines, keychain }, null, 2)}\n`);
    else if (lines.length === 0) io.stdout(howToAdd());
    else io.stdout(`${await formatAccounts(lines, io.columns)}\n${nameDefault(lines, io.config.account)}`);
    if (!keychain.reachable && values.json !== true)
      io.stderr(`The keychain was left out: ${keychain.problem}\n`);
    return 0;
  },
};

async function listAccounts(source: Accounts): Promise<AccountLine[]> {
  const names = await source.names();
  return Promise.all(names.map((name) => describe(name, source)));
}

const howToAdd = () =>
  [
    `There are no accounts yet. To add one: ${commandLine('login')}`,
    `A second one: ${commandLine('login NAME')}`,
    '',
  ].join('\n');

/** Explains which of several accounts is the default for questions. */
function nameDefault(lines: readonly AccountLine[], name: string): string {
  if (lines.length < 2) return '';
  if (lines.some((line) => line.name === name))
    return `\nA question that names no account means "${name}". To mean another one: --account NAME.\n`;
  return `\nA question that names no account finds none: there is no account "${name}". To mean one of these: --account NAME.\n`;
}

interface KeychainStatus {
  reachable: boolean;
  problem?: string;
}

async function probeKeychain(store: CredentialStore): Promise<KeychainStatus> {
  try {
    await store.list();
    return { reachable: true };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    return { reachable: false, problem: error.message };
  }
}

type AccountLine = Awaited<ReturnType<typeof describe>>;

/** Returns one row of the table; nothing in it is secret, and unknown values are undefined. */
async function describe(name: string, source: Accounts) {
  const { origins, problem } = await source.describe(name);
  const from = origins.clientId ?? origins.clientSecret ?? origins.refreshToken;
  const profile = await source.profile(name).catch(() => undefined);
  const { baseUrl, sellerId, marketplaceId } = profile ?? {};
  const marketplace = marketplaceId === undefined ? undefined : marketplaceById(marketplaceId)?.name;
  return { name, baseUrl, sellerId, marketplaceId, marketplace, from, problem: problem?.message };
}

function formatAccounts(lines: readonly AccountLine[], width: number): Promise<string> {
  const head = ['Account', 'Service', 'Seller ID', 'Marketplace', 'From'];
  const rows = lines.map(({ name, baseUrl, sellerId, marketplaceId, marketplace, from, problem }) => {
    const service = baseUrl === undefined ? 'not known' : new URL(baseUrl).host;
    return {
      cells: [name, service, sellerId ?? 'none', marketplace ?? marketplaceId ?? '', from ?? 'not known'],
      below: problem === undefined ? undefined : `${name}: ${problem}`,
    };
  });
  return formatTable(head, rows, width);
}
