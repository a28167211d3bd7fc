/** Logging: JSON lines to stderr through one redacting sink, with pino loaded at the first line that is written. */

import type { Logger } from 'pino';
import { escapeInJson } from './text/escape-text.ts';

type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type Log = Readonly<
  Record<LogLevel, (message: string, fields?: Readonly<Record<string, unknown>>) => void>
>;

const ORDER = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export interface LogOptions {
  /** Asked when the first line is to be written. */
  level(): (typeof ORDER)[number];
  /** Takes whole lines; main.ts gives stderr. */
  write(line: string): void;
  /** Takes every secret out of a line. */
  redact(text: string): string;
  /** What else is taken out, loaded before the first line is written. */
  openRedaction?(): Promise<(text: string) => string>;
}

/** A log whose lines below `level` cost nothing and whose others appear in order, a moment later. */
export function createLog({ level, write, redact, openRedaction }: LogOptions): Log {
  let logger: Promise<Logger> | undefined;
  const open = async () => {
    // The default export: a bundled CommonJS module has no named ones.
    const [{ default: pino }, more] = await Promise.all([import('pino'), openRedaction?.()]);
    const clean = (text: string) => more?.(redact(text)) ?? redact(text);
    // Whoever follows a log follows it in a terminal.
    const sink = { write: (line: string) => write(`${escapeInJson(clean(line.trimEnd()))}\n`) };
    return pino({ level: level(), base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, sink);
  };
  const at =
    (wanted: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (ORDER.indexOf(wanted) > ORDER.indexOf(level())) return;
      logger ??= open();
      // A log that cannot be opened must not end the server.
      logger.then(
        (pino) => pino[wanted](fields, message),
        () => {},
      );
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
