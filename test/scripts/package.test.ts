import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFORMANCE } from '../../scripts/matrix/conformance-scenarios.ts';
import { LONG_FILES } from '../../scripts/matrix/end-to-end.ts';
import { runChecks } from '../../scripts/matrix/row.ts';
import type { Component } from '../../scripts/package/bom.ts';
import { isAllowed } from '../../scripts/package/licenses.ts';
import { buildNotices } from '../../scripts/package/notices.ts';
import { listFiles, unzip, zipFolder } from '../../scripts/package/zip.ts';
import { check, NotCheckable } from '../../scripts/release/check.ts';

describe('licenses', () => {
  it.each(['MIT', 'ISC', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'MIT AND BSD-3-Clause'])(
    'ships %s',
    (license) => {
      expect(isAllowed(license)).toBe(true);
    },
  );

  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'AGPL-3.0-or-later',
    'SEE LICENSE IN LICENSE',
    'UNLICENSED',
    '',
  ])('does not ship "%s"', (license) => {
    expect(isAllowed(license)).toBe(false);
  });
});

describe('notices', () => {
  const good: Component = {
    name: 'good',
    version: '1.0.0',
    license: 'MIT',
    texts: ['Copyright of good\r\n'],
  };
  const build = (...components: Component[]) => buildNotices({ name: 'x', version: '1.0.0', components });

  it('has name, version, license and text of each, and of the facts', async () => {
    const text = await build(good);
    expect(text).toContain('good 1.0.0 (MIT)\n\nCopyright of good\n');
    expect(text).toContain('selling-partner-api-models');
  });

  it('refuses to bundle what it may not, naming each', async () => {
    const bad = { ...good, name: 'bad', license: 'GPL-3.0-only' };
    const silent = { ...good, name: 'silent', texts: [] };
    await expect(build(good, bad, silent)).rejects.toThrow(
      /bad@1\.0\.0: license GPL[\s\S]*silent@1\.0\.0: no license text/,
    );
  });
});

describe('zip', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seller-zip-'));
    await mkdir(join(folder, 'in/b'), { recursive: true });
    await writeFile(join(folder, 'in/b/ü.txt'), 'ü'.repeat(1_000));
    await writeFile(join(folder, 'in/a.txt'), '');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('gives back what went in, and the same bytes the second time', async () => {
    await zipFolder(join(folder, 'in'), join(folder, 'one.zip'));
    await unzip(join(folder, 'one.zip'), join(folder, 'out'));
    expect(await listFiles(join(folder, 'out'))).toEqual(['a.txt', 'b/ü.txt']);
    expect(await readFile(join(folder, 'out/b/ü.txt'), 'utf8')).toBe('ü'.repeat(1_000));
    // Written later than what was zipped first.
    await zipFolder(join(folder, 'out'), join(folder, 'two.zip'));
    expect(await readFile(join(folder, 'two.zip'))).toEqual(await readFile(join(folder, 'one.zip')));
  });
});

describe('counting', () => {
  it('counts a check that throws as failed, with its reason', async () => {
    const row = await runChecks('row', [
      { name: 'good', run: async () => {} },
      { name: 'bad', run: () => Promise.reject(new Error('because')) },
    ]);
    expect(row).toEqual({ name: 'row', passed: 1, failed: 1, failures: ['bad: because'] });
  });

  it('tells apart what failed and what could not be checked', async () => {
    expect(await check('a', () => Promise.reject(new Error('x')))).toMatchObject({ outcome: 'failed' });
    expect(await check('a', () => Promise.reject(new NotCheckable('x')))).toMatchObject({
      outcome: 'not checked',
    });
    expect(await check('a', async () => 'x')).toEqual({ name: 'a', outcome: 'ok', detail: 'x' });
  });

  it.each(LONG_FILES)('leaves out %s, which is there', (file) => {
    expect(existsSync(file)).toBe(true);
  });

  it('has no scenario in two lists', () => {
    const { applicable, notApplicable } = CONFORMANCE;
    const scenarios = [...applicable, ...notApplicable.flatMap((reason) => reason.scenarios)];
    expect(new Set(scenarios).size).toBe(scenarios.length);
  });
});
