/** How a person starts this program from a shell, as it was started here; for every text that names a command. */

const PACKAGE_NAME = 'seller-commerce-mcp';

/** Until `rememberInvocation`, and in tests of single modules. */
let form: string | undefined = PACKAGE_NAME;

/** Of the process, which is started in one way only. Undefined: nobody can start it from a shell. */
export function rememberInvocation(found: string | undefined): void {
  form = found;
}

/**
 * A command as a person types it: `npx -y seller-commerce-mcp@0.1.0 login`. Only where `hasCommandLine()`; elsewhere the
 * name stands for the program.
 * @param words what follows the program's name
 */
export function commandLine(words: string): string {
  return `${form ?? PACKAGE_NAME} ${words}`;
}

/** False in a desktop bundle, whose program only the host can start. */
export function hasCommandLine(): boolean {
  return form !== undefined;
}

/** The sentence that tells a person how to give an account its credentials. Begins with a small letter, has no full stop. */
export function howToLogin(account = 'default'): string {
  if (hasCommandLine())
    return `run \`${commandLine(account === 'default' ? 'login' : `login --account ${account}`)}\``;
  return account === 'default'
    ? 'enter client id, client secret and refresh token in the settings of this extension in your host'
    : `in the settings of this extension, set the account to "${account}" and enter its credentials`;
}
