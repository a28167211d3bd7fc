/** The command line of the real program: words, flags and help in whatever order they are typed. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/base/errors.ts';
import { COMMANDS } from '../../../../src/program/commands/line/command-table.ts';
import { parseCommandLine } from '../../../../src/program/commands/line/parse-command-line.ts';
import { expectOnlyIn } from '../../../helpers/only-in.ts';
import { homeEnvironment } from '../../../helpers/outside-service.ts';
import { runProgram } from '../../../helpers/run-program.ts';

const parse = (...argv: string[]) => parseCommandLine(argv, COMMANDS);
const failure = (...argv: string[]) =>
  parse(...argv).then(
    () => '',
    (error: unknown) => (error instanceof ConfigError ? `${error.message} ${error.hint}` : 'another error'),
  );

it('no option is declared by its negative, which the parser turns round: --no-open is open, and false', async () => {
  for (const load of Object.values(COMMANDS)) {
    const { name, options = {} } = await load();
    expect({ name, negative: Object.keys(options).filter((option) => option.startsWith('no-')) }).toEqual({
      name,
      negative: [],
    });
  }
  expect((await parse('board', '--no-open')).line.values).toMatchObject({ open: false });
});

describe('words', () => {
  it.each(Object.keys(COMMANDS).map((name) => [name]))(
    '%s refuses a word that it does not take',
    async (name) => {
      const { takes = 0 } = (await COMMANDS[name]?.()) ?? {};
      const words = Array.from({ length: takes + 1 }, (_, at) => `word${at}`);
      expect(await failure(name, ...words)).toMatch(
        new RegExp(`"word${takes}" is not understood: ${name} takes`),
      );
      expect(await failure('--region', 'eu', name, '--', ...words)).toContain('is not understood');
    },
  );

  it.each(['login', 'logout'])('%s NAME names the account, before and behind flags', async (name) => {
    for (const argv of [
      [name, 'shop', '--region', 'eu'],
      ['--region', 'eu', name, 'shop'],
      ['--region=eu', name, '--account', 'shop'],
      [name, 'shop', '--region', 'eu', '--account=shop'],
    ]) {
      const { command, line } = await parse(...argv);
      expect(command.name).toBe(name);
      expect(line.flags).toEqual({ account: 'shop', region: 'eu' });
    }
    expect(await failure(name, 'shop', '--account', 'other')).toContain('is given two names');
  });

  it('never repeats a word that may be a secret', async () => {
    const secret = 'canary'.repeat(9);
    for (const argv of [['status', secret], [secret], ['--client-secret', secret], [`--token=${secret}`]]) {
      const message = await failure(...argv);
      expect(message).not.toBe('');
      expect(message).not.toContain('canary');
    }
  });

  it('says that a switch takes no value', async () => {
    for (const argv of [['--read-only', 'true'], ['status', '--json', 'yes'], ['--read-only=false']]) {
      expect(await failure(...argv)).toMatch(/^--(read-only|json) takes no value\. .*--no-/);
    }
  });
});

describe('flags', () => {
  it.each([
    [['--region', 'eu', 'login'], 'login'],
    [['--limit', '5', 'history'], 'history'],
    [['--json', '--account', 'login', 'status'], 'status'],
    [['--no-verify', '--region=eu', 'login'], 'login'],
    [['--sandbox'], 'serve'],
    [['--yes', '--name', 'install', 'uninstall', 'cursor'], 'uninstall'],
  ])('%j is %s', async (argv, name) => {
    expect((await parse(...argv)).command.name).toBe(name);
  });

  it('no two commands have an option of one name and two kinds, so that it is read alike before any', async () => {
    const kinds = new Map<string, string>();
    for (const load of Object.values(COMMANDS)) {
      for (const [name, { type }] of Object.entries((await load()).options)) {
        expect(kinds.get(name) ?? type).toBe(type);
        kinds.set(name, type);
      }
    }
  });

  it.each([
    [['--region', 'eu', 'login', '--region', 'na'], '--region'],
    [['status', '--json', '--json'], '--json'],
    [['login', '--verify', '--no-verify'], '--verify'],
    [['--sandbox', '--sandbox'], '--sandbox'],
  ])('%j: %s is given twice', async (argv, flag) => {
    expect(await failure(...argv)).toContain(`${flag} is given twice`);
  });

  it.each([
    [['--sandbxo'], 'Did you mean --sandbox?'],
    [['history', '--limt', '3'], 'Did you mean --limit?'],
    [['install', 'cursor', '--dry'], 'Did you mean --dry-run?'],
    [['statu'], 'Did you mean status?'],
    [['--region', 'eu', 'Login'], 'Did you mean login?'],
    [['def'], 'Did you mean definitions?'],
    [['help', 'instal'], ''],
  ])('%j: %s', async (argv, message) => {
    expect(await failure(...argv)).toContain(message);
  });

  it.each([
    '--client-secret',
    '--refresh-token',
    '--clientId',
    '--SELLER_CLIENT_SECRET',
    '--access-token',
    '--password',
  ])('%s: secrets are never flags, and what to do instead', async (flag) => {
    const message = await failure('login', flag, 'x');
    const near = await failure('history', '--limt', '3');
    expect(message).toMatch(/^Secrets are never flags.*login command.*SELLER_CLIENT_SECRET/);
    expectOnlyIn('Did you mean', near, message);
  });
});

describe('the program', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'command-line-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  const run = (...args: string[]) => runProgram(args, { env: homeEnvironment(home) });

  it('prints help of at most 80 columns for everything, in three ways', async () => {
    const all = (await run('help')).stdout;
    expect((await run('--help')).stdout).toBe(all);
    for (const name of Object.keys(COMMANDS)) expect(all).toContain(`\n  ${name} `);
    const one = await run('help', 'history');
    expect(one).toEqual(await run('history', '--help'));
    expect(one.stdout).toContain('--since WHEN');
    for (const line of `${all}\n${one.stdout}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const wrong = await run('help', 'histroy');
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean history?'),
    });
  });

  it('tells wrong settings on stderr at start, and names how it can be called from here', async () => {
    const { code, stderr, stdout } = await run('--writes', 'maybe');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Invalid settings\. --writes: .*\n.*npm --prefix \S+ start -- --help/);
  });

  it('runs the command behind a flag, though stdin is closed', async () => {
    const { code, stderr } = await run('--region', 'eu', 'definitions');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing subcommand.'),
    });
  });
});
