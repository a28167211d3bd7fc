/** How a person starts this program from a shell, as it was started here; for every text that names a command. */

const PACKAGE_NAME = 'seller-commerce-mcp';

/** Until `rememberInvocation`, and in tests of single modules. */
let form: string | undefined = PACKAGE_NAME;

/** Many people use the process from elsewhere, and none of them runs it. */
let isServer = false;

/** Of the process, which is started in one way only. Undefined: nobody can start it from a shell. */
export function rememberInvocation(found: string | undefined): void {
  form = found;
}

/** From now on no text names a command, settings or a computer of whoever reads it. @returns takes it back, for tests */
export function rememberServer(): () => void {
  const before = form;
  form = undefined;
  isServer = true;
  return () => {
    form = before;
    isServer = false;
  };
}

/** Where files and tables lie, as whoever reads it sees it. */
export const thisComputer = () => (isServer ? 'the server' : 'this computer');

/** What is left to somebody who does not run the server. Begins with a small letter, has no full stop. */
export function howToHave(what: string, otherwise: () => string): string {
  return isServer ? `ask whoever runs this server to ${what}` : otherwise();
}

/**
 * A command as a person types it: `npx -y seller-commerce-mcp@0.1.0 login`. Only where `hasCommandLine()`; elsewhere the
 * name stands for the program.
 * @param words what follows the program's name
 */
export function commandLine(words: string): string {
  return `${form ?? PACKAGE_NAME} ${words}`;
}

/** False in a desktop bundle, whose program only the host can start, and for who uses a server from elsewhere. */
export function hasCommandLine(): boolean {
  return form !== undefined;
}

/** The sentence that tells a person how to give an account its credentials. Begins with a small letter, has no full stop. */
export function howToLogin(account = 'default'): string {
  if (isServer) return howToHave(`give account "${account}" its credentials`, () => '');
  if (hasCommandLine())
    return `run \`${commandLine(account === 'default' ? 'login' : `login --account ${account}`)}\``;
  return account === 'default'
    ? 'enter client id, client secret and refresh token in the settings of this extension in your host'
    : `in the settings of this extension, set the account to "${account}" and enter its credentials`;
}
