/** `login` against an identity provider that repeats what it was sent: the values are known to nobody but this command. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startHttpService } from '../helpers/http-service.ts';
import { describeWithKeychain } from '../helpers/keychain.ts';
import { createLeakSearch } from '../helpers/leak-search.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';

const CLIENT_SECRET = 'canary/secret+41"with&all=sorts';
const REFRESH_TOKEN = 'canary|refresh/7~"odd\\ones%';
const search = createLeakSearch(
  new Map([
    ['client secret', CLIENT_SECRET],
    ['refresh token', REFRESH_TOKEN],
  ]),
);

describeWithKeychain('login', () => {
  it.each([400, 401, 403, 500, 502])(
    'prints no secret when the provider answers %i with it',
    async (status) => {
      const home = await mkdtemp(join(tmpdir(), 'seller-login-'));
      const provider = await startHttpService(({ body }) => ({
        status,
        headers: { 'content-type': 'application/json', 'x-amzn-RequestId': body.slice(0, 200) },
        body: JSON.stringify({
          error: CLIENT_SECRET,
          error_description: `${body} ${REFRESH_TOKEN} ${Buffer.from(body).toString('base64')} ${encodeURIComponent(REFRESH_TOKEN)}`,
        }),
      }));
      try {
        const { stdout, stderr, code } = await runProgram(['login', '--account=echo', '--log-level=debug'], {
          env: {
            ...homeEnvironment(home),
            DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? '',
            SELLER_BASE_URL: provider.url,
            SELLER_AUTH_URL: provider.url,
          },
          input: JSON.stringify({
            clientId: 'id-1',
            clientSecret: CLIENT_SECRET,
            refreshToken: REFRESH_TOKEN,
          }),
          cwd: home,
        });
        expect(code).toBe(1);
        expect(stderr).toContain('Nothing was stored');
        expect([...search.inText(stdout, 'stdout'), ...search.inText(stderr, 'stderr')]).toEqual([]);
      } finally {
        await provider.close();
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});
