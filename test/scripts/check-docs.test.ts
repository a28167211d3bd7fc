import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLinks } from '../../scripts/check-docs/check-links.ts';
import { checkMap, checkOrder, findCircles } from '../../scripts/check-docs/check-map.ts';
import { type Facts, gatherFacts } from '../../scripts/check-docs/facts.ts';
import { readDocument } from '../../scripts/check-docs/read-document.ts';
import { checkDocuments } from '../../scripts/check-docs.ts';

const facts: Facts = {
  version: '1.0.0',
  scripts: new Set(['start', 'build', 'test', 'check:docs']),
  commands: new Map([
    ['serve', { options: new Map(), positionals: '' }],
    ['login', { options: new Map([['verify', true]]), positionals: '' }],
    ['history', { options: new Map([['since', false]]), positionals: '' }],
    ['install', { options: new Map([['dry-run', true]]), positionals: '<host>' }],
    ['definitions', { options: new Map(), positionals: 'add <file> | list' }],
  ]),
  flags: new Map([
    ['account', false],
    ['region', false],
    ['sandbox', true],
  ]),
  variables: new Set(['SELLER_ACCOUNT', 'SELLER_REGION']),
  hosts: new Set(['vscode', 'claude-code']),
  names: new Set(['read_operation', 'find_operation', 'refresh_token']),
  files: new Set([
    'README.md',
    'package.json',
    'docs/',
    'docs/guide.md',
    'docs/images/',
    'docs/images/page.png',
    'src/',
    'src/client/',
    'src/client/pacing/retry.ts',
    'scripts/',
    'tools/',
    'scripts/run.sh',
    '.ci/',
    '.ci/run',
  ]),
  made: new Set(['dist', 'node_modules']),
};

/** `line: message` of each finding, for a document at `path`. */
function check(text: string, path = 'README.md'): string[] {
  return checkDocuments([readDocument(path, text)], facts).map(({ line, message }) => `${line}: ${message}`);
}

/** Each passes alone, and fails with the words beside it when it is changed as shown. */
const CASES: readonly [kind: string, right: string, wrong: string, message: RegExp][] = [
  ['a link out', '[x](docs/../README.md)', '[x](../README.md)', /leads out of the repository/],
  ['a link out in HTML', '<a href="docs/">x</a>', '<a href="../docs/">x</a>', /leads out of the repository/],
  ['a picture in HTML', '<img src="docs/images/page.png">', '<img src="docs/page.png">', /docs\/page\.png/],
  ['a folder', '`src/client/`', '`src/clients/`', /src\/clients\/ is not there/],
  ['a file', '`src/client/pacing/retry.ts`', '`src/client/retries.ts`', /retries\.ts is not there/],
  ['a file in no folder of ours', '`src/client/pacing/retry.ts`', '`shared/notes.md`', /shared\/notes\.md/],
  ['a file with its line', '`src/client/pacing/retry.ts:12`', '`src/client/retri.ts:12`', /retri\.ts is not/],
  ['a file named alone', '`retry.ts`', '`retri.ts`', /retri\.ts is not there/],
  ['a hidden folder', '`.ci/run`', '`.ci/runs`', /\.ci\/runs/],
  ['files by a pattern', '`src/**/*.ts`', '`src/**/*.mjs`', /is not there/],
  ['a shell line', '```sh\n./scripts/run.sh x\n```', '```sh\n./scripts/go.sh x\n```', /scripts\/go\.sh/],
  ['a script', '`npm run build`', '`npm run built`', /no script "built"/],
  ['a script with a colon', '`npm run check:docs`', '`npm run check:doc`', /no script "check:doc"/],
  ['npm test', '`npm ci && npm test`', '`npm ci && npm run tests`', /no script "tests"/],
  ['a script in a block', '```sh\nnpm run build\n```', '```\nnpm run bild\n```', /no script "bild"/],
  ['a script in HTML', '<code>npm run build</code>', '<code>npm run bild</code>', /no script "bild"/],
  ['a command', '`seller-commerce-mcp login`', '`seller-commerce-mcp logon`', /no command "logon"/],
  [
    'by npx',
    '`npx -y seller-commerce-mcp@1.0.0 login`',
    '`npx seller-commerce-mcp@1.0.0 signin`',
    /"signin"/,
  ],
  [
    'a version',
    '`npx -y seller-commerce-mcp@1.0.0`',
    '`npx -y seller-commerce-mcp`',
    /npx would take any version/,
  ],
  ['an old version', '`seller-commerce-mcp@1.0.0`', '`seller-commerce-mcp@0.9.0`', /this is version 1\.0\.0/],
  [
    'a version in an entry',
    '```json\n"args": ["-y", "seller-commerce-mcp@1.0.0"]\n```',
    '```json\n"args": ["-y", "seller-commerce-mcp@latest"]\n```',
    /not latest/,
  ],
  ['the script of a clone', '`npm start -- login`', '`npm start -- logi`', /no command "logi"/],
  ['the built file', '`node dist/main.mjs login`', '`node dist/main.mjs logi`', /no command "logi"/],
  ['a setting', '`seller-commerce-mcp --sandbox`', '`seller-commerce-mcp --sandbocks`', /--sandbocks/],
  [
    'an option',
    '`seller-commerce-mcp history --since 7d`',
    '`seller-commerce-mcp login --since 7d`',
    /login: .*--since/,
  ],
  ['a switch turned off', '`login --no-verify`', '`login --no-region`', /--no-region/],
  ['a command alone', '`login --account NAME`', '`login --acount NAME`', /--acount/],
  ['a flag alone', '`--region=eu`', '`--regions=eu`', /--regions/],
  [
    'a host',
    '`seller-commerce-mcp install vscode`',
    '`seller-commerce-mcp install emacs`',
    /no host "emacs"/,
  ],
  [
    'an action',
    '`seller-commerce-mcp definitions add x`',
    '`seller-commerce-mcp definitions ad x`',
    /cannot "ad"/,
  ],
  ['a variable', 'Set SELLER_REGION.', 'Set SELLER_REGOIN.', /no setting SELLER_REGOIN/],
  ['a tool', '`read_operation`', '`reads_operation`', /reads_operation is no tool/],
];

