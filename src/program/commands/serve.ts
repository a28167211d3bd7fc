/** The default command serves MCP over stdio until the host closes its end. */

import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import type { ConnectedClient } from '../../protocol/connected-client.ts';
import { createServer } from '../../protocol/create-server.ts';
import { TOOL_LIST } from '../../protocol/generated/tool-list.ts';
import {
  createLineAssembler,
  type DroppedLine,
  findRequestId,
  MAX_LINE_BYTES,
  MAX_LINE_VALUES,
} from '../../protocol/line-assembler.ts';
import { PacedTransport } from '../../protocol/paced-transport.ts';
import type { Session } from '../../write/session.ts';
import { LOCAL, openSession } from '../runtime/open-session.ts';
import type { Outside } from '../runtime/outside.ts';
import { createProgram, type ProgramParts } from '../runtime/program.ts';
import type { Command } from './line/command.ts';

/** This timer only keeps the process alive in hosts whose stdin does not. */
const KEEP_ALIVE_MS = 60_000;

/**
 * The grace period, in which the session waits up to 2 s to record the outcome of a write or a rotated
 * refresh token.
 */
const GRACE_MS = 3_000;

/** The delay after the start until personal data of killed processes are removed. */
const CLEAN_MS = 1_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Serve MCP over stdio (the default; hosts start it)',
  options: {},
  graceMs: GRACE_MS,
  async run(_args, io) {
    const program = createProgram(io);
    // The invocation is determined before the first text that may name a command, and only once, because that
    // searches PATH.
    const knowInvocation = lazy(async () => (await import('../find-invocation.ts')).locateProgram(io));
    const reporting = reportProblems(program.config, knowInvocation, io);
    const connected: ConnectedClient = { named: undefined };
    const session = openSession(program, LOCAL, connected);
    const lines = createLineAssembler({ onDropped: (line) => refuseLine(line, io) });
    const closed = new AbortController();
    const transport = new PacedTransport(io.stdin.pipe(lines), io.protocolOut, () => closed.abort());
    const parts = {
      version: io.version,
      tools: TOOL_LIST,
      loadTool: async (name: string) => {
        const [{ loadTool }] = await Promise.all([import('../../../tools/index.ts'), knowInvocation()]);
        return loadTool(name);
      },
      session,
      connected,
    };
    const connection = serveStdio(() => createServer(parts), {
      transport,
      onerror: (error) => session.log.debug('MCP transport', { err: error.message }),
    });
    const cleaning = setTimeout(() => void removeEnded(program, session), CLEAN_MS).unref();
    const keepAlive = setInterval(() => {}, KEEP_ALIVE_MS);
    await firstAbort(closed.signal, io.signal);
    clearInterval(keepAlive);
    clearTimeout(cleaning);
    await Promise.allSettled([reporting, connection.close(), session.close()]);
    await program.close();
    return 0;
  },
};

/**
 * Removes expired tables without delaying anything; its modules load after the host has had its first
 * answers.
 */
async function removeEnded({ config, comparisons, now }: ProgramParts, { own, log }: Session): Promise<void> {
  try {
    const { removeEndedTables } = await import('../runtime/remove-ended-tables.ts');
    await own(removeEndedTables(config(), comparisons, now));
  } catch (error) {
    log.debug('Ended tables were not removed', {
      err: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Reports problems on stderr, which hosts log and a user at a terminal sees at once. */
async function reportProblems(
  config: () => Config,
  knowInvocation: () => Promise<void>,
  io: Outside,
): Promise<void> {
  const problem = () => {
    try {
      config();
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  };
  const isTerminal = io.stdin.isTTY === true;
  if (problem() === undefined && config().marketplaceId === undefined && !isTerminal) return;
  const { printProblem, printWaitingNotice } = await import('./line/print-at-start.ts');
  await knowInvocation();
  const problemFound = problem() ?? (await marketplaceProblem(config));
  if (problemFound !== undefined) printProblem(problemFound, io);
  if (isTerminal) printWaitingNotice(io);
}

/** Validates the marketplace here, because a start loads no table of marketplaces. */
async function marketplaceProblem(config: () => Config): Promise<AppError | undefined> {
  const { marketplaceIdOf } = await import('../../accounts/resolve-account.ts');
  try {
    marketplaceIdOf(config());
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

async function firstAbort(...signals: AbortSignal[]): Promise<void> {
  const either = AbortSignal.any(signals);
  if (!either.aborted) await once(either, 'abort');
}

/** Answers a message that was not read, so that its sender does not wait in vain. */
function refuseLine({ reason, head, tail }: DroppedLine, { protocolOut }: Outside): void {
  const answer = { jsonrpc: '2.0', id: findRequestId(head, tail) ?? null, error: REFUSALS[reason] };
  protocolOut.write(`${JSON.stringify(answer)}\n`);
}

const REFUSALS = {
  bytes: {
    code: -32600,
    message: `Message longer than ${MAX_LINE_BYTES} bytes; it was not read. Send less in one call, or a query over collected data where the tool takes one.`,
  },
  values: {
    code: -32602,
    message: `Message with more than ${MAX_LINE_VALUES} values and member names; it was not read. Send less in one call, or a query over collected data where the tool takes one.`,
  },
};
