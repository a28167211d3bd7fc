/** Checks with the tools of those who receive the packages: publint, the bundle's validator, the registry's schema, npm audit. */

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import * as z from 'zod';
import { PLUGIN_FOLDER } from '../generate/plugin.ts';
import { SERVER_SCHEMA } from '../generate/server-json.ts';
import { installOnce } from '../process/install.ts';
import { run } from '../process/run.ts';
import { NotCheckable } from './check.ts';

const MCPB = '@anthropic-ai/mcpb@2.1.2';

export async function checkPublint(folder: string): Promise<string> {
  const { messages, pkg } = await publint({ pkgDir: folder, level: 'suggestion', strict: true, pack: false });
  if (messages.length > 0) {
    throw new Error(messages.map((message) => formatMessage(message, pkg, { color: false })).join('; '));
  }
  return 'nothing to say';
}

/** Validates the staged manifest and reads the packed bundle with the official tool. */
export async function checkBundle(staged: string, bundle: string): Promise<string> {
  const folder = await installOnce(MCPB).catch((error: unknown) => {
    throw new NotCheckable(`${MCPB} cannot be installed here: ${error}`);
  });
  const tool = join(folder, 'node_modules/.bin/mcpb');
  for (const args of [
    ['validate', staged],
    ['info', bundle],
  ]) {
    const { code, stdout, stderr } = await run(process.execPath, [tool, ...args]);
    if (code !== 0 || /ERROR|failed/i.test(stdout))
      throw new Error(`mcpb ${args[0]}: ${stdout}${stderr}`.trim());
  }
  return `${MCPB}: manifest valid, bundle readable`;
}

const HOSTS = ['@anthropic-ai/claude-code@2.1.197', '@google/gemini-cli@0.61.0'] as const;

/** Asks those hosts whose own tools run without an account. */
export async function checkPlugin(): Promise<string> {
  const [claude = '', gemini = ''] = await Promise.all(
    HOSTS.map((spec) =>
      installOnce(spec, true).catch((error: unknown) => {
        throw new NotCheckable(`${spec} cannot be installed here: ${error}`);
      }),
    ),
  );
  const plugin = resolve(PLUGIN_FOLDER);
  await validate(claude, 'claude', ['plugin', 'validate', '--strict', plugin]);
  await validate(claude, 'claude', ['plugin', 'validate', '--strict', resolve('.')]);
  await validate(gemini, 'gemini', ['extensions', 'validate', plugin]);
  return `${HOSTS.join(', ')}: manifests valid`;
}

async function validate(home: string, tool: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, HOME: home };
  const { code, stdout, stderr } = await run(join(home, 'node_modules/.bin', tool), args, { env });
  if (code !== 0) throw new Error(`${tool} ${args.join(' ')}: ${stdout}${stderr}`.trim());
}

/** Validates the entry by the registry's schema, if it can be fetched. */
export async function checkRegistryEntry(files: readonly string[]): Promise<string> {
  const schema = await fetchSchema();
  // Formats add little here and need another library.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(schema);
  for (const file of files) {
    const entry: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!validate(entry)) throw new Error(`${file}: ${ajv.errorsText(validate.errors)}`);
  }
  return `valid by ${SERVER_SCHEMA}`;
}

async function fetchSchema(): Promise<Record<string, unknown>> {
  try {
    const answer = await fetch(SERVER_SCHEMA, { signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return z.record(z.string(), z.unknown()).parse(await answer.json());
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new NotCheckable(`the schema could not be fetched from here (${why})`);
  }
}

const auditSchema = z.object({
  metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }),
});

/** All dependencies: bundled packages are development dependencies. */
export async function checkAudit(): Promise<string> {
  const { stdout } = await run('npm', ['audit', '--json']);
  const parsed = auditSchema.safeParse(JSON.parse(stdout || '{}'));
  if (!parsed.success) {
    const { message } = z
      .object({ message: z.string().default('no answer') })
      .parse(JSON.parse(stdout || '{}'));
    throw new NotCheckable(`the registry gives no advisories here: ${message}`);
  }
  const { vulnerabilities } = parsed.data.metadata;
  if (vulnerabilities.total !== 0)
    throw new Error(`known vulnerabilities: ${JSON.stringify(vulnerabilities)}`);
  return 'no known vulnerability, development dependencies included';
}
