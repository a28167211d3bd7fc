/** Formats the command with which a user starts this program from a shell, for every text that names one. */

const PACKAGE_NAME = 'seller-commerce-mcp';

/** The value before `rememberInvocation`, and in tests of single modules. */
let form: string | undefined = PACKAGE_NAME;

/** True when remote users share the process, none of whom runs it. */
let isServer = false;

/**
 * Stores the command of the process, which is started in one way only. Undefined means that no shell can
 * start it.
 */
export function rememberInvocation(found: string | undefined): void {
  form = found;
}

/**
 * Makes every text avoid commands, settings and the reader's computer, because this process is a server.
 * @returns a function that reverts it, for tests
 */
export function rememberServer(): () => void {
  const before = form;
  form = undefined;
  isServer = true;
  return () => {
    form = before;
    isServer = false;
  };
}

/** Names the computer that stores files and tables, from the reader's point of view. */
export const thisComputer = () => (isServer ? 'the server' : 'this computer');

/**
 * Returns the instruction for a user who does not run the server. It begins with a lower-case letter and has
 * no full stop.
 */
export function howToHave(what: string, otherwise: () => string): string {
  return isServer ? `ask whoever runs this server to ${what}` : otherwise();
}

/**
 * Formats a command as a user types it: `npx -y seller-commerce-mcp@0.1.0 login`. Valid only when
 * `hasCommandLine()`; otherwise the package name is used.
 * @param words the arguments after the program's name
 */
export function commandLine(words: string): string {
  return `${form ?? PACKAGE_NAME} ${words}`;
}

/** Returns false in a desktop bundle, which only the host can start, and for remote users of a server. */
export function hasCommandLine(): boolean {
  return form !== undefined;
}

/**
 * Explains to a user how to give an account its credentials. The text begins with a lower-case letter and has
 * no full stop.
 */
export function howToLogin(account = 'default'): string {
  if (isServer) return howToHave(`give account "${account}" its credentials`, () => '');
  if (hasCommandLine())
    return `run \`${commandLine(account === 'default' ? 'login' : `login --account ${account}`)}\``;
  return account === 'default'
    ? 'enter client id, client secret and refresh token in the settings of this extension in your host'
    : `in the settings of this extension, set the account to "${account}" and enter its credentials`;
}
