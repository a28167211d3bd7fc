/** The worst service there could be: issues secrets, and repeats every secret it was given, in every spelling. */

import { type Answer, type HttpService, type ReceivedRequest, startHttpService } from './http-service.ts';
import { formsOf } from './leak-search.ts';

export interface EchoingService extends HttpService {
  /** Refuses the token exchange from now on, repeating what came in. */
  refuseTokens(refuse: boolean): void;
}

export interface IssuedSecrets {
  accessToken: string;
  rotatedToken: string;
  restrictedToken: string;
}

/** The spellings that services and gateways are known to write. */
const SPELLED =
  /^(value|JSON|JSON in JSON|JSON with \\\/|URL|URL, lower case|URL of URL|form|base64(url)? at \d)$/;

/** @param secrets what it may repeat: the program must know each before it is repeated, so only what went by is. */
export async function startEchoingService(
  issued: IssuedSecrets,
  secrets: readonly string[],
  spelled = SPELLED,
): Promise<EchoingService> {
  const known = new Set<string>();
  let refusing = false;
  let turn = 0;
  const service = await startHttpService((request): Answer => {
    for (const secret of secrets) {
      if (request.body.includes(JSON.stringify(secret).slice(1, -1))) known.add(secret);
    }
    const secretsText = [...known].flatMap((secret) => spellings(secret, spelled)).join(' | ');
    if (request.path === '/auth/o2/token' && refusing) return refusal(request, secretsText);
    if (request.path === '/auth/o2/token') {
      known.add(issued.accessToken).add(issued.rotatedToken);
      return tokens(issued);
    }
    if (request.path.startsWith('/tokens/')) {
      known.add(issued.restrictedToken);
      return { body: { restrictedDataToken: issued.restrictedToken, expiresIn: 3600 } };
    }
    turn += 1;
    return echo(request, secretsText, turn);
  });
  return {
    ...service,
    refuseTokens: (refuse) => {
      refusing = refuse;
    },
  };
}

function spellings(secret: string, spelled: RegExp): string[] {
  return formsOf(secret).flatMap(([form, needle]) => (spelled.test(form) ? [needle] : []));
}

function tokens({ accessToken, rotatedToken }: IssuedSecrets): Answer {
  return {
    body: { access_token: accessToken, refresh_token: rotatedToken, token_type: 'bearer', expires_in: 3600 },
  };
}

function refusal(request: ReceivedRequest, secretsText: string): Answer {
  return {
    status: 400,
    headers: { 'x-amzn-RequestId': asciiOf(request.body), 'x-echo': asciiOf(secretsText) },
    body: {
      error: `invalid_client ${secretsText}`,
      error_description: `You sent ${request.body} and ${secretsText}`,
    },
  };
}

/** Another shape of failure each time: one of ours, HTML, an array, plain text, a success that holds it all. */
function echo(request: ReceivedRequest, secretsText: string, turn: number): Answer {
  const sent = JSON.stringify({ headers: request.headers, body: request.body });
  const headers = { 'x-amzn-RequestId': asciiOf(`${request.headers['x-amz-access-token']}`) };
  const error = { code: secretsText, message: sent, details: `${secretsText} ${sent}` };
  const answers: Answer[] = [
    { status: 400, headers, body: { errors: [error] } },
    { status: 403, headers, body: [error, error] },
    { status: 404, headers, body: `<html>${secretsText}${sent}</html>` },
    { status: 401, headers, body: { error: secretsText, error_description: sent } },
    { status: 200, headers, body: `not JSON ${secretsText}` },
    {
      status: 200,
      headers,
      body: { payload: { sku: secretsText, [secretsText]: [sent] }, secret: secretsText, access_token: sent },
    },
    {
      status: 302,
      headers: { ...headers, location: `https://evil.example/${encodeURIComponent(secretsText)}` },
    },
    { status: 409, headers, body: { message: sent, code: secretsText, nested: { deep: [secretsText] } } },
  ];
  return answers[turn % answers.length] ?? {};
}

/** Returns the part of a text that an HTTP header can carry. */
const asciiOf = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 3_000);
