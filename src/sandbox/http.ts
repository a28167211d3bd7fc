/** The sandbox's edge to node:http: reading a bounded body, parsing it, sending an answer. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringify } from 'lossless-json';
import type { Answer } from './answer.ts';

export const MAX_BODY_BYTES = 1_048_576;
const MAX_DRAINED_BYTES = 16 * MAX_BODY_BYTES;
const MAX_DEPTH = 100;

/**
 * The body as text; undefined as soon as it passes the limit. What follows is read and dropped, so that the caller
 * gets to see the answer, but not without end.
 */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
      if (bytes > MAX_DRAINED_BYTES) request.destroy();
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the caller went away'));
    });
  });
}

/** @returns the value, undefined for no text, or a reason why it is not usable JSON. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  if (depthOf(text) > MAX_DEPTH) return { problem: `is nested deeper than ${MAX_DEPTH} levels` };
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}

/** Deepest nesting, found without recursion so that no input can exhaust the stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '"') quoted = !quoted;
    else if (quoted && char === '\\') i += 1;
    else if (quoted) continue;
    else if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth);
    else if (char === ']' || char === '}') depth -= 1;
  }
  return deepest;
}

/** Numbers kept as LosslessNumber go out digit by digit. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.destroyed || response.headersSent) return;
  const text = answer.text ?? stringify(answer.body);
  const bodiless = text === undefined || answer.status === 204 || answer.status === 304;
  const about = bodiless
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(answer.status, { ...headers, ...about, ...answer.headers });
  response.end(bodiless ? undefined : text);
}