describe('a document', () => {
  it.each(CASES)('is right about %s, and told where it is not', (_kind, right, wrong, message) => {
    expect(check(`First.\n\n${right}\n`)).toEqual([]);
    const found = check(`First.\n\n${wrong}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
    expect(Number(found[0]?.split(':')[0])).toBeGreaterThanOrEqual(3);
  });

  it('is told by the very line, inside blocks, tables and lists too', () => {
    const table = '| a | b |\n|---|---|\n| `npm run nothing` | x |';
    expect(check(`One\n\n${table}\n\n- x\n- \`npm run none\`\n\n\`\`\`sh\nls\nnpm run no\n\`\`\`\n`)).toEqual(
      [
        '5: package.json has no script "nothing"',
        '8: package.json has no script "none"',
        '12: package.json has no script "no"',
      ],
    );
  });

  it('may speak of what is not ours', () => {
    const text = [
      '`seller-commerce-mcp <command> --help`, `seller-commerce-mcp --version`, `install <host>`, `SELLER_*`',
      '`seller-commerce-mcp-<version>.mcpb`, `.cursor/mcp.json`, `claude_desktop_config.json`, `dist/main.mjs`',
      '`orders/getOrder`, `text/html`, `tools/list`, `npm ci --ignore-scripts`, `~/.local/state`',
      '[a](https://example.com/none.md#x) [b](mailto:nobody)',
      '```text\nseller-commerce-mcp: a session over stdio\n```',
    ].join('\n\n');
    expect(check(text)).toEqual([]);
  });
});

