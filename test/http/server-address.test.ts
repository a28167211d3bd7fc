/** Tests where a server may listen: for others only with a login, a proxy and a name; errors come before it listens. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildConfig } from '../../src/base/config.ts';
import { ConfigError } from '../../src/base/errors.ts';
import { readServerAddress } from '../../src/http/server-address.ts';

const optional = (flag: string, value: string | true) => fc.constantFrom({}, { [flag]: value });
const worlds = fc
  .tuple(
    fc
      .constantFrom('127.0.0.1:1', 'localhost:1', '[::1]:1', '0.0.0.0:1', '192.0.2.7:1', '[::]:1')
      .map((listen) => ({ listen })),
    optional('public-url', 'https://sellers.example'),
    optional('behind-proxy', true),
    optional('issuer', 'https://login.example/'),
    optional('sandbox', true),
    fc.constantFrom({}, { SELLER_HTTP_TOKEN: 'x'.repeat(32) }),
  )
  .map((all): Record<string, string | boolean> => Object.assign({}, ...all));

it('is reached from elsewhere only with a login of a provider, a proxy and an address; with less it is for this machine alone, or for nobody', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { SELLER_HTTP_TOKEN, ...flags } = world;
      const config = buildConfig(
        flags,
        SELLER_HTTP_TOKEN === undefined ? {} : { SELLER_HTTP_TOKEN: String(SELLER_HTTP_TOKEN) },
      );
      const isElsewhere = config.behindProxy || !/^(127\.|localhost|\[::1\])/.test(config.listen);
      const hasOne =
        config.issuer === undefined
          ? config.httpToken !== undefined || config.sandbox
          : config.httpToken === undefined;
      const mayServeOthers =
        config.issuer !== undefined && config.behindProxy && config.publicUrl !== undefined;
      const isAllowed = hasOne && (!isElsewhere || mayServeOthers);
      if (!isAllowed) return void expect(() => readServerAddress(config)).toThrow(ConfigError);
      const where = readServerAddress(config);
      expect(where.isLocal).toBe(!isElsewhere);
      expect(where.endpoint(1).pathname).toBe('/mcp');
    }),
    { numRuns: 500 },
  );
});
