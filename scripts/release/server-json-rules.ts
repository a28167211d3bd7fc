/** The registry's requirements for server.json (schema 2025-12-11 and its publishing rules), in our own words. */

import * as z from 'zod';
import { SERVER_SCHEMA } from '../generate/server-json.ts';

const exactVersion = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'is one exact version');
const webAddress = z.url({ protocol: /^https$/ });

const variableSchema = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  description: z.string().min(1),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  choices: z.array(z.string()).min(1).optional(),
  default: z.string().optional(),
});

const packageSchema = z.discriminatedUnion('registryType', [
  z.strictObject({
    registryType: z.literal('npm'),
    identifier: z.string().min(1),
    version: exactVersion,
    runtimeHint: z.literal('npx'),
    transport: z.strictObject({ type: z.literal('stdio') }),
    environmentVariables: z.array(variableSchema).min(1),
  }),
  z.strictObject({
    registryType: z.literal('mcpb'),
    // The registry requires the hash of the file at this address, and "mcp" in the address.
    identifier: webAddress.regex(/mcp/),
    version: exactVersion,
    fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
    transport: z.strictObject({ type: z.literal('stdio') }),
  }),
]);

const serverSchema = z.strictObject({
  $schema: z.literal(SERVER_SCHEMA),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion,
  websiteUrl: webAddress,
  repository: z.strictObject({ url: webAddress, source: z.literal('github') }),
  packages: z.array(packageSchema).min(1),
});

/** @throws Error naming each member that does not meet the registry's requirements. */
export function checkServerJson(entry: unknown, file: string): void {
  const parsed = serverSchema.safeParse(entry);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
}
