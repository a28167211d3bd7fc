/**
 * The table of commands. Each is loaded when it is used, so that starting the server loads only the server.
 */

import type { CommandTable } from './find-command.ts';

export const COMMANDS: CommandTable = {
  serve: async () => (await import('../serve.ts')).serve,
  'serve-http': async () => (await import('../serve-http.ts')).serveHttp,
  sandbox: async () => (await import('../sandbox.ts')).sandbox,
  login: async () => (await import('../accounts/login.ts')).login,
  logout: async () => (await import('../accounts/logout.ts')).logout,
  accounts: async () => (await import('../accounts/accounts.ts')).accounts,
  status: async () => (await import('../check/status.ts')).status,
  history: async () => (await import('../history.ts')).history,
  stop: async () => (await import('../stop.ts')).stop,
  watch: async () => (await import('../watch.ts')).watch,
  board: async () => (await import('../board.ts')).board,
  data: async () => (await import('../data.ts')).data,
  definitions: async () => (await import('../definitions/definitions.ts')).definitions,
  install: async () => (await import('../hosts/install.ts')).install,
  uninstall: async () => (await import('../hosts/uninstall.ts')).uninstall,
  help: async () => (await import('../help.ts')).helpOn(COMMANDS),
};

/** The command that runs by default. */
export const DEFAULT_COMMAND = 'serve';
