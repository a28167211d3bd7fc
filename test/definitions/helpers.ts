/** A folder of made-up definitions that lives as long as one test. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import { compileFile } from '../../src/definitions/store/compile.ts';
import type { CompiledDefinition } from '../../src/definitions/store/compiled.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
  folders.push(folder);
  return folder;
}

export const NOW = new Date('2026-01-02T03:04:05Z');

/** Writes a definition into a folder of its own and reads it; an object becomes JSON. */
export async function compile(
  content: unknown,
  name = 'made-up.json',
  now = NOW,
): Promise<CompiledDefinition> {
  const source = join(makeFolder(), name);
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(source, isText ? content : JSON.stringify(content));
  const compiled = await compileFile({ source, name: name.replace(/\.\w+$/, ''), now });
  if (compiled === undefined) throw new Error('not a definition');
  return compiled;
}

/** The message with which a definition is refused. */
export async function refusal(content: unknown, name?: string): Promise<string> {
  const outcome = await compile(content, name).catch((error: unknown) => error);
  if (outcome instanceof InputError) return outcome.message;
  throw outcome instanceof Error ? outcome : new Error('it was not refused');
}

/** A Swagger file with these paths. */
export function swagger(paths: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { swagger: '2.0', info: { title: 'Parcels', version: 'v1' }, paths, ...more };
}

/** An OpenAPI file with these paths. */
export function openapi(paths: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { openapi: '3.1.0', info: { title: 'Parcels', version: 'v1' }, paths, ...more };
}

/** One GET that answers. */
export function get(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { get: { operationId: 'getIt', responses: { 200: { description: 'x' } }, ...more } };
}
