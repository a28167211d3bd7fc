/** The three forms of piped input, and what is said of any other: never a value. */

import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../src/base/errors.ts';
import { parsePiped, readPiped } from '../../../../src/program/commands/accounts/login-piped.ts';
import { canary, createTestOutside } from '../../../helpers/outside.ts';

const lines = [canary.clientId, canary.clientSecret, canary.refreshToken];

describe('forms', () => {
  it.each([
    ['three lines', lines.join('\n')],
    ['three lines from Windows', `\uFEFF${lines.join('\r\n')}\r\n\r\n`],
    [
      'names of the environment',
      `SELLER_CLIENT_ID=${lines[0]}\nSELLER_CLIENT_SECRET=${lines[1]}\nSELLER_REFRESH_TOKEN=${lines[2]}`,
    ],
    [
      'a file of exports',
      `# shop\nexport SELLER_CLIENT_ID="${lines[0]}"\n\nexport CLIENT_SECRET='${lines[1]}'\nrefresh_token = ${lines[2]}\n`,
    ],
    ['JSON', JSON.stringify(canary)],
    [
      'JSON in snake case',
      JSON.stringify(
        { client_id: lines[0], client_secret: lines[1], refresh_token: lines[2], region: null },
        null,
        2,
      ),
    ],
  ])('reads %s', (_name, text) => {
    expect(parsePiped(text)).toEqual(canary);
  });

  it('reads everything else an account has', () => {
    const text =
      'SELLER_REGION=eu\nSELLER_ID=A2\nSELLER_MARKETPLACE_ID=A1\nSELLER_BASE_URL=https://a.example\nSELLER_AUTH_URL=https://b.example';
    expect(parsePiped(text)).toEqual({
      region: 'eu',
      sellerId: 'A2',
      marketplaceId: 'A1',
      baseUrl: 'https://a.example',
      authUrl: 'https://b.example',
    });
  });

  it('takes a first line with an equals sign in it as a value', () => {
    expect(parsePiped('id=1\nsecret==\ntoken').clientSecret).toBe('secret==');
  });
});

describe('mistakes', () => {
  it.each([
    ['', 'Nothing came in'],
    [' \n ', 'Nothing came in'],
    [lines.slice(1).join('\n'), 'Three lines are expected, 2 lines'],
    [[...lines, 'x'].join('\n'), 'Three lines are expected, 4 lines'],
    [`SELLER_CLIENT_ID=a\n${canary.clientSecret}`, 'Line 2 is no NAME=value'],
    ['SELLER_CLIENT_ID=a\nCLIENT_ID=b', 'gives clientId twice'],
    [`{"clientId": "${canary.clientSecret}`, 'no JSON object'],
    [JSON.stringify({ clientId: { a: canary.clientSecret } }), 'no JSON object'],
    [JSON.stringify({ [canary.clientSecret]: 'x' }), 'a member that is not known'],
  ])('says what is wrong: %#', (text, told) => {
    const error = thrownBy(() => parsePiped(text));
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toContain(told);
    expect(JSON.stringify(error) + String(error)).not.toContain('canary');
  });

  it('never repeats any of it, whatever comes in', () => {
    const secret = fc.constantFrom(...lines.slice(1));
    const text = fc.tuple(fc.string(), secret, fc.string(), fc.constantFrom('', '{', '{"a":"', 'X=', '\n'));
    fc.assert(
      fc.property(text, ([before, value, after, start]) => {
        const error = thrownBy(() => parsePiped(`${start}${before}${value}${after}`));
        if (error === undefined) return;
        expect(error).toBeInstanceOf(InputError);
        expect(JSON.stringify(error) + String(error)).not.toContain(value);
      }),
    );
  });

  it('refuses more than 64 KB', async () => {
    await expect(readPiped(createTestOutside({ piped: 'x'.repeat(70_000) }))).rejects.toThrow(
      'larger than 64 KB',
    );
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

it('ends at a signal while the other end of the pipe says nothing', async () => {
  const stdin = new PassThrough();
  const stop = new AbortController();
  const reading = readPiped({ stdin, signal: stop.signal });
  stdin.write('amzn1.application');
  stop.abort();
  await expect(reading).rejects.toThrow('Cancelled. Nothing was stored.');
});
