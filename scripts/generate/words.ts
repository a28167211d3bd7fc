/** How the program is named and described where a host, a directory or a registry shows it. */

export const DISPLAY_NAME = 'Seller Commerce';

/** The description for the registry, which accepts at most 100 characters. */
export const SHORT_DESCRIPTION =
  'For sellers: explains listing issues, edits stores with a preview, calls any operation';

export const LONG_DESCRIPTION = `Works with a seller's commerce service (Amazon's Selling Partner API) from your assistant.

- **Listings**: looks up an item and explains what is wrong with it, worst first, and what to correct.
- **Stores and warehouses**: changes opening hours, contacts, pickup and delivery. You see the difference first, and nothing is sent until you agree.
- **Every other operation** of the public definitions: orders, inventory, reports, fees, feeds, shipping. Reading and writing are separate tools, so that you can allow one without the other.

Every write is shown, confirmed, recorded in a local journal and read back. Secrets stay in this host's secure settings or in your system's keychain. There is no telemetry.

**Try it without an account**: switch on "Demo shop"; the program then answers from a made-up shop on your own machine.

**With your account**: enter the client ID, client secret and refresh token of your application, and your region. If you keep them in your system's keychain (as the program's \`login\` command does), leave the three fields empty.`;

/** The first sentence of a tool's description, for lists of tools. */
export const firstSentence = (text: string): string => /^.*?[.](?= |$)/s.exec(text)?.[0] ?? text;
