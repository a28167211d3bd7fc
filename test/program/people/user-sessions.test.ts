/** People of one server: who has a session, what ends it, and what of an account all of its people see. */

import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { startHttpService } from '../../helpers/http-service.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { ACCESS, openPeopleForTest, type Seller } from '../../helpers/people.ts';
import { readEntries } from '../../write/records/journal/helpers.ts';

const READ = { operation: 'getSupplySources' };

async function startSeller(delayMs = 0) {
  const service = await startHttpService(async ({ path }) => {
    if (path.startsWith('/auth')) {
      await sleep(20);
      return { body: { access_token: 'access-1', token_type: 'bearer', expires_in: 3600 } };
    }
    await sleep(delayMs);
    return { body: { supplySources: [{ supplySourceId: 'store-1' }] } };
  });
  onTestFinished(() => service.close());
  return { service, seller: { baseUrl: service.url, authUrl: service.url, sellerId: 'A1' } satisfies Seller };
}

it('ten people of one seller are one exchange', async () => {
  const { service, seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller });
  const names = Array.from({ length: 10 }, (_, at) => `person-${at}`);
  await world.allow(`access:\n  - group: team\n    accounts: [lamps]\n`);
  const all = await Promise.all(names.map((name) => world.connect(name, { groups: ['team'] })));
  const answers = await Promise.all(all.map(({ call }) => call('read_operation', READ)));
  expect(answers.every(({ isError }) => !isError)).toBe(true);
  expect(service.requests.filter(({ path }) => path.startsWith('/auth'))).toHaveLength(1);
  expect(new Set(all.map(({ session }) => session)).size).toBe(10);
});

it('the service is told which client calls, as it is over stdio', async () => {
  const { service, seller } = await startSeller();
  const { connect } = await openPeopleForTest({ lamps: seller });
  await (await connect('rita', { scopes: ['seller:read'] })).call('read_operation', READ);
  await (await connect('anna')).call('read_operation', READ);
  const agents = service.requests.filter(({ path }) => !path.startsWith('/auth')).map((one) => one.headers);
  expect(agents).toHaveLength(2);
  for (const headers of agents) expect(headers['user-agent']).toContain('; Client=test/1)');
});

it('whoever runs it can look up when the first client secret ends', async () => {
  const { seller } = await startSeller();
  const { people, clock } = await openPeopleForTest({ lamps: seller, chairs: seller });
  const days = 180 * 86_400_000;
  await expect.poll(people.firstSecretEnd).toBe(clock.now + days);
});

it('a person has one session, whichever client or login; another issuer is another person', async () => {
  const { seller } = await startSeller();
  const { people, caller, allow } = await openPeopleForTest({ lamps: seller });
  const session = await people.sessionOf(caller('anna'));
  expect(await people.sessionOf(caller('anna', { name: 'Other', expiresAt: 1 }))).toBe(session);
  expect(await people.sessionOf(caller('anna', { issuer: 'https://other.example' }))).not.toBe(session);
  expect(await people.sessionOf(caller('eve'))).toBeUndefined();
  await allow(ACCESS.replace('person: anna', 'person: anna\n    issuer: https://login.example'));
  expect(await people.sessionOf(caller('anna', { issuer: 'https://other.example' }))).toBeUndefined();
});

it('whether somebody has access is looked at without a session of theirs, and ends none', async () => {
  const { seller } = await startSeller();
  const { people, caller, allow } = await openPeopleForTest({ lamps: seller });
  await allow(`${ACCESS}  - group: management\n    accounts: "*"\n    rights: write\n`);
  const session = await people.sessionOf(caller('rita'));
  // An older token, with a group that she has no more: it would begin another session.
  expect(await people.hasAccess(caller('rita', { groups: ['management'] }))).toBe(true);
  expect(await people.sessionOf(caller('rita'))).toBe(session);
  expect(await people.hasAccess(caller('eve'))).toBe(false);
  await allow(ACCESS.replace('person: rita', 'person: nobody'));
  expect(await people.hasAccess(caller('rita'))).toBe(false);
});

it('who loses access has no session with the next call, and an access file with a mistake changes nothing and is told', async () => {
  const { seller } = await startSeller();
  const { people, caller, allow, outside } = await openPeopleForTest({ lamps: seller });
  const session = await people.sessionOf(caller('anna'));
  await allow(ACCESS.replace('rights: write', 'rights: all'));
  expect(await people.sessionOf(caller('anna'))).toBe(session);
  await people.sessionOf(caller('anna'));
  expect(outside.err().match(/access\.yaml:4: entry 1, rights must be one of read, write/g)).toHaveLength(1);
  expect(outside.err()).toContain('What the file said before holds until then.');
  await allow(ACCESS.replace('person: anna', 'person: nobody'));
  expect(await people.sessionOf(caller('anna'))).toBeUndefined();
  expect(outside.err()).toContain('The access file is right again');
  await allow(ACCESS);
  const again = await people.sessionOf(caller('anna'));
  expect(again).toBeDefined();
  expect(again).not.toBe(session);
});

