import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLinks } from '../../scripts/check-docs/check-links.ts';
import { checkMap, findCircles } from '../../scripts/check-docs/check-map.ts';
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
  const map = [
    '# Map',
    '<!-- map -->',
    '| a | b |',
    '|---|---|',
    '| `src/program/` | x |',
    '| `tools/` | x |',
    '| `src/write/` | x |',
    '| `src/call/` | x |',
    '<!-- /map -->',
    'One way: <!-- order -->`open.ts`; `handlers/`, `one.ts`; `records/`<!-- /order -->.',
  ].join('\n');
  const messages = (arrows: readonly string[], text = map) =>
    checkMap({ path: 'CONTRIBUTING.md', text }, arrows.map(toImport)).map(({ message }) => message);

  it.each([
    'src/main.ts src/call/a.ts',
    'src/program/a/b.ts tools/index.ts',
    'tools/a.ts src/call/a.ts',
    'src/call/a.ts src/call/b.ts',
    'src/write/open.ts src/write/records/a/b.ts',
    'src/write/handlers/a.ts src/write/one.ts',
    'src/write/one.ts src/write/handlers/a.ts',
    'src/write/records/a.ts src/write/session.ts',
    'src/write/session.ts src/write/handlers/a.ts',
  ])('allows %s', (arrow) => {
    expect(messages([arrow])).toEqual([]);
  });

  it.each([
    ['src/call/a.ts tools/index.ts', 'src/call/a.ts imports tools/index.ts, which stands above it'],
    ['tools/a.ts src/main.ts', 'tools/a.ts imports src/main.ts, which stands above it'],
    ['src/old/a.ts src/call/a.ts', 'the map leaves out old (src/old/a.ts)'],
    [
      'src/write/records/a.ts src/write/handlers/b.ts',
      'src/write/records/a.ts imports src/write/handlers/b.ts, which stands above it',
    ],
    ['src/write/other/b.ts src/write/records/a.ts', 'the map leaves out other (src/write/other/b.ts)'],
  ])('refuses %s', (arrow, message) => {
    expect(messages([arrow])).toEqual([message]);
  });

  it('refuses everything where there is no map or no order', () => {
    expect(messages(['tools/a.ts src/call/a.ts'], '# Map')).toEqual([
      'the map leaves out tools (tools/a.ts)',
    ]);
    expect(messages(['src/write/one.ts src/write/records/a.ts'], map.replace('<!-- order -->', ''))).toEqual([
      'the map leaves out one.ts (src/write/one.ts)',
    ]);
  });
});

const toImport = (arrow: string) => {
  const [from = '', to = ''] = arrow.split(' ');
  return { from, to };
};

describe('imports in a circle', () => {
  const describeCircles = (...arrows: string[]) =>
    findCircles(arrows.map(toImport)).map(({ path, message }) => `${path} ${message}`);

  it('are told, and nothing that only leads to one or from one', () => {
    expect(describeCircles('z a', 'a b', 'b c', 'c a', 'c d', 'd e', 'x y', 'y x', 'z y')).toEqual([
      'a imports b in a circle',
      'b imports c in a circle',
      'c imports a in a circle',
      'x imports y in a circle',
      'y imports x in a circle',
    ]);
  });

  it('are none where two meet again further down, nor where generated data name their type', () => {
    expect(describeCircles('a b', 'a c', 'b d', 'c d', 'd e/generated/f.ts', 'e/generated/f.ts d')).toEqual(
      [],
    );
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
