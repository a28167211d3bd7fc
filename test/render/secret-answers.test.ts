import { afterEach, expect, it } from 'vitest';
import { readOperation } from '../../tools/read-operation.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const TOKEN = 'odd-token-without-a-known-prefix-0123456789';
const body = { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/{orderId}/address' }] };

it.each([[undefined], ['3600'], ['soon'], [-1], [null]])(
  'a restricted data token with the lifetime %j is masked and serves its calls',
  async (expiresIn) => {
    runner = await startToolRunner(({ path }) =>
      path.includes('/tokens/')
        ? { body: { restrictedDataToken: TOKEN, expiresIn } }
        : { body: { payload: { echoed: TOKEN } } },
    );
    const bought = await runner.run(readOperation, { operation: 'createRestrictedDataToken', body });
    expect(`${bought.text}${JSON.stringify(bought.structured)}`).not.toContain(TOKEN);
    expect(bought.structured.value).toMatchObject({ keptFor: 'the calls that it covers' });
    const used = await runner.run(readOperation, {
      operation: 'orders/getOrderAddress',
      parameters: { orderId: '902-1' },
    });
    expect(runner.calls().at(-1)?.headers['x-amz-access-token']).toBe(TOKEN);
    expect(runner.calls().filter(({ path }) => path.includes('/tokens/'))).toHaveLength(1);
    expect(`${used.text}${JSON.stringify(used.structured)}`).not.toContain(TOKEN);
  },
);

it('a restricted data token for another application is masked, and serves no call', async () => {
  runner = await startToolRunner(({ path, json }) =>
    path.includes('/tokens/')
      ? { body: { restrictedDataToken: isForOther(json) ? TOKEN : 'bought-by-the-server', expiresIn: 3600 } }
      : { body: { payload: {} } },
  );
  const bought = await runner.run(readOperation, {
    operation: 'createRestrictedDataToken',
    body: { ...body, targetApplication: 'amzn1.sellerapps.app.other' },
  });
  expect(JSON.stringify(bought)).not.toContain(TOKEN);
  expect(bought.structured.value).toMatchObject({ keptFor: expect.stringContaining('targetApplication') });
  await runner.run(readOperation, { operation: 'orders/getOrderAddress', parameters: { orderId: '902-1' } });
  expect(runner.calls().at(-1)?.headers['x-amz-access-token']).toBe('bought-by-the-server');
  // Whatever repeats it later, an error or a log.
  expect(runner.session.redactor.redact(`refused: ${TOKEN}`)).not.toContain(TOKEN);
});

const isForOther = (json: unknown) => JSON.stringify(json).includes('targetApplication');

it('not even a piece of a secret is given out by range', async () => {
  runner = await startToolRunner(({ headers }) => ({
    body: { payload: { echoed: `before ${headers['x-amz-access-token']} after` } },
  }));
  const answer = await runner.run(readOperation, {
    operation: 'orders/getOrder',
    parameters: { orderId: '902-1' },
    select: ['payload.echoed.0-15'],
  });
  expect(JSON.stringify(answer.structured)).toContain('before [redacted');
});