it('a group of the login gives accounts where there is no access file', async () => {
  const { seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller, chairs: seller }, { SELLER_ACCESS: '' });
  const anna = await world.connect('anna', {
    groups: ['seller:lamps:read', 'seller:nothing:write', 'lamps'],
  });
  expect(await (await anna.session.accounts()).names()).toEqual(['lamps']);
  const { tools } = await anna.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('change_listings');
  expect(
    await world.people.sessionOf(world.caller('ben', { groups: ['lamps', 'seller:*:write'] })),
  ).toBeUndefined();
});

it('tokens of one person with different groups have a session each, and none ends the other', async () => {
  const { seller } = await startSeller();
  const groups = `access:
  - group: buyers
    accounts: [lamps]
    rights: write
    confirm: code
  - group: watchers
    accounts: [lamps, chairs]
`;
  const world = await openPeopleForTest({ lamps: seller, chairs: seller });
  await world.allow(groups);
  const [buyer, watcher] = [{ groups: ['buyers'] }, { groups: ['watchers'] }];
  const first = await world.connect('anna', buyer);
  const other = await world.connect('anna', watcher);
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: { status: 'Inactive' },
  };
  const preview = await first.call('write_operation', write);
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(preview.text)?.[1];
  for (let n = 0; n < 3; n++) {
    expect(await world.people.sessionOf(world.caller('anna', watcher))).toBe(other.session);
    expect(await world.people.sessionOf(world.caller('anna', buyer))).toBe(first.session);
  }
  expect((await (await other.session.accounts()).names()).toSorted()).toEqual(['chairs', 'lamps']);
  expect(await (await first.session.accounts()).names()).toEqual(['lamps']);
  const sent = await first.call('write_operation', { ...write, confirmationCode });
  expect(sent.isError).toBe(false);
  // A change in the access file replaces the session whose accounts it changed, and no other.
  await world.allow(groups.replace('accounts: [lamps, chairs]', 'accounts: [chairs]'));
  expect(await world.people.sessionOf(world.caller('anna', watcher))).not.toBe(other.session);
  expect(await world.people.sessionOf(world.caller('anna', buyer))).toBe(first.session);
});

it('the session of a token that has ended goes where its person has come with other rights since', async () => {
  const { seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller, chairs: seller }, { SELLER_ACCESS: '' });
  const before = world.caller('anna', {
    groups: ['seller:lamps:write', 'seller:chairs:write'],
    expiresAt: world.clock.now / 1000 + 60,
  });
  const after = world.caller('anna', {
    groups: ['seller:lamps:read'],
    expiresAt: world.clock.now / 1000 + 3_600,
  });
  const first = await world.people.sessionOf(before);
  world.clock.now += 1_000;
  const second = await world.people.sessionOf(after);
  expect(second).not.toBe(first);
  expect(await world.people.sessionOf(before)).toBe(first);
  world.clock.now += 1_000;
  expect(await world.people.sessionOf(after)).toBe(second);
  world.clock.now += 120_000;
  await sleep(3_000);
  expect(await world.people.sessionOf(after)).toBe(second);
  expect(await world.people.sessionOf(before)).not.toBe(first);
}, 20_000);

it('one person has eight sessions at most', async () => {
  const { seller } = await startSeller();
  const names = Array.from({ length: 10 }, (_, at) => `shop-${at}`);
  const sellers = Object.fromEntries(names.map((name) => [name, seller]));
  const world = await openPeopleForTest(sellers, { SELLER_ACCESS: '' });
  const sessionFor = (name = '') => {
    world.clock.now += 1_000;
    return world.people.sessionOf(world.caller('anna', { groups: [`seller:${name}:read`] }));
  };
  const [first] = names;
  const before = await sessionFor(first);
  for (const name of names.slice(1, 8)) await sessionFor(name);
  expect(await sessionFor(first)).toBe(before);
  for (const name of names.slice(8)) await sessionFor(name);
  expect(await sessionFor(first)).toBe(before);
  for (const name of names.slice(1, 9)) await sessionFor(name);
  expect(await sessionFor(first)).not.toBe(before);
});

