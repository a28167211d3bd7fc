/** The SDK's client with a person behind it: finds the provider by itself, registers, logs in by the whole flow, and asks for more where a scope is missing. */

import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type DemoPerson, logInAs } from './openid-provider.ts';

export interface AgencyClient {
  client: Client;
  /** Calls a tool. If a scope is missing, the user logs in at the provider again and the call is repeated. */
  call(name: string, args: Record<string, unknown>): Promise<Awaited<ReturnType<Client['callTool']>>>;
  /** The scopes that the user was asked to allow, each time. */
  askedFor: string[];
  close(): Promise<void>;
}

/** No server listens at this address, because the demo is the browser and takes the code itself. */
const REDIRECT = 'http://127.0.0.1:1/callback';

interface Kept {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  discovery?: OAuthDiscoveryState;
  /** The parameters with which the provider sent the browser back. */
  answer?: URLSearchParams;
}

export async function connectAs(person: DemoPerson, endpoint: URL): Promise<AgencyClient> {
  const askedFor: string[] = [];
  const kept: Kept = {};
  const authProvider = keepIn(kept, async (url) => {
    askedFor.push(url.searchParams.get('scope') ?? '');
    kept.answer = (await logInAs(person, url)).searchParams;
  });
  const finish = async (transport: StreamableHTTPClientTransport, error: unknown) => {
    const { answer } = kept;
    if (!(error instanceof UnauthorizedError) || answer === undefined) throw error;
    delete kept.answer;
    await transport.finishAuth(answer);
  };
  const open = async () => {
    const transport = new StreamableHTTPClientTransport(endpoint, { authProvider });
    const info = { name: `agency-${person.login}`, version: '1.0.0' };
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport).catch((error: unknown) => finish(transport, error));
    return { client, transport };
  };
  // The first is told to log in, and is not connected.
  await open();
  const { client, transport } = await open();
  return {
    client,
    askedFor,
    async call(name, args) {
      const request = { name, arguments: args };
      try {
        return await client.callTool(request);
      } catch (error) {
        await finish(transport, error);
        return client.callTool(request);
      }
    },
    close: () => client.close(),
  };
}

function keepIn(kept: Kept, redirectToAuthorization: (url: URL) => Promise<void>): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Agency demonstration',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
    redirectToAuthorization,
  };
}
