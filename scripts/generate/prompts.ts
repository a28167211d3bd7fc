/** Lists the prompts in the form that a bundle's manifest needs, by asking a real server. */

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { createRedactor } from '../../src/privacy/secrets/redact.ts';
import { PROMPTS } from '../../src/protocol/prompts.ts';
import type { Session } from '../../src/write/session.ts';

interface ManifestPrompt {
  name: string;
  description: string;
  arguments: string[];
  /** With `${arguments.NAME}` where the host puts what the person typed. */
  text: string;
}

/** Only the required arguments: a host has no way to leave out part of the text. */
export async function listPrompts(): Promise<ManifestPrompt[]> {
  const server = new McpServer({ name: 'prompts', version: '0' });
  for (const prompt of PROMPTS) prompt.register(server, unused);
  const client = new Client({ name: 'generator', version: '0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  const { prompts } = await client.listPrompts();
  const listed = [];
  for (const { name, description = '', arguments: all = [] } of prompts) {
    const required = all.filter((argument) => argument.required === true).map((argument) => argument.name);
    const values = Object.fromEntries(required.map((argument) => [argument, `\${arguments.${argument}}`]));
    const { messages } = await client.getPrompt({ name, arguments: values });
    const text = messages
      .flatMap(({ content }) => (content.type === 'text' ? [content.text] : []))
      .join('\n');
    listed.push({ name, description, arguments: required, text });
  }
  await client.close();
  return listed;
}

const notHere = () => {
  throw new Error('Listing prompts reads nothing from the session');
};

/** Only the session's redaction is used, and it knows no secret: no one completes anything here. */
const unused: Session = {
  principal: { name: 'nobody' },
  program: { entryFile: '', registry: notHere, now: notHere },
  settings: notHere,
  accountOf: notHere,
  accounts: notHere,
  client: notHere,
  writeGuard: notHere,
  batches: notHere,
  shownCalls: notHere,
  yesPages: Object.assign(notHere, { made: () => undefined }),
  toldUnfinished: new Set(),
  shownLists: notHere,
  readings: notHere,
  contentThreads: notHere,
  sealer: notHere,
  journal: notHere,
  answers: notHere,
  tables: notHere,
  collections: notHere,
  downloads: notHere,
  uploads: notHere,
  files: notHere,
  credentialsPages: notHere,
  redactor: createRedactor(),
  personal: notHere,
  log: { error: notHere, warn: notHere, info: notHere, debug: notHere },
  own: notHere,
  close: notHere,
};
