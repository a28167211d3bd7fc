/** Changes the texts for users of a remote server: their computers store no data, and it takes no credentials. */

import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { ListedTool } from './listed-tool.ts';

export interface Elsewhere {
  tools(listed: readonly ListedTool[]): readonly ListedTool[];
  instructions(text: string): string;
}

/** Made once for each list: a server of many makes one for each request. */
export const ELSEWHERE: Elsewhere = {
  tools: remember(toolsElsewhere),
  instructions: remember(instructionsElsewhere),
};

const GIVEN = ['refresh_token', 'client_id', 'client_secret', 'confirmationCode'];

const EXCHANGE =
  'Gets a new access token now. Rarely needed: every other tool gets its own. Use it to check that an account works. Returns type, lifetime and masked tokens.';

function toolsElsewhere(listed: readonly ListedTool[]): readonly ListedTool[] {
  return listed.map((tool) => {
    if (tool.name === 'exchange_token')
      return { ...tool, description: EXCHANGE, inputSchema: withoutGiven(tool.inputSchema) };
    return { ...tool, description: tool.description.replaceAll('on this computer', 'on the server') };
  });
}

function withoutGiven(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const kept = Object.entries(properties).filter(([name]) => !GIVEN.includes(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

function instructionsElsewhere(text: string): string {
  return text.replace(
    /^Credentials: .*$/m,
    'Credentials: never ask for secrets. Accounts are set up by whoever runs this server.',
  );
}

function remember<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  let last: { given: Given; made: Made } | undefined;
  return (given) => {
    if (last?.given !== given) last = { given, made: make(given) };
    return last.made;
  };
}