it('a session ends when it was idle, which the next answer says once; a code of it is told as unknown', async () => {
  const { seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller });
  const first = await world.connect('anna');
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: { status: 'Inactive' },
  };
  const preview = await first.call('write_operation', write);
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(preview.text)?.[1];
  expect(confirmationCode).toBeDefined();
  const ben = await world.people.sessionOf(world.caller('ben'));
  expect(ben).toBeDefined();
  world.clock.now += 20 * 60_000;
  await world.people.sessionOf(world.caller('ben'));
  world.clock.now += 11 * 60_000;
  await sleep(2_500);
  // Idle since the last call, not since the first.
  expect(await world.people.sessionOf(world.caller('ben'))).toBe(ben);
  const second = await world.connect('anna');
  expect(second.session).not.toBe(first.session);
  const late = await second.call('write_operation', { ...write, confirmationCode });
  expect(late.isError).toBe(true);
  expect(late.text).toContain('Your session had ended after 30 idle minutes');
  expectOnlyIn('had ended', late.text, (await second.call('read_operation', READ)).text);
}, 20_000);

it('a session that is at work does not count as idle, however long nobody calls', async () => {
  const sandbox = await startSandbox({ latencyMs: 300, moreListings: 24, rateLimits: false });
  onTestFinished(() => sandbox.close());
  const { baseUrl, authUrl, sellerId, marketplaceId, credentials } = sandbox;
  const world = await openPeopleForTest({
    lamps: { baseUrl, authUrl, sellerId, marketplaceId, ...credentials },
  });
  const anna = await world.connect('anna');
  const items = Array.from({ length: 24 }, (_, at) => ({
    sku: `MORE-${String(at + 1).padStart(5, '0')}`,
    set: { price: 31.5 },
  }));
  const shown = await anna.call('change_listings', { items });
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(shown.text)?.[1];
  const running = anna.call('change_listings', { items, confirmationCode });
  const batches = await anna.session.batches();
  await expect
    .poll(async () => (await batches.list()).map(({ state }) => state), { timeout: 20_000 })
    .toEqual(['under_way']);
  world.clock.now += 31 * 60_000;
  const { text } = await running;
  expect(text).toMatch(/^Done: 24 listings, account lamps: 24 accepted/m);
}, 60_000);

