/** Writes JSON log lines to stderr through one redacting sink, and loads pino with the first line. */

import type { Logger } from 'pino';
import { escapeInJson } from './text/escape-text.ts';

type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type Log = Readonly<
  Record<LogLevel, (message: string, fields?: Readonly<Record<string, unknown>>) => void>
>;

const ORDER = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export interface LogOptions {
  /** Returns the level; called when the first line is to be written. */
  level(): (typeof ORDER)[number];
  /** Receives whole lines; main.ts passes stderr. */
  write(line: string): void;
  /** Removes every secret from a line. */
  redact(text: string): string;
  /** Loads further redaction before the first line is written. */
  openRedaction?(): Promise<(text: string) => string>;
}

/** Creates a log. Lines below `level` cost nothing; the others appear in order, a moment later. */
export function createLog({ level, write, redact, openRedaction }: LogOptions): Log {
  let logger: Promise<Logger> | undefined;
  const open = async () => {
    // A bundled CommonJS module has only a default export.
    const [{ default: pino }, more] = await Promise.all([import('pino'), openRedaction?.()]);
    const clean = (text: string) => more?.(redact(text)) ?? redact(text);
    // Lines are escaped, because logs are usually viewed in a terminal.
    const sink = { write: (line: string) => write(`${escapeInJson(clean(line.trimEnd()))}\n`) };
    return pino({ level: level(), base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, sink);
  };
  const at =
    (wanted: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (ORDER.indexOf(wanted) > ORDER.indexOf(level())) return;
      logger ??= open();
      // A log that fails to open must not end the server.
      logger.then(
        (pino) => pino[wanted](fields, message),
        () => {},
      );
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
