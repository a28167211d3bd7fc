import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import {
  createDownloads,
  type DownloadOptions,
  type DownloadSettings,
  type Downloads,
} from '../../../src/call/download/download.ts';
import { selfSignedCertificate } from '../../helpers/certificates.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { type Handler, type HttpService, portOf, startHttpService } from '../../helpers/http-service.ts';

const closing: (() => unknown)[] = [];
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'download-'));
  file = join(folder, 'document');
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function service(handler: Handler): Promise<HttpService> {
  const started = await startHttpService(handler);
  closing.push(started.close);
  return started;
}

function downloads(settings: Partial<DownloadSettings> = {}): Downloads {
  const made = createDownloads({ connectTimeoutMs: 2_000, version: '1.2.3', ...settings });
  closing.push(made.close);
  return made;
}

const LOOPBACK = 'http://127.0.0.1:1';
const options = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  givenBy: LOOPBACK,
  signal: new AbortController().signal,
  ...more,
});

/** Expects the download to fail and to leave no file behind. */
async function fails(failing: Promise<unknown>, expected: object): Promise<void> {
  await expect(failing).rejects.toMatchObject(expected);
  expect(existsSync(file)).toBe(false);
}

describe('a document', () => {
  test('is in the file as it was sent, packed or not, and only the owner may read it', async () => {
    const bytes = Buffer.alloc(3_000_000, 'packed');
    const headers = {
      'content-type': 'text/tab-separated-values; charset=Cp1252',
      'content-encoding': 'gzip',
      'content-length': `${bytes.length}`,
    };
    const { url } = await service(() => ({ headers, body: bytes }));
    const seen: number[] = [];
    const onProgress = ({ bytes: so, ofBytes }: { bytes: number; ofBytes?: number }) => {
      seen.push(so);
      expect(ofBytes).toBe(bytes.length);
    };
    const result = await downloads().download(`${url}/d?Signature=s`, file, options({ onProgress }));
    expect(result).toEqual({ bytes: bytes.length, charset: 'Cp1252' });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(seen.at(-1)).toBe(bytes.length);
  });

  test('is asked for without any token', async () => {
    const { url, requests } = await service(() => ({ body: 'x' }));
    await downloads().download(`${url}/d?X-Amz-Signature=s`, file, options());
    expect(requests[0]?.path).toBe('/d?X-Amz-Signature=s');
    expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(requests[0]?.headers).toMatchObject({
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^seller-commerce-mcp\/1\.2\.3 /),
    });
  });

  test('never replaces a file', async () => {
    const { url } = await service(() => ({ body: 'new' }));
    await downloads().download(`${url}/d`, file, options());
    await expect(downloads().download(`${url}/d`, file, options())).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  test('of no bytes is an empty file', async () => {
    const { url } = await service(() => ({ body: '' }));
    expect(await downloads().download(`${url}/d`, file, options())).toEqual({ bytes: 0, charset: undefined });
    expect(readFileSync(file)).toHaveLength(0);
  });
});

describe('where an address may lead', () => {
  test.each([
    ['http://reports.example/d', 'begin with https'],
    ['ftp://reports.example/d', 'begin with https'],
    ['file:///etc/passwd', 'begin with https'],
    ['data:text/plain,x', 'begin with https'],
    ['https://user:secret@reports.example/d', 'user name or password'],
    ['https://10.0.0.1/d', 'private network'],
    ['https://169.254.169.254/latest/meta-data', 'private network'],
    ['https://[fd00::1]/d', 'private network'],
    ['https://[::ffff:192.168.0.1]/d', 'private network'],
    ['https://2130706433/d', 'private network'],
    ['https://localhost/d', 'private network'],
    ['http://127.0.0.1/d', 'begin with https'],
    ['not an address', 'is not an address'],
  ])('%s from a service on the Internet: nowhere', async (address, why) => {
    await fails(downloads().download(address, file, options({ givenBy: 'https://service.example' })), {
      code: 'ADDRESS_NOT_ALLOWED',
      message: expect.stringContaining(why),
    });
  });

  test('a name that resolves into a private network: nowhere, told as such, nothing connected', async () => {
    for (const address of ['10.1.2.3', '127.0.0.1', '::1', '169.254.169.254']) {
      let asked = 0;
      const lookup: DownloadSettings['lookup'] = Object.assign(
        (...args: unknown[]) => {
          asked += 1;
          const callback = args.at(-1);
          if (typeof callback !== 'function') return;
          callback(null, [
            { address: '203.0.113.9', family: 4 },
            { address, family: address.includes(':') ? 6 : 4 },
          ]);
        },
        { __promisify__: () => Promise.reject(new Error('not used')) },
      );
      await fails(downloads({ lookup }).download('https://reports.example/d', file, options()), {
        code: 'ADDRESS_NOT_ALLOWED',
        message: 'The address of the document leads into a private network; it was not fetched.',
      });
      expect(asked).toBe(1);
    }
  });

  test('a redirect is followed on the same scheme, a few times', async () => {
    const { url, requests } = await service(({ path }) => {
      const left = Number(path.slice(1));
      return left === 0 ? { body: 'there' } : { status: 302, headers: { location: `/${left - 1}` } };
    });
    await downloads().download(`${url}/3`, file, options());
    expect(readFileSync(file, 'utf8')).toBe('there');
    rmSync(file);
    await fails(downloads().download(`${url}/4`, file, options()), { code: 'TOO_MANY_REDIRECTS' });
    expect(requests).toHaveLength(8);
  });

  test.each([
    ['https://reports.example/d', 'redirects from http: to https:'],
    ['ftp://127.0.0.1/d', 'redirects from http: to ftp:'],
    ['http://10.0.0.1/d', 'does not begin with https: but with http:'],
    ['http://reports.example/d', 'does not begin with https: but with http:'],
    ['http://', 'redirects to what is not an address'],
  ])('a redirect to %s is not', async (location, why) => {
    const { url } = await service(() => ({ status: 307, headers: { location } }));
    await fails(downloads().download(`${url}/d`, file, options()), {
      code: 'ADDRESS_NOT_ALLOWED',
      message: expect.stringContaining(why),
    });
  });

  test('an answer that is the document leads nowhere else, and a redirect that names no place is none', async () => {
    let status = 200;
    const headers = (): Record<string, string> =>
      status === 200 ? { location: 'https://elsewhere.example/d' } : {};
    const { url, requests } = await service(() => ({ status, headers: headers(), body: 'here' }));
    await downloads().download(`${url}/d`, file, options());
    expect(readFileSync(file, 'utf8')).toBe('here');
    rmSync(file);
    status = 302;
    await fails(downloads().download(`${url}/d`, file, options()), { code: 'HTTP_302' });
    expect(requests).toHaveLength(2);
  });

  test('over HTTPS, a redirect to HTTP or into a private network is not followed', async () => {
    const { key, cert } = selfSignedCertificate();
    const targets = ['http://localhost/d', 'https://10.0.0.1/d', 'https://192.168.1.1/d'];
    const server = createServer({ key, cert }, ({ url = '' }, response) => {
      response.writeHead(302, { location: targets[Number(url.slice(1))] ?? '' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const address = `https://localhost:${portOf(server.address())}`;
    for (const at of targets.keys()) {
      await fails(downloads({ ca: cert }).download(`${address}/${at}`, file, options()), {
        code: 'ADDRESS_NOT_ALLOWED',
      });
    }
    await fails(downloads().download(`${address}/0`, file, options()), { fate: 'unknown' });
  });

  test('an error says the host, and nothing else of an address', async () => {
    const { url } = await service(() => ({ status: 404, body: 'x' }));
    const failure = await downloads()
      .download(`${url}/bucket/key?X-Amz-Signature=secret`, file, options())
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'HTTP_404', message: expect.stringContaining(new URL(url).host) });
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/bucket|secret/);
  });
});

describe('an address that has ended', () => {
  test.each([
    [403, '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'],
    [400, '<Error><Code>ExpiredToken</Code></Error>'],
    [401, ''],
    [410, ''],
  ])(
    'HTTP %i is told so that the caller asks for a new one, and is not tried again',
    async (status, body) => {
      const { url, requests } = await service(() => ({ status, body }));
      await fails(downloads().download(`${url}/d`, file, options()), { code: 'ADDRESS_EXPIRED' });
      expect(requests).toHaveLength(1);
    },
  );

  test.each([
    [400, '<Code>InvalidArgument</Code>'],
    [500, 'a session of ours has expired'],
  ])('HTTP %i (%s) is not told as ended', async (status, body) => {
    const { url } = await service(() => ({ status, body }));
    await fails(downloads().download(`${url}/d`, file, options()), { code: `HTTP_${status}` });
  });
});

describe('what breaks off', () => {
  /** The first answers are cut, the others whole. */
  const cutting = (cuts: number): Handler => {
    let asked = 0;
    return (_, response) => {
      asked += 1;
      // The complete answer is shorter than the cut ones, so that a leftover of those would be noticed.
      response.writeHead(200, { 'content-length': asked > cuts ? '50000' : '100000' });
      if (asked > cuts) response.end(Buffer.alloc(50_000, 'w'));
      else response.write(Buffer.alloc(60_000, 'c'), () => response.destroy());
      return undefined;
    };
  };

  test('is fetched once more from the beginning', async () => {
    const clock = fakeClock();
    const { url, requests } = await service(cutting(1));
    const downloading = downloads({ clock }).download(`${url}/d`, file, options());
    await expect.poll(clock.sleeping).toBe(1);
    await clock.advance(1_000);
    expect(await downloading).toEqual({ bytes: 50_000, charset: undefined });
    expect(readFileSync(file).equals(Buffer.alloc(50_000, 'w'))).toBe(true);
    expect(requests).toHaveLength(2);
  });

  test('twice is told as cut short', async () => {
    const clock = fakeClock();
    const { url, requests } = await service(cutting(2));
    const failing = fails(downloads({ clock }).download(`${url}/d`, file, options()), {
      code: 'BODY_CUT_SHORT',
    });
    await expect.poll(clock.sleeping).toBe(1);
    await clock.advance(1_000);
    await failing;
    expect(requests).toHaveLength(2);
  });

  test('is not fetched again from an address that is no longer young', async () => {
    const clock = fakeClock();
    const { url, requests } = await service(cutting(1));
    const givenAt = clock.wallClock() - 4 * 60_000 - 1;
    await fails(downloads({ clock }).download(`${url}/d`, file, options({ givenAt })), {
      code: 'BODY_CUT_SHORT',
    });
    expect(requests).toHaveLength(1);
  });

  test.each([429, 500, 503])('HTTP %i passes once', async (status) => {
    const clock = fakeClock();
    const { url, requests } = await service(() => (requests.length === 1 ? { status } : { body: 'x' }));
    const downloading = downloads({ clock }).download(`${url}/d`, file, options());
    await expect.poll(clock.sleeping).toBe(1);
    await clock.advance(1_000);
    expect(await downloading).toMatchObject({ bytes: 1 });
  });
});

describe('limits', () => {
  const endless: Handler = (_, response) => {
    response.on('error', () => {});
    const piece = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
    return undefined;
  };

  test('more bytes than allowed are refused, announced or not', async () => {
    const limits = { bytes: 1_000_000 };
    const tooLarge = {
      code: 'BODY_TOO_LARGE',
      message: 'The document has more than 1 MB, which is the limit for a download.',
    };
    const announced = await service(() => ({
      headers: { 'content-length': '1000001' },
      body: Buffer.alloc(1_000_001),
    }));
    await fails(downloads({ limits }).download(`${announced.url}/d`, file, options()), tooLarge);
    const { url } = await service(endless);
    await fails(downloads({ limits }).download(`${url}/d`, file, options()), tooLarge);
  });

  test.each([
    ['packed', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(999_998)]), 12],
    ['plain', Buffer.alloc(1_000_000, 'x'), 3],
  ])(
    'a %s document that will not fit on the disk is refused before it is written',
    async (_, body, times) => {
      const { url } = await service(() => ({ headers: { 'content-length': '1000000' }, body }));
      const free = (bytes: number) => downloads({ freeBytes: () => Promise.resolve(bytes) });
      await fails(free(times * 1_000_000 - 1).download(`${url}/d`, file, options()), {
        code: 'DISK_FULL',
        message: `The document needs about ${times} MB of disk, and ${times} MB are free.`,
      });
      expect(await free(times * 1_000_000).download(`${url}/d`, file, options())).toMatchObject({
        bytes: 1_000_000,
      });
    },
  );

  test('silence ends it', { timeout: 15_000 }, async () => {
    const { url } = await service((_, response) => {
      response.writeHead(200).write('x');
      return undefined;
    });
    await fails(downloads({ limits: { silenceMs: 300 } }).download(`${url}/d`, file, options()), {
      name: 'TimeoutError',
      message: expect.stringContaining('sent nothing of the document for 300 ms'),
    });
  });

  test('so does the time it may take in all, although bytes keep coming', async () => {
    const { url } = await service(endless);
    await fails(downloads({ limits: { totalMs: 200 } }).download(`${url}/d`, file, options()), {
      name: 'TimeoutError',
      message: expect.stringContaining('did not send the whole document within 200 ms'),
    });
  });

  test('and a cancel, with its own reason', async () => {
    const { url } = await service(endless);
    const reason = new CancelledError('The person cancelled.');
    const controller = new AbortController();
    const onProgress = () => controller.abort(reason);
    const { signal } = controller;
    await expect(downloads().download(`${url}/d`, file, options({ signal, onProgress }))).rejects.toBe(
      reason,
    );
    expect(existsSync(file)).toBe(false);
    await expect(downloads().download(`${url}/d`, file, options({ signal }))).rejects.toBe(reason);
  });

  test('an encoding that was not asked for is told', async () => {
    const { url } = await service(() => ({ headers: { 'content-encoding': 'br' }, body: 'x' }));
    await fails(downloads().download(`${url}/d`, file, options()), { code: 'BAD_ENCODING' });
  });
});

test('a disk that is full while it is written is told as such, and nothing is left', async () => {
  const { saveBody } = await import('../../../src/call/download/save-body.ts');
  const { open } = await import('node:fs/promises');
  const handle = await open('/dev/full', 'r+').catch(() => undefined);
  if (handle === undefined) return;
  const body = (async function* () {
    yield Buffer.from('x');
  })();
  const saving = saveBody(body, handle, { ofBytes: 1, limit: 10, freeBytes: () => Promise.resolve(100) });
  await expect(saving).rejects.toMatchObject({ code: 'DISK_FULL', message: 'The disk is full.' });
  await handle.close();
});