it('a login without the scope to write writes nothing through the session of who may', async () => {
  const { service, seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller });
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: { status: 'Inactive' },
  };
  const full = await world.connect('anna');
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(
    (await full.call('write_operation', write)).text,
  )?.[1];
  const less = await world.connect('anna', { scopes: ['seller:read'] });
  expect((await less.client.listTools()).tools.map(({ name }) => name)).toContain('change_listings');
  const refused = await less.call('write_operation', { ...write, confirmationCode });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('may read account lamps') });
  expect(service.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('who may only read is shown nothing that writes, and is refused it', async () => {
  const { service, seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller });
  const rita = await world.connect('rita');
  const names = (await rita.client.listTools()).tools.map(({ name }) => name);
  expect(names).not.toContain('change_listings');
  const { text } = await rita.call('write_operation', {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: { status: 'Inactive' },
  });
  expect(text).toContain('You may read account lamps here, and not write to it');
  expect(service.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('who only reads does not exchange the token of all', async () => {
  const { service, seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller, chairs: seller });
  const [rita, anna] = [await world.connect('rita'), await world.connect('anna')];
  const exchanges = () => service.requests.filter(({ path }) => path.startsWith('/auth')).length;
  const before = exchanges();
  expect((await rita.call('exchange_token', {})).isError).toBe(true);
  expect(exchanges()).toBe(before);
  expect((await anna.call('exchange_token', {})).isError).toBe(false);
});

it('nobody writes where the server itself denies it, whatever the access file says', async () => {
  const { service, seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller }, { SELLER_WRITES: 'deny' });
  const anna = await world.connect('anna');
  expect((await anna.client.listTools()).tools.map(({ name }) => name)).not.toContain('change_listings');
  const { isError, text } = await anna.call('write_operation', {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 'store-1' },
    body: { status: 'Inactive' },
  });
  expect({ isError, text }).toMatchObject({ isError: true });
  expect(text).not.toContain('confirmationCode');
  expect(service.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('credentials are taken from no call, and no page is offered', async () => {
  const { seller } = await startSeller();
  const world = await openPeopleForTest({ lamps: seller });
  const anna = await world.connect('anna');
  const given = { refresh_token: 'Atzr|x', client_id: 'x', client_secret: 'y' };
  expect((await anna.call('exchange_token', given)).text).toContain('takes no credentials');
  expect(await (await anna.session.credentialsPages()).offer('lamps')).toBeUndefined();
});

it('what one person changed, the other is told of before they change it again, with the name', async () => {
  const sandbox = await startSandbox({ rateLimits: false, moreListings: 1 });
  onTestFinished(() => sandbox.close());
  const { baseUrl, authUrl, sellerId, marketplaceId, credentials } = sandbox;
  const world = await openPeopleForTest({
    lamps: { baseUrl, authUrl, sellerId, marketplaceId, ...credentials },
  });
  const [anna, ben] = [await world.connect('anna'), await world.connect('ben')];
  const items = (price: number) => ({ items: [{ sku: 'MORE-00001', set: { price } }] });
  const shown = await anna.call('change_listings', items(31.5));
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(shown.text)?.[1];
  const done = await anna.call('change_listings', { ...items(31.5), confirmationCode });
  expect(done, done.text).toMatchObject({ isError: false });

  const again = await ben.call('change_listings', { ...items(30.5), dryRun: true });
  expect(again.text).toMatch(/changed from here (just now|1 min ago), by Anna/);
  const people = await ben.call('query_data', { sql: 'SELECT DISTINCT person FROM changes' });
  expect(people.text).toContain('Anna');
  const undo = await ben.call('undo_change', {});
  expect(undo.text).toMatch(/Anna/);
  expect(await readEntries(join(world.folder, 'state'))).toMatchObject([
    { by: { name: 'Anna', id: expect.stringMatching(/^anna-[0-9a-f]{16}$/) } },
  ]);
}, 60_000);

it('a list under way ends between two items where its person loses access, and the others are told', async () => {
  const sandbox = await startSandbox({ latencyMs: 60, moreListings: 60, rateLimits: false });
  onTestFinished(() => sandbox.close());
  const { baseUrl, authUrl, sellerId, marketplaceId, credentials } = sandbox;
  const world = await openPeopleForTest({
    lamps: { baseUrl, authUrl, sellerId, marketplaceId, ...credentials },
  });
  const [anna, ben] = [await world.connect('anna'), await world.connect('ben')];
  await ben.call('read_operation', READ);
  const asked = {
    items: Array.from({ length: 20 }, (_, at) => ({
      sku: `MORE-${String(at + 1).padStart(5, '0')}`,
      set: { price: 31.5 },
    })),
  };
  const shown = await anna.call('change_listings', asked);
  const confirmationCode = /confirmationCode "([^"]+)"/.exec(shown.text)?.[1];
  expect(confirmationCode, shown.text).toBeDefined();
  const running = anna.call('change_listings', { ...asked, confirmationCode });
  const batches = await ben.session.batches();
  await expect
    .poll(async () => (await batches.list()).map(({ counts }) => counts.pending), { timeout: 20_000 })
    .toEqual([expect.toSatisfy((pending: number) => pending < 20)]);
  await world.allow(ACCESS.replace('person: anna', 'person: nobody'));
  expect(await world.people.sessionOf(world.caller('anna'))).toBeUndefined();
  await running;
  const [list] = await batches.list();
  expect(list).toMatchObject({ state: 'unfinished', by: { name: 'Anna' }, counts: { unknown: 0 } });
  expect(list?.inDoubt).toBe(0);
  expect(list?.counts.pending).toBeGreaterThan(0);
  await expect
    .poll(async () => (await ben.call('read_operation', READ)).text, { timeout: 10_000 })
    .toMatch(/Unfinished: .* by Anna\).* Why: What Anna may do here has changed/s);
  // Ben may go on with it, and Rita may not end it.
  const rita = await world.connect('rita');
  const stop = await rita.call('write_operation', { operation: 'x', confirmationCode: list?.id, stop: true });
  expect(stop.isError).toBe(true);
  const on = await ben.call('change_listings', { confirmationCode: list?.id ?? '' });
  expect(on, on.text).toMatchObject({ isError: false });
}, 120_000);

it('what may not be used is refused at the start', async () => {
  const { seller } = await startSeller();
  const open = openPeopleForTest({ lamps: seller }, { SELLER_STATE_KEY: 'short' });
  await expect(open).rejects.toThrow('not 32 bytes');
  await expect(
    openPeopleForTest({ lamps: seller }, { SELLER_ACCESS: '/nowhere/access.yaml' }),
  ).rejects.toThrow('cannot be read');
});

it('a file of the same time and size, put in the place of the access file, is read', async () => {
  const { seller } = await startSeller();
  const { people, caller, allow, folder } = await openPeopleForTest({ lamps: seller });
  expect(await people.sessionOf(caller('anna'))).toBeDefined();
  const path = join(folder, 'access.yaml');
  const { atime, mtime } = await stat(path);
  await allow(ACCESS.replace('person: anna', 'person: enna'));
  await utimes(path, atime, mtime);
  expect(await people.sessionOf(caller('anna'))).toBeUndefined();
  await writeFile(path, ACCESS);
});
