/** A server's people, as its endpoint has them: accounts of sellers in files, an access file, and a client for each person. */

import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import type { Caller } from '../../src/http/caller/caller.ts';
import { openUserSessions, type UserSessions } from '../../src/program/people/user-sessions.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import { createServer } from '../../src/protocol/create-server.ts';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import type { Session } from '../../src/write/session.ts';
import { loadTool } from '../../tools/index.ts';
import { createTestOutside, type TestOutside } from './outside.ts';
import { tablesWorker } from './tables-worker.ts';

export interface Seller {
  baseUrl: string;
  authUrl: string;
  sellerId?: string;
  marketplaceId?: string;
  clientId?: string;
  clientSecret?: string;
  refreshToken?: string;
}

export interface PeopleForTest {
  people: UserSessions;
  folder: string;
  outside: TestOutside;
  clock: { now: number };
  /** Replaces access.yaml. */
  allow(text: string): Promise<void>;
  caller(subject: string, more?: Partial<Caller>): Caller;
  connect(subject: string, more?: Partial<Caller>): Promise<Connected>;
}

export interface Connected {
  session: Session;
  client: Client;
  call(
    name: string,
    args: Record<string, unknown>,
  ): Promise<{ isError: boolean; text: string; whole: string }>;
}

const ISSUER = 'https://login.example';

/** Lamps is shared by Anna, who may write, and Ben, who may too; chairs is Cleo's, and Rita may only look at lamps. */
export const ACCESS = `access:
  - person: anna
    accounts: [lamps]
    rights: write
    confirm: code
  - person: ben
    accounts: [lamps]
    rights: write
    confirm: code
  - person: rita
    accounts: [lamps]
  - person: cleo
    accounts: [chairs]
    rights: write
    confirm: code
`;

export async function openPeopleForTest(
  sellers: Readonly<Record<string, Seller>>,
  env: Readonly<Record<string, string>> = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<PeopleForTest> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-people-'));
  const secrets = join(folder, 'secrets');
  await mkdir(secrets);
  for (const [name, seller] of Object.entries(sellers)) {
    const values = {
      clientId: `client-${name}`,
      clientSecret: `whisper-${name}-0451-whisper`,
      refreshToken: `Atzr|refresh-${name}`,
      marketplaceId: 'ATVPDKIKX0DER',
      ...seller,
    };
    await writeFile(join(secrets, `${name}.json`), JSON.stringify(values), { mode: 0o400 });
  }
  const access = join(folder, 'access.yaml');
  await writeFile(access, ACCESS);
  const outside = {
    ...createTestOutside({
      env: {
        SELLER_STATE_DIR: join(folder, 'state'),
        SELLER_DATA_DIR: join(folder, 'data'),
        SELLER_FILES_DIR: join(folder, 'files'),
        SELLER_SECRETS_DIR: secrets,
        SELLER_ACCESS: access,
        SELLER_STATE_KEY: randomBytes(32).toString('base64'),
        ...env,
      },
    }),
    entryFile: join(dirname(tablesWorker), 'main.mjs'),
  };
  const clock = { now: Date.now() };
  const program = { ...createProgram(outside), now: () => clock.now };
  const people = await openUserSessions(program);
  const closing: (() => Promise<void>)[] = [];
  atEnd(async () => {
    for (const close of closing) await close();
    await people.close();
    await program.close();
    await rm(folder, { recursive: true, force: true });
  });
  const caller = (subject: string, more: Partial<Caller> = {}): Caller => ({
    issuer: ISSUER,
    subject,
    name: `${subject[0]?.toUpperCase()}${subject.slice(1)}`,
    groups: [],
    scopes: ['seller:read', 'seller:write'],
    expiresAt: clock.now / 1000 + 3600,
    ...more,
  });
  return {
    people,
    folder,
    outside,
    clock,
    allow: (text) => writeFile(access, text),
    caller,
    async connect(subject, more) {
      const session = await people.sessionOf(caller(subject, more));
      if (session === undefined) throw new Error(`${subject} has no access`);
      const connected = people.connectedOf(session);
      const server = createServer({ version: '1', tools: TOOL_LIST, loadTool, session, connected });
      const client = new Client({ name: 'test', version: '1' });
      const [here, there] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(there), client.connect(here)]);
      closing.push(async () => {
        await client.close();
        await server.close();
      });
      return {
        session,
        client,
        async call(name, args) {
          const answer = await client.callTool({ name, arguments: args });
          const { isError = false, content } = answer;
          const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
          return { isError, text, whole: JSON.stringify(answer) };
        },
      };
    },
  };
}
