/** The User-Agent of every request: this program and version, that it is an automated agent, and the MCP client it works for. */

/** The MCP client as it names itself, over the wire: nothing of it is trusted. */
export interface NamedClient {
  name: string;
  version?: string | undefined;
}

/** The max characters of a client's name and of its version: the service takes 500 for the whole header. */
const MAX_PART = 64;

/**
 * Formats the header as the public service requests it, `App/Version (Name=Value; ...)`. Amazon's policy for agents asks that
 * automated ones say so.
 */
export function userAgent(version: string, client?: NamedClient): string {
  const attributes = [
    'Language=TypeScript',
    `Platform=Node/${process.versions.node}`,
    'Agent=automated',
    ...clientAttribute(client),
  ];
  return `seller-commerce-mcp/${version} (${attributes.join('; ')})`;
}

function clientAttribute(client: NamedClient | undefined): string[] {
  const [name, version] = [client?.name, client?.version].map(plain);
  if (name === undefined) return [];
  return [`Client=${name}${version === undefined ? '' : `/${version}`}`];
}

/** Letters, digits and a few signs; whatever could end the value or the header becomes `-`. */
function plain(text: string | undefined): string | undefined {
  const kept = (text ?? '')
    .slice(0, MAX_PART)
    .replace(/[^A-Za-z0-9._+@]+/g, '-')
    .replace(/^-|-$/g, '');
  return kept === '' ? undefined : kept;
}
