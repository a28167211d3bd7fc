/** How a prompt is declared, and how it is shown. */

import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Session } from '../write/session.ts';

interface PromptDefinition<Arguments extends z.ZodObject> {
  /** snake_case, the file named alike. */
  name: string;
  title: string;
  description: string;
  /** Made for each server, since completions need its session. */
  arguments(parts: { session: Session }): Arguments;
  /** What the person says to the assistant with it. */
  text(args: z.output<Arguments>): string;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  register(server: McpServer, session: Session): void;
}

export function definePrompt<Arguments extends z.ZodObject>(definition: PromptDefinition<Arguments>): Prompt {
  const { name, title, description } = definition;
  return {
    name,
    title,
    description,
    register(server, session) {
      const schema = definition.arguments({ session });
      // The SDK infers the arguments from a concrete type; ours are checked by `schema` itself.
      const argsSchema: z.ZodObject = schema;
      server.registerPrompt(name, { title, description, argsSchema }, (args) => {
        const text = session.redactor.redact(definition.text(parseGiven(schema, args)));
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      });
    },
  };
}

/** Hosts send the empty fields of their forms: what is blank was left out. */
function parseGiven<Arguments extends z.ZodObject>(
  schema: Arguments,
  args: Record<string, unknown>,
): z.output<Arguments> {
  const given = Object.entries(args).filter(([, value]) => typeof value !== 'string' || value.trim() !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Please give a value for: ${missing}.`);
}