describe('the sentences of the document about security', () => {
  const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(' ');
  const found = (text: string, path = 'docs/security.md') =>
    check(text, path).map((one) => one.split(':')[0]);

  it.each([
    ['a sentence', `${words(25)}. ${words(25)}! ${words(25)}?`, `${words(5)}. ${words(26)}.`],
    ['a cell of a table', `| ${words(20)} | ${words(20)} |`, `| a | ${words(26)} |`],
    ['a list', `- ${words(25)}`, `- ${words(20)}; ${words(6)}`],
    ['a code span', `${words(24)} \`a b c\`.`, `${words(25)} \`a b c\`.`],
    ['a link', `${words(23)} [a b](https://example.com/c.d).`, `${words(24)} [a b](https://example.com).`],
    ['brackets', `${words(25)}. (${words(25)}.) ${words(25)}`, `${words(20)} (${words(6)}) and.`],
    ['strong text', `**${words(25)}.** ${words(25)}`, `**${words(25)}** ${words(2)}`],
    ['other signs', `${words(12)} & ${words(13)} -`, `${words(13)} & ${words(13)} -`],
  ])('have at most 25 words: %s', (_what, right, wrong) => {
    expect(found(`# First\n\n${right}\n`)).toEqual([]);
    expect(found(`# First\n\n${wrong}\n`)).toEqual(['3']);
  });

  it('are not those of a block of code, nor of another document', () => {
    expect(found(`\`\`\`text\n${words(40)}\n\`\`\`\n`)).toEqual([]);
    expect(found(words(40), 'docs/guide.md')).toEqual([]);
  });
});

