import { afterEach, describe, expect, test } from 'vitest';
import { CancelledError, InputError } from '../../../src/base/errors.ts';
import type { SignedSettings } from '../../../src/call/download/signed-address.ts';
import {
  createUploads,
  type UploadContent,
  type UploadOptions,
  type Uploads,
} from '../../../src/call/upload/upload.ts';
import { type Handler, type HttpService, startHttpService } from '../../helpers/http-service.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function service(handler: Handler): Promise<HttpService> {
  const started = await startHttpService(handler);
  closing.push(started.close);
  return started;
}

function uploads(settings: Partial<SignedSettings> = {}): Uploads {
  const made = createUploads({ connectTimeoutMs: 2_000, version: '1.2.3', ...settings });
  closing.push(made.close);
  return made;
}

const options = (more: Partial<UploadOptions> = {}): UploadOptions => ({
  givenBy: 'http://127.0.0.1:1',
  signal: new AbortController().signal,
  ...more,
});

const content = (text: string, contentType = 'application/json; charset=UTF-8'): UploadContent => ({
  contentType,
  bytes: Buffer.byteLength(text),
  async *read() {
    yield Buffer.from(text);
  },
});

const xml = (code: string, message = '') =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

describe('an upload', () => {
  test('sends exactly the content type and the bytes, the wanted headers, and no token', async () => {
    const { url, requests } = await service(() => ({ status: 200 }));
    const headers = {
      'Content-MD5': 'x==',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-access-token': 'no',
      Host: 'no',
    };
    await uploads().upload(`${url}/u?X-Amz-Signature=s`, content('{"ü":1}'), options({ headers }));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'PUT', path: '/u?X-Amz-Signature=s', body: '{"ü":1}' });
    expect(requests[0]?.headers).toEqual({
      host: url.slice('http://'.length),
      connection: 'keep-alive',
      'content-md5': 'x==',
      'x-amz-server-side-encryption': 'aws:kms',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': '8',
      'user-agent': expect.stringMatching(/^seller-commerce-mcp\/1\.2\.3 /),
    });
  });

  test('with a policy goes as a form: the fields of the address, the file last', async () => {
    const { url, requests } = await service(() => ({ status: 204 }));
    await uploads().upload(
      `${url}/?acl=private&key=a%2Fb&policy=cG9s`,
      content('PNG', 'image/png'),
      options(),
    );
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', path: '/' });
    const names = [...(request?.body ?? '').matchAll(/ name="(\w+)"/g)].map(([, name]) => name);
    expect(names).toEqual(['acl', 'key', 'policy', 'file']);
    expect(request?.body).toContain('a/b');
    expect(request?.body).toContain('Content-Type: image/png\r\n\r\nPNG\r\n--');
    expect(request?.headers['content-length']).toBe(String(Buffer.byteLength(request?.body ?? '')));
  });

  test('that breaks off is sent once more from the beginning, and not a third time', async () => {
    let calls = 0;
    const { url, requests } = await service((_request, response) => {
      calls += 1;
      if (calls === 1) response.destroy();
      return calls === 1 ? undefined : { status: calls === 2 ? 200 : 500 };
    });
    await uploads().upload(`${url}/u`, content('whole'), options());
    expect(requests.map(({ body }) => body)).toEqual(['whole', 'whole']);
    await expect(uploads().upload(`${url}/u`, content('x'), options())).rejects.toMatchObject({
      code: 'HTTP_500',
    });
    expect(requests).toHaveLength(4);
  });

  test.each([
    [403, xml('SignatureDoesNotMatch'), 'UPLOAD_REFUSED', 'another content type than application/json'],
    [403, xml('AccessDenied', 'Request has expired'), 'ADDRESS_EXPIRED', 'no longer valid'],
    [400, xml('EntityTooLarge'), 'UPLOAD_REFUSED', 'EntityTooLarge'],
    [403, '<<ignore-all>>', 'UPLOAD_REFUSED', 'HTTP 403'],
    [307, '', 'UPLOAD_REFUSED', 'redirects uploads'],
  ])('answered with %i is told as what it is, once', async (status, body, code, words) => {
    const { url, requests } = await service(() => ({
      status,
      body,
      headers: { location: 'https://example.com/' },
    }));
    const failing = uploads().upload(`${url}/u?X-Amz-Signature=secret-1`, content('x'), options());
    await expect(failing).rejects.toMatchObject({
      code,
      fate: 'not-sent',
      message: expect.stringContaining(words),
    });
    await expect(failing).rejects.toMatchObject({
      message: expect.not.stringMatching(/secret-1|ignore-all/),
    });
    expect(requests).toHaveLength(1);
  });

  const REFUSED = { code: 'UPLOAD_REFUSED', fate: 'not-sent' };
  const EXPIRED = { code: 'ADDRESS_EXPIRED', fate: 'not-sent', hint: expect.stringContaining('new address') };
  const redirected = { ...REFUSED, message: expect.stringContaining('redirects uploads') };
  const refused = { ...REFUSED, message: expect.stringContaining('refused the upload') };
  const failed = (status: number) => ({
    code: `HTTP_${status}`,
    fate: 'unknown',
    message: expect.stringContaining(`answered HTTP ${status} to the upload.`),
  });

  test.each([
    [300, '', redirected],
    [304, '', redirected],
    [399, '', redirected],
    [400, '', refused],
    [407, '', refused],
    [408, '', failed(408)],
    [409, '', refused],
    [428, '', refused],
    [429, '', failed(429)],
    [430, '', refused],
    [499, '', refused],
    [500, '', failed(500)],
    [503, '', failed(503)],
    [400, xml('ExpiredToken'), EXPIRED],
    [403, 'the request HAS EXPIRED', EXPIRED],
    [499, 'expired', EXPIRED],
    // A fault of the storage is one, whatever it says: another address would not help.
    [500, 'expired', failed(500)],
    [503, 'expired', failed(503)],
  ])('answered with %i %j is what the status says', async (status, body, expected) => {
    const { url, requests } = await service(() => ({ status, body, headers: { location: '/' } }));
    // No longer young, so that it is not sent again.
    const failing = uploads().upload(`${url}/u`, content('x'), options({ givenAt: 0 }));
    await expect(failing).rejects.toMatchObject(expected);
    expect(requests).toHaveLength(1);
  });

  test.each([200, 201, 204, 299])('answered with %i is there', async (status) => {
    const { url } = await service(() => ({ status }));
    await uploads().upload(`${url}/u`, content('x'), options());
  });

  test.each([
    [xml('EntityTooLarge'), ', EntityTooLarge', 'It is larger than this address takes: make it smaller.'],
    [
      xml('EntityTooSmall'),
      ', EntityTooSmall',
      'It is smaller than this address takes: is the document empty?',
    ],
    [
      xml('InvalidDigest'),
      ', InvalidDigest',
      'The service did not accept the MD5 that it was told; call again.',
    ],
    [xml('BadDigest'), ', BadDigest', 'It did not arrive as it was sent; call again.'],
    [xml('Other'), ', Other', 'Check the document and its content type.'],
    [xml('x'.repeat(60)), `, ${'x'.repeat(60)}`, 'Check the document and its content type.'],
    [xml('x'.repeat(61)), '', 'Check the document and its content type.'],
    [xml('ignore all'), '', 'Check the document and its content type.'],
    [xml(''), '', 'Check the document and its content type.'],
    ['', '', 'Check the document and its content type.'],
  ])('refused with %j says so in words of its own', async (body, said, hint) => {
    const { url } = await service(() => ({ status: 400, body }));
    const { host } = new URL(url);
    await expect(uploads().upload(`${url}/u`, content('x'), options())).rejects.toMatchObject({
      message: `${host} refused the upload (HTTP 400${said}); nothing was uploaded.`,
      hint,
    });
  });

  test('never carries a header that is not its address\u2019s, nor one that no header can be', async () => {
    const { url, requests } = await service(() => ({ status: 200 }));
    const ours = [
      ...['Content-Type', 'content-length', 'Transfer-Encoding', 'host', 'Connection', 'User-Agent'],
      ...['Authorization', 'Cookie', 'Expect', 'x-amz-access-token', 'Access-Token'],
    ];
    const headers = {
      ...Object.fromEntries(ours.map((name) => [name, 'theirs'])),
      'a b': 'x',
      ' x-start': 'x',
      'x-end:': 'x',
      '': 'x',
      'x-line': 'a\nb: c',
      'x-letter': 'é',
      'x-delete': '\x7f',
      'x-empty': '',
      'x-all': ' ~',
      'x-host': 'h',
      'x-access-tokens': 't',
    };
    await uploads().upload(`${url}/u`, content('x'), options({ headers }));
    const sent = requests[0]?.headers ?? {};
    expect(Object.keys(sent).sort()).toEqual([
      ...['connection', 'content-length', 'content-type', 'host', 'user-agent'],
      ...['x-access-tokens', 'x-all', 'x-empty', 'x-host'],
    ]);
    expect(Object.values(sent)).not.toContain('theirs');
  });

  test('as a form is exactly its fields, quoted as browsers do, and the file', async () => {
    const { url, requests } = await service(() => ({ status: 204 }));
    const address = `${url}/bucket/?a%22b%0D%0Ac%22=1&policy=p%20q`;
    await uploads().upload(address, content('PNG', 'image/png'), options());
    const [request] = requests;
    expect(request?.path).toBe('/bucket/');
    const [, boundary = ''] =
      /^multipart\/form-data; boundary=(----form-[0-9a-f]{24})$/.exec(
        String(request?.headers['content-type']),
      ) ?? [];
    const part = 'Content-Disposition: form-data; name=';
    expect(request?.body.split('\r\n')).toEqual([
      ...[`--${boundary}`, `${part}"a%22b%0D%0Ac%22"`, '', '1'],
      ...[`--${boundary}`, `${part}"policy"`, '', 'p q'],
      ...[`--${boundary}`, `${part}"file"; filename="file"`, 'Content-Type: image/png', '', 'PNG'],
      ...[`--${boundary}--`, ''],
    ]);
  });

  test('of as much as is uploaded at most is sent', async () => {
    const { url, requests } = await service(() => ({ status: 200 }));
    await uploads({ limits: { bytes: 4 } }).upload(`${url}/u`, content('four'), options());
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['http://example.com/u', 'does not begin with https'],
    ['https://127.0.0.1/u', 'private network'],
    ['https://10.1.2.3/u', 'private network'],
    ['https://user:secret@example.com/u', 'user name'],
    ['nonsense', 'is not an address'],
  ])('leads nowhere else: %s', async (address, why) => {
    const failing = uploads().upload(address, content('x'), options({ givenBy: 'https://service.example' }));
    await expect(failing).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED', fate: 'not-sent' });
    await expect(failing).rejects.toThrow(new RegExp(`${why}.*nothing was uploaded`));
  });

  test('of more than is uploaded is refused with the limit; a cancelled one sends nothing', async () => {
    const { url, requests } = await service(() => ({ status: 200 }));
    await expect(
      uploads({ limits: { bytes: 3 } }).upload(`${url}/u`, content('four'), options()),
    ).rejects.toThrow('has 4 bytes, and at most 3 are uploaded');
    const signal = AbortSignal.abort(new CancelledError('gone'));
    await expect(uploads().upload(`${url}/u`, content('x'), options({ signal }))).rejects.toThrow('gone');
    expect(requests).toEqual([]);
  });

  test('of a file that changes meanwhile fails with what the file says', async () => {
    const { url } = await service(() => ({ status: 200 }));
    const changing: UploadContent = {
      ...content('12345'),
      async *read() {
        yield Buffer.from('1');
        throw new InputError('it was changed');
      },
    };
    await expect(uploads().upload(`${url}/u`, changing, options())).rejects.toThrow('it was changed');
  });

  test('that gets no answer ends', async () => {
    const { url } = await service(() => new Promise(() => {}));
    const slow = uploads({ limits: { silenceMs: 300, totalMs: 300 } });
    await expect(slow.upload(`${url}/u`, content('x'), options())).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
