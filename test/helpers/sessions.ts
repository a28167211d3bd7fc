/**
 * Connects real SDK clients to the server, each behind the same small face: within the test's own process, or to the
 * spawned program where a test asks for it, and everywhere under `npm run test:all` and the matrix.
 */

import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { startInside } from './inside.ts';
import { LAUNCH, RUNS_ALL, SPAWNS_ALL } from './launch.ts';

/** SDK v1 and SDK v2 at both protocol eras. */
export const CLIENT_KINDS = ['sdk-v1', 'sdk-v2-legacy', 'sdk-v2-modern'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/**
 * The kinds that many sentences are tried with: the second speaks as the first does, so `test:all` alone runs
 * it.
 */
export const MAIN_KINDS: readonly ClientKind[] = RUNS_ALL ? CLIENT_KINDS : ['sdk-v1', 'sdk-v2-modern'];

export interface ElicitedRequest {
  message: string;
  mode?: string;
  url?: string;
}
export type Elicit = (request: ElicitedRequest) => Promise<{ action: 'accept' | 'decline' | 'cancel' }>;

export interface SessionOptions {
  kind?: ClientKind;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Program to run instead of the built bundle: `node <entry>`. */
  command?: string;
  entry?: string;
  cwd?: string;
  /** Starts the built program as a process of its own; for tests that kill it, look at it or need two at once. */
  spawn?: boolean;
  /** Declares elicitation (form) and answers it. */
  elicit?: Elicit;
  /** Declares that it opens addresses too. */
  opensPages?: boolean;
  /** False of a client that opens addresses alone. */
  asksForms?: boolean;
}

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(
    z.looseObject({ type: z.string(), text: z.string().optional(), uri: z.string().optional() }),
  ),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

export interface CallOutcome {
  isError: boolean;
  /** Text blocks joined. */
  text: string;
  structured: Record<string, unknown>;
  links: string[];
}

export interface Session {
  kind: ClientKind;
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (message: string) => void },
  ): Promise<CallOutcome>;
  client: ClientV1 | ClientV2;
  /** Everything written to stderr so far. */
  stderr(): string;
  /** Only of a session with a process of its own. */
  pid(): number | null;
  close(): Promise<void>;
}

export const PROGRAM = LAUNCH.program;

const elicitedSchema = z.looseObject({
  message: z.string(),
  mode: z.string().optional(),
  url: z.string().optional(),
});

/** How a client reaches the server, and what is known of the server's process. */
interface Reached<Transport> {
  transport: Transport;
  stderr(): string;
  pid(): number | null;
}

export async function connect(options: SessionOptions = {}): Promise<Session> {
  const { kind = 'sdk-v2-modern', elicit, opensPages = false, asksForms = true } = options;
  const info = { name: `test-${kind}`, version: '1.0.0' };
  const capabilities =
    elicit === undefined
      ? {}
      : { elicitation: { ...(asksForms && { form: {} }), ...(opensPages && { url: {} }) } };
  const answer = async (params: unknown) => {
    const { action } = (await elicit?.(elicitedSchema.parse(params))) ?? { action: 'cancel' as const };
    return action === 'accept' ? { action, content: {} } : { action };
  };
  if (kind === 'sdk-v1') {
    const reached = isSpawned(options)
      ? spawned(new TransportV1(launchOf(options)))
      : await reachInside(options);
    const client = new ClientV1(info, { capabilities });
    if (elicit !== undefined)
      client.setRequestHandler(ElicitRequestSchema, (request) => answer(request.params));
    await client.connect(reached.transport);
    return toSession(kind, client, reached);
  }
  const reached = isSpawned(options)
    ? spawned(new TransportV2(launchOf(options)))
    : await reachInside(options);
  const client = new ClientV2(info, {
    capabilities,
    versionNegotiation: { mode: kind === 'sdk-v2-modern' ? 'auto' : 'legacy' },
  });
  if (elicit !== undefined)
    client.setRequestHandler('elicitation/create', (request) => answer(request.params));
  await client.connect(reached.transport);
  return toSession(kind, client, reached);
}

function isSpawned({ spawn = false, command, entry, cwd }: SessionOptions): boolean {
  return SPAWNS_ALL || spawn || command !== undefined || entry !== undefined || cwd !== undefined;
}

/** Lets the assistant carry codes where nobody can be asked, unless the test says otherwise. */
function environmentOf({ args = [], env, elicit }: SessionOptions): Record<string, string> {
  const isAsked = elicit !== undefined || args.some((arg) => arg.startsWith('--writes'));
  return { ...LAUNCH.env, ...(isAsked ? {} : { SELLER_WRITES: 'code' }), ...env };
}

function launchOf(options: SessionOptions) {
  return {
    command: options.command ?? LAUNCH.node,
    args: [options.entry ?? PROGRAM, ...(options.args ?? [])],
    env: environmentOf(options),
    cwd: options.cwd,
    stderr: 'pipe' as const,
  };
}

function spawned<Transport extends TransportV1 | TransportV2>(transport: Transport): Reached<Transport> {
  return { transport, stderr: collect(transport.stderr), pid: () => transport.pid };
}

async function reachInside(options: SessionOptions) {
  const { transport, stderr } = await startInside(options.args ?? [], environmentOf(options));
  const pid = () => {
    throw new Error('this session has no process of its own; connect with spawn: true');
  };
  return { transport, stderr: collect(stderr), pid };
}

function collect(
  stream: { on(event: 'data', listener: (chunk: Buffer) => void): unknown } | null,
): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function toSession(
  kind: ClientKind,
  client: ClientV1 | ClientV2,
  { stderr, pid }: Pick<Reached<unknown>, 'stderr' | 'pid'>,
): Session {
  return {
    kind,
    client,
    stderr,
    pid,
    async call(name, args = {}, { signal, onprogress } = {}) {
      const request = { name, arguments: args };
      const callOptions = {
        signal,
        onprogress: onprogress && (({ message = '' }: { message?: string }) => onprogress(message)),
      };
      const result =
        client instanceof ClientV1
          ? await client.callTool(request, undefined, callOptions)
          : await client.callTool(request, callOptions);
      return toOutcome(result);
    },
    close: () => client.close(),
  };
}

/** A result as tests look at it. */
export function toOutcome(result: unknown): CallOutcome {
  const { isError = false, content, structuredContent = {} } = resultSchema.parse(result);
  return {
    isError,
    text: content
      .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
      .join('\n'),
    structured: structuredContent,
    links: content.flatMap(({ type, uri }) => (type === 'resource_link' && uri !== undefined ? [uri] : [])),
  };
}
