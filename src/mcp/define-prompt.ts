/** How a prompt is declared, and how it is shown. */

import type { McpServer } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Services } from './tool-context.ts';

export interface PromptDefinition<Arguments extends z.ZodObject> {
  /** snake_case, the file named alike. */
  name: string;
  title: string;
  description: string;
  /** Made for each server, since completions need its services. */
  arguments(parts: { services: Services }): Arguments;
  /** What the person says to the assistant with it. */
  text(args: z.output<Arguments>): string;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  register(server: McpServer, services: Services): void;
}

export function definePrompt<Arguments extends z.ZodObject>(definition: PromptDefinition<Arguments>): Prompt {
  const { name, title, description } = definition;
  return {
    name,
    title,
    description,
    register(server, services) {
      const schema = definition.arguments({ services });
      // The SDK infers the arguments from a concrete type; ours are checked by `schema` itself.
      const argsSchema: z.ZodObject = schema;
      server.registerPrompt(name, { title, description, argsSchema }, (args) => ({
        messages: [{ role: 'user', content: { type: 'text', text: definition.text(schema.parse(args)) } }],
      }));
    },
  };
}
