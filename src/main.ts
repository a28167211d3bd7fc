#!/usr/bin/env node
/**
 * The composition root takes the command line and returns an exit code. Only this module touches argv, the
 * environment, stdio and exit.
 */

import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Config } from './base/config.ts';
import { AppError, ConfigError, InputError } from './base/errors.ts';
import { SECRET_VARIABLES } from './base/generated/secret-variables.ts';
import { escapeLines } from './base/text/escape-text.ts';
import { createRedactor } from './privacy/secrets/redact.ts';
import { COMMANDS, DEFAULT_COMMAND } from './program/commands/line/command-table.ts';
import type { ParsedCommandLine } from './program/commands/line/parse-command-line.ts';
import { createStopSignals } from './program/commands/line/stop-signals.ts';
import { enableCompileCache } from './program/compile-cache.ts';
import { refusalOfNode } from './program/required-node.ts';
import type { Outside } from './program/runtime/outside.ts';
import { VERSION } from './program/version.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong command line or settings. */
const FAILED = 1;
const WRONG_USAGE = 2;

const EXIT_GRACE_MS = 500;

/** The width of tables that are written to a file or a pipe. */
const PIPED_COLUMNS = 100;

/**
 * The delay after which a start counts as finished, so that its compiled code can be cached for the next one.
 */
const STARTED_MS = 2_000;

/**
 * Secrets from the environment. They are redacted from all output. They are also removed from `process.env`,
 * so that no child (a browser, the keychain's process, a thread) inherits them.
 */
const redactor = createRedactor();
const secrets: Record<string, string> = {};
for (const name of SECRET_VARIABLES) {
  const value = process.env[name];
  if (value === undefined) continue;
  redactor.add(value, name);
  secrets[name] = value;
  delete process.env[name];
}

// Node before 24.15 prints a warning about its SQLite, which stores this program's state.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...more: unknown[]) => {
  if (String(warning).startsWith('SQLite is an experimental')) return;
  Reflect.apply(emitWarning, process, [warning, ...more]);
};

const STARTED_PROGRAM = {
  entryFile: fileURLToPath(import.meta.url),
  version: VERSION,
  platform: process.platform,
  env: process.env,
};

const stops = createStopSignals(process, (text) => void process.stderr.write(text));

async function main(argv: readonly string[]): Promise<number> {
  const refusal = refusalOfNode(process.versions.node, process.execPath);
  if (refusal !== undefined) {
    process.stderr.write(`${refusal}\n`);
    return FAILED;
  }
  enableCompileCache(process.platform, process.env);
  if (argv[0] === 'keychain-child') {
    // Ctrl-C reaches the child process too. It ignores the signal so that a keychain write in progress
    // completes.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => {});
    const { serveParent } = await import('./accounts/keychain/keychain-child.ts');
    return serveParent(process.stdin, process.stdout, process.stderr);
  }
  // Node itself writes the compile cache only when it exits, which a host that kills the process prevents.
  setTimeout(() => module.flushCompileCache(), STARTED_MS).unref();
  // These modules load late, so that the keychain child above loads only its own code.
  const [parsed, { buildConfig }] = await Promise.all([readCommandLine(argv), import('./base/config.ts')]);
  const { command, line } = parsed;
  if (parsed.wantsVersion) return print(VERSION);
  const io = createIo(() => buildConfig(line.flags, { ...process.env, ...secrets }));
  if (parsed.wantsHelp) {
    const { helpOn } = await import('./program/commands/help.ts');
    return helpOn(COMMANDS).run({ values: {}, positionals: parsed.isNamed ? [command.name] : [] }, io);
  }
  stops.graceMs = command.graceMs ?? stops.graceMs;
  return command.run(line, io);
}

/** Most hosts pass no arguments, and the program starts sooner without the parser. */
async function readCommandLine(argv: readonly string[]): Promise<ParsedCommandLine> {
  if (argv.length > 0) {
    const { parseCommandLine } = await import('./program/commands/line/parse-command-line.ts');
    const parsed = await parseCommandLine(argv, COMMANDS).catch(() => undefined);
    if (parsed?.command.name === DEFAULT_COMMAND) return parsed;
    await locateProgram();
    // Parsing repeats the error, so that its commands have the form that works here.
    return parsed ?? parseCommandLine(argv, COMMANDS);
  }
  const line = { values: {}, positionals: [], flags: {} };
  return {
    command: (await import('./program/commands/serve.ts')).serve,
    isNamed: false,
    line,
    wantsHelp: false,
    wantsVersion: false,
  };
}

/** A server does this by itself later, because its start needs no command text. */
async function locateProgram(): Promise<void> {
  (await import('./program/find-invocation.ts')).locateProgram(STARTED_PROGRAM);
}

/** Redacts and escapes text that goes to a terminal, or to a file that somebody may view in one. */
function clean(text: string): string {
  return escapeLines(redactor.redact(text));
}

function createIo(readConfig: () => Config): Outside {
  return {
    stdout: (text) => void process.stdout.write(clean(text)),
    stdoutMadeUp: (text) => void process.stdout.write(escapeLines(text)),
    stderr: (text) => void process.stderr.write(clean(text)),
    prompt: (text) => void process.stderr.write(redactor.redact(text)),
    learn: redactor.add,
    stdin: process.stdin,
    protocolOut: process.stdout,
    interactive: process.stdout.isTTY === true,
    columns: process.stdout.columns || PIPED_COLUMNS,
    get config() {
      return readConfig();
    },
    ...STARTED_PROGRAM,
    execPath: process.execPath,
    userId: process.geteuid?.(),
    insideElectron: process.versions.electron !== undefined,
    openInBrowser: async (url) =>
      (await import('./program/open-in-browser.ts')).open(url, { ...STARTED_PROGRAM, config: readConfig() }),
    get signal() {
      return stops.signal;
    },
  };
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function report(error: unknown): number {
  if (!(error instanceof AppError)) {
    const what = error instanceof Error ? error.stack : error;
    process.stderr.write(clean(`Something went wrong inside seller-commerce-mcp: ${what}\n`));
    return FAILED;
  }
  const problems =
    error instanceof InputError ? error.problems.map((one) => `  ${one.path}: ${one.message}`) : [];
  const lines = [error.message, ...problems, error.hint].filter((text) => text !== '');
  process.stderr.write(clean(`${lines.join('\n')}\n`));
  return error instanceof ConfigError || error instanceof InputError ? WRONG_USAGE : FAILED;
}

/** Ends the process when all output is flushed, or after `EXIT_GRACE_MS` when nobody reads it. */
function exit(code: number): void {
  const leave = () => stops.leave(() => process.exit(code));
  setTimeout(leave, EXIT_GRACE_MS);
  process.stdout.write('', leave);
}

// A reader that closed its end must not crash the process during its last output.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
exit(await main(process.argv.slice(2)).catch(report));
