/** Runs a tool's own code in this process, with a real session of the program behind it, against a service on loopback. */

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openSession } from '../../src/program/runtime/open-session.ts';
import type { Outside } from '../../src/program/runtime/outside.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import type { Tool } from '../../src/protocol/define-tool.ts';
import type { ClientUser } from '../../src/render/client-user.ts';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import type { Session, ToolContext } from '../../src/write/session.ts';
import { type Handler, type HttpService, type ReceivedRequest, startHttpService } from './http-service.ts';
import { createTestOutside } from './outside.ts';
import { tableWorkers } from './tables-worker.ts';

export interface ToolRunner {
  service: HttpService;
  session: Session;
  /** Requests that are no token exchange, oldest first. */
  calls(): ReceivedRequest[];
  exchanges(): ReceivedRequest[];
  run(tool: Tool, args: unknown, more?: Partial<ToolContext>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** A client that can show nothing to a person. */
export const nobody: ClientUser = {
  canConfirm: false,
  canOpenPage: false,
  isHere: true,
  answer: () => undefined,
  confirm() {
    throw new Error('nobody can be asked');
  },
  openPage() {
    throw new Error('nobody can be asked');
  },
};

/** @param handler answers everything but the token exchange, which issues `token-1`, `token-2`, ... */
export async function startToolRunner(
  handler: Handler,
  settings: Readonly<Record<string, string>> = {},
  outside: Partial<Outside> = {},
): Promise<ToolRunner> {
  let issued = 0;
  const service = await startHttpService((request, response) => {
    if (request.path !== '/auth/o2/token') return handler(request, response);
    issued += 1;
    return { body: { access_token: `Atza|token-${issued}`, token_type: 'bearer', expires_in: 3600 } };
  });
  // Removed with all others at the end: on a busy machine the last work of a session outlasts the time it is given.
  const folder = await mkdtemp(join(inject('scratch'), 'seller-tool-'));
  const env = {
    SELLER_BASE_URL: service.url,
    SELLER_AUTH_URL: service.url,
    SELLER_CLIENT_ID: 'client-1',
    SELLER_CLIENT_SECRET: 'client-secret-1',
    SELLER_REFRESH_TOKEN: 'Atzr|refresh-1',
    SELLER_ID: 'A1SELLER',
    SELLER_MARKETPLACE_ID: 'ATVPDKIKX0DER',
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_FILES_DIR: join(folder, 'files'),
    ...settings,
  };
  // The workers are in the folder of the entry file.
  const entryFile = join(inject('programs'), 'main.mjs');
  const program = createProgram({
    ...createTestOutside({ env }),
    entryFile,
    tableWorkers,
    openInBrowser: async () => undefined,
    ...outside,
  });
  const session = openSession(program);
  const isExchange = ({ path }: ReceivedRequest) => path === '/auth/o2/token';
  return {
    service,
    session,
    calls: () => service.requests.filter((request) => !isExchange(request)),
    exchanges: () => service.requests.filter(isExchange),
    run: (tool, args, more = {}) => tool.invoke(args, { ...toolContext(session), ...more }),
    async close() {
      await session.close();
      await program.close();
      await service.close();
    },
  };
}

/** A call that nobody cancels, made by a client that shows nothing. */
export function toolContext(session: Session): ToolContext {
  return {
    session,
    call: {
      signal: new AbortController().signal,
      deadline: performance.now() + 40_000,
      onProgress: () => undefined,
    },
    tell: () => undefined,
    person: nobody,
  };
}
