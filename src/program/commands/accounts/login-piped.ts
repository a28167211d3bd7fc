/** Parses the piped input of `login`: three lines, NAME=value lines, or a JSON object. */

import * as z from 'zod';
import { CancelledError, InputError } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import type { Outside } from '../../runtime/outside.ts';

/** The given values by field, not validated yet. */
export type LoginValues = Partial<Record<LoginField, string>>;

const fields = [
  'clientId',
  'clientSecret',
  'refreshToken',
  'region',
  'sellerId',
  'marketplaceId',
  'baseUrl',
  'authUrl',
] as const;

type LoginField = (typeof fields)[number];

export const pipedForms = [
  'Piped input is one of:',
  '  three lines: client ID, client secret, refresh token',
  '  lines NAME=value with the names of the environment: SELLER_CLIENT_ID=...',
  `  a JSON object with ${fields.join(', ')}`,
  'For example from a password manager:',
  '  op read op://shop/seller/json | seller-commerce-mcp login',
].join('\n');

const MAX_INPUT_BYTES = 65_536;

/**
 * Reads the piped input.
 * @throws InputError, never with a value in it; CancelledError on SIGINT and SIGTERM
 */
export async function readPiped(io: Pick<Outside, 'stdin' | 'signal'>): Promise<LoginValues> {
  const chunks: Buffer[] = [];
  let size = 0;
  const cancel = () => io.stdin.destroy();
  io.signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const chunk of io.stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_INPUT_BYTES) throw new InputError('The piped input is larger than 64 KB.', pipedForms);
      chunks.push(bytes);
    }
  } catch (error) {
    throw io.signal.aborted ? new CancelledError('Cancelled. Nothing was stored.') : error;
  } finally {
    io.signal.removeEventListener('abort', cancel);
  }
  return parsePiped(Buffer.concat(chunks).toString('utf8'));
}

/**
 * Parses the piped input.
 * @throws InputError that names lines and fields, never values
 */
export function parsePiped(input: string): LoginValues {
  // PowerShell adds a byte order mark to piped text.
  const text = input.replace(/^\uFEFF/, '').trim();
  if (text === '') throw new InputError('Nothing came in: the piped input is empty.', pipedForms);
  if (text.startsWith('{')) return parseObject(text);
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const content = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (content[0] !== undefined && splitAssignment(content[0]) !== undefined) return parseAssignments(lines);
  return parseThreeLines(content);
}

function parseThreeLines(lines: readonly string[]): LoginValues {
  const [clientId, clientSecret, refreshToken, ...rest] = lines;
  if (refreshToken === undefined || rest.length > 0) {
    const count = lines.length === 1 ? '1 line' : `${lines.length} lines`;
    throw new InputError(`Three lines are expected, ${count} came in.`, pipedForms);
  }
  return { clientId, clientSecret, refreshToken };
}

function parseAssignments(lines: readonly string[]): LoginValues {
  const given: LoginValues = {};
  lines.forEach((line, index) => {
    if (line === '' || line.startsWith('#')) return;
    const assignment = splitAssignment(line);
    if (assignment === undefined) {
      throw new InputError(`Line ${index + 1} is no NAME=value with a name that is known.`, pipedForms);
    }
    put(given, assignment.field, assignment.value);
  });
  return given;
}

function splitAssignment(line: string): { field: LoginField; value: string } | undefined {
  const [, name = '', value = ''] = /^(?:export\s+)?([A-Za-z_]{1,40})\s*=(.*)$/.exec(line) ?? [];
  const field = fieldOf(name);
  if (field === undefined) return undefined;
  const [, , inQuotes] = /^(["'])(.*)\1$/.exec(value.trim()) ?? [];
  return { field, value: inQuotes ?? value.trim() };
}

const objectSchema = z.record(z.string(), z.union([z.string(), z.null()]));

function parseObject(text: string): LoginValues {
  // The parser's own message would quote the input.
  const parsed = objectSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new InputError('The piped input is no JSON object whose members are all text.', pipedForms);
  }
  const given: LoginValues = {};
  for (const [name, value] of Object.entries(parsed.data)) {
    const field = fieldOf(name);
    if (field === undefined) {
      // The name is not shown, because in a mistaken object it may be a secret.
      throw new InputError('The piped JSON object has a member that is not known.', pipedForms);
    }
    if (value !== null) put(given, field, value);
  }
  return given;
}

function put(given: LoginValues, field: LoginField, value: string): void {
  if (given[field] !== undefined) throw new InputError(`The piped input gives ${field} twice.`, pipedForms);
  given[field] = value;
}

/** Returns the field of a name in any spelling: `SELLER_CLIENT_ID`, `client_id`, `clientId`. */
function fieldOf(name: string): LoginField | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '');
  const short = plain(name).replace(/^seller(?!id$)/, '');
  return fields.find((field) => plain(field) === short);
}
