/** The sandbox's edge to node:http: reading a bounded body, parsing it, sending an answer. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringify } from 'lossless-json';
import { byteLength, MAX_DEPTH, nestsDeeperThan, parseJson } from '../src/base/json.ts';
import type { Answer } from './answer.ts';

export const MAX_BODY_BYTES = 1_048_576;
const MAX_DRAINED_BYTES = 16 * MAX_BODY_BYTES;

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
export function parseBody(text: string): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: undefined };
  if (nestsDeeperThan(Buffer.from(text))) return { problem: `is nested deeper than ${MAX_DEPTH} levels` };
  const value = parseJson(text);
  return value === undefined ? { problem: 'is not valid JSON' } : { value };
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
  const about = bodiless ? {} : { 'content-type': 'application/json', 'content-length': byteLength(text) };
  response.writeHead(answer.status, { ...headers, ...about, ...answer.headers });
  response.end(bodiless ? undefined : text);
}
