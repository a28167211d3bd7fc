/** A session's settings: all of the process's but its secrets, and those of its principal before them. */

import { expect, it } from 'vitest';
import { namesOf, settingsSchema } from '../../../src/base/settings.ts';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import { createTestOutside } from '../../helpers/outside.ts';

const SECRET = 'a-secret-of-the-process-with-40-characters';
const secrets = Object.entries(settingsSchema.shape)
  .filter(([, schema]) => schema.meta()?.secret === true)
  .map(([key, schema]) => ({ key, env: namesOf(key, schema).env }));

it('no secret of the process is among them, and every other setting is', async () => {
  expect(secrets.length).toBeGreaterThan(3);
  const env = Object.fromEntries(secrets.map(({ env: name }) => [name, SECRET]));
  const program = createProgram(createTestOutside({ env }));
  const session = openSession(program, { name: 'Ana', settings: { answerTokens: 777 } });
  const settings = session.settings();
  expect(JSON.stringify(settings)).not.toContain(SECRET);
  const open = Object.keys(program.config()).filter((key) => !secrets.some((one) => one.key === key));
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(open));
  expect(settings.answerTokens).toBe(777);
});