describe('links', () => {
  const picture = 'docs/images/page.png';
  const guide = '# Guide\n\n[a](../README.md#try-it) ![b](images/page.png)\n';
  const readme =
    '# Top\n\n## Try it\n\n[x](docs/guide.md#guide) [y](docs/) [z](#top) [a](https://example.com/none.md#x)\n';

  async function links(files: Readonly<Record<string, string>>): Promise<string[]> {
    const root = await mkdtemp(join(tmpdir(), 'links-'));
    try {
      await mkdir(join(root, 'docs/images'), { recursive: true });
      for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
      const found = await checkLinks(
        root,
        Object.keys(files).filter((path) => path.endsWith('.md')),
      );
      return found.map(({ path, line, message }) => `${path}:${line}: ${message}`);
    } finally {
      await rm(root, { recursive: true });
    }
  }

  it('lead to files, folders and headings that are there, from the folder of their document', async () => {
    expect(await links({ 'README.md': readme, 'docs/guide.md': guide, [picture]: '' })).toEqual([]);
  });

  it.each([
    ['a file', { 'README.md': readme.replace('(docs/)', '(doc/)') }, /^README\.md:5: .*doc`/],
    ['a picture', { [picture.replace('page', 'other')]: '' }, /^docs\/guide\.md:3: .*images\/page\.png/],
    ['a heading', { 'README.md': readme.replace('(#top)', '(#bottom)') }, /^README\.md:5: .*#bottom/],
    ['a heading elsewhere', { 'README.md': readme.replace('Try', 'Test') }, /^docs\/guide\.md:3: .*#try-it/],
  ])('are found where %s is missing', async (what, changed, message) => {
    const files = {
      'README.md': readme,
      'docs/guide.md': guide,
      ...(what !== 'a picture' && { [picture]: '' }),
    };
    const found = await links({ ...files, ...changed });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });
});

describe('the map', () => {
  const table = (...rows: string[]) => ({
    path: 'CONTRIBUTING.md',
    text: ['# Map', '<!-- map -->', '| a | b | c | d |', '|---|---|---|---|', ...rows, '<!-- /map -->'].join(
      '\n',
    ),
  });
  const imports = [
    { from: 'src/main.ts', to: 'src/program/a.ts' },
    { from: 'src/program/a.ts', to: 'src/call/client.ts' },
    { from: 'src/program/a.ts', to: 'tools/index.ts' },
    { from: 'tools/index.ts', to: 'src/call/client.ts' },
    { from: 'src/call/client.ts', to: 'src/call/retry.ts' },
  ];
  const right = [
    '| `src/program/` | x | call, tools | 0 |',
    '| `tools/` | x | call | 1 |',
    '| `src/call/` | x | nothing | 1 |',
  ];
  const messages = (rows: string[], more: Parameters<typeof checkMap>[1] = []) =>
    checkMap(table(...rows), [...imports, ...more]).map(({ line, message }) => `${line}: ${message}`);
  const changed = (from: string, to: string) => right.map((row) => row.replace(from, to));

  it('says what the modules do', () => {
    expect(messages(right)).toEqual([]);
    expect(messages(changed('| nothing | 1 |', '| nothing | all |'))).toEqual([]);
  });

  it.each([
    [
      'an import that no row allows',
      changed('call, tools', 'tools'),
      /^5: .*a\.ts imports .*client\.ts, which/,
    ],
    [
      'what is allowed and not used',
      changed('| call | 1', '| call, program | 1'),
      /imports nothing from program/,
    ],
    ['an arrow up', [...right].reverse(), /tools may not import call, which is not below it/],
    ['a door too many, or too few', changed('| call | 1 |', '| call | 2 |'), /tools is imported through 1/],
    ['a wing left out', right.slice(0, 2), /leaves out call/],
    ['a wing that is gone', [...right, '| `src/old/` | x | nothing | 0 |'], /^8: there is no wing old/],
    ['no map', [], /there is no map/],
  ])('is told: %s', (_what, rows, message) => {
    expect(messages(rows).join('\n')).toMatch(message);
  });

  it('is told: a new door', () => {
    const door = { from: 'tools/index.ts', to: 'src/call/retry.ts' };
    expect(messages(right, [door]).join('\n')).toMatch(
      /^7: call is imported through 2 of its modules, and not 1/,
    );
  });
});

describe('the order inside a wing', () => {
  const text = '# Map\n\nOne way: <!-- order -->`open.ts`; `kinds/`, `one.ts`; `keep/`<!-- /order -->.';
  const messages = (from: string, to: string, map = text) =>
    checkOrder({ path: 'CONTRIBUTING.md', text: map }, [
      { from: `src/write/${from}`, to: `src/write/${to}` },
    ]).map(({ line, message }) => `${line}: ${message}`);

  it.each([
    ['open.ts', 'keep/a/b.ts'],
    ['kinds/a.ts', 'one.ts'],
    ['one.ts', 'kinds/a.ts'],
    ['keep/a.ts', 'session.ts'],
    ['session.ts', 'kinds/a.ts'],
  ])('lets %s import %s', (from, to) => {
    expect(messages(from, to)).toEqual([]);
  });

  it('is told: an arrow up, a folder that it leaves out, an order that is gone', () => {
    expect(messages('keep/a.ts', 'kinds/b.ts')).toEqual([
      '3: src/write/keep/a.ts imports src/write/kinds/b.ts, which stands above it',
    ]);
    expect(messages('one.ts', 'other/b.ts').join('\n')).toMatch(/leaves out src\/write\/other\/b\.ts/);
    expect(messages('one.ts', 'keep/b.ts', '# Map').join('\n')).toMatch(/there is no order/);
  });
});

describe('imports in a circle', () => {
  const arrows = (...all: string[]) =>
    all.map((arrow) => {
      const [from = '', to = ''] = arrow.split(' ');
      return { from, to };
    });
  const told = (...all: string[]) => findCircles(arrows(...all)).map(({ message }) => message);

  it('are told, each with its way, and nothing that only leads to one or from one', () => {
    expect(told('z a', 'a b', 'b c', 'c a', 'c d', 'd e', 'x y', 'y x', 'z y')).toEqual([
      'imports in a circle: a -> b -> c -> a',
      'imports in a circle: x -> y -> x',
    ]);
  });

  it('are none where two meet again further down, nor where generated data name their type', () => {
    expect(told('a b', 'a c', 'b d', 'c d', 'd e/generated/f.ts', 'e/generated/f.ts d')).toEqual([]);
  });
});

describe('this repository', () => {
  it('gives the facts that the documents are held against', async () => {
    const found = await gatherFacts('.');
    expect([...found.commands.keys()]).toEqual(expect.arrayContaining(['serve', 'login', 'install']));
    expect(found.commands.get('install')?.options.get('dry-run')).toBe(true);
    expect(found.flags.get('sandbox')).toBe(true);
    expect(found.names).toContain('exchange_token');
    expect(found.names).toContain('find_operation');
    expect(found.files).toContain('src/main.ts');
    expect([...found.files].some((file) => file.startsWith('node_modules'))).toBe(false);
  });
});
