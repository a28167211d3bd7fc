/** Every script, command, flag and host that a document names must exist. */

import type { CommandFacts, Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { Document, Part } from './read-document.ts';

type Known = Pick<Facts, 'scripts' | 'commands' | 'flags' | 'hosts'>;

export function checkCommands(document: Document, facts: Known): Finding[] {
  const spans = document.spans.flatMap((part) =>
    problemsOfSpan(part.text, facts).map(findingOf(document, part)),
  );
  const parts: Part[] = [...document.spans, ...document.lines, ...codeInHtml(document)];
  const invoked = parts.flatMap(({ text, line }) =>
    [...problemsOfScripts(text, facts), ...problemsOfInvocations(text, facts)].map(
      findingOf(document, { line }),
    ),
  );
  return [...spans, ...invoked];
}

const findingOf = (document: Document, part: Pick<Part, 'line'>) => (problem: string) =>
  finding(document, part, problem);

/** `<summary><code>npm run demo</code></summary>`: code that Markdown does not see. */
function codeInHtml({ text }: Document): Part[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      [...line.matchAll(/<code>(.*?)<\/code>/g)].map((match) => ({ text: match[1] ?? '', line: i + 1 })),
    );
}

function problemsOfScripts(text: string, { scripts }: Known): string[] {
  const named = [...text.matchAll(/\bnpm (?:run(?:-script)?(?: -s| --silent)? ([\w:-]+)|(test|start)\b)/g)];
  return named
    .map(([, run, short]) => run ?? short ?? '')
    .filter((name) => !scripts.has(name))
    .map((name) => `package.json has no script "${name}"`);
}

/** `login --account NAME`, `--writes=ask`, `--account`: the program is meant, although it is not named. */
function problemsOfSpan(text: string, facts: Known): string[] {
  const [first = '', ...rest] = text.split(/\s+/);
  if (first.startsWith('--')) return unknownFlags([first], facts, allOptions(facts));
  const command = facts.commands.get(first);
  if (command === undefined || rest.length === 0) return [];
  return problemsOfArguments(first, rest, command, facts);
}

function allOptions({ commands }: Known): ReadonlyMap<string, boolean> {
  return new Map([...commands.values()].flatMap(({ options }) => [...options]));
}

const INVOCATION =
  /(?<![\w./@-])(?:seller-commerce-mcp|npm start --|(?:\.\/)?dist\/main\.mjs)(?:@[\w.-]+)?(?![\w./@:-])((?:[ \t]+[^\s`&;()]+)*)/g;

function problemsOfInvocations(text: string, facts: Known): string[] {
  return [...text.matchAll(INVOCATION)].flatMap(([, tail = '']) => {
    const words =
      tail
        .split(/\s\|\s|\s#/)[0]
        ?.split(/\s+/)
        .filter((word) => word !== '') ?? [];
    const [first = '', ...rest] = words;
    if (first === '' || isPlaceholder(first)) return [];
    const isCommand = !first.startsWith('-');
    const name = isCommand ? first : 'serve';
    const command = facts.commands.get(name);
    if (command === undefined) return [`there is no command "${name}"`];
    return problemsOfArguments(name, isCommand ? rest : words, command, facts);
  });
}

function problemsOfArguments(
  name: string,
  words: readonly string[],
  { options, positionals }: CommandFacts,
  facts: Known,
): string[] {
  const [first = ''] = words;
  const problems = unknownFlags(
    words.filter((word) => word.startsWith('--') && word !== '--'),
    facts,
    options,
  ).map((problem) => `${name}: ${problem}`);
  if (first === '' || first.startsWith('-') || isPlaceholder(first)) return problems;
  if (positionals === '<host>' && !facts.hosts.has(first))
    return [...problems, `${name}: there is no host "${first}"`];
  const actions = [...positionals.matchAll(/(?<=^|\| )[a-z]+/g)].map(([action]) => action);
  if (actions.length > 0 && !actions.includes(first)) return [...problems, `${name}: it cannot "${first}"`];
  return problems;
}

function unknownFlags(
  words: readonly string[],
  facts: Known,
  options: ReadonlyMap<string, boolean>,
): string[] {
  const isKnown = (flag: string) => facts.flags.has(flag) || options.has(flag);
  const isSwitch = (flag: string) => facts.flags.get(flag) === true || options.get(flag) === true;
  return words
    .map((word) => /^--([\w-]+)/.exec(word)?.[1] ?? '')
    .filter((flag) => !['help', 'version'].includes(flag) && !isKnown(flag))
    .filter((flag) => !(flag.startsWith('no-') && isSwitch(flag.slice(3))))
    .map((flag) => `there is no flag --${flag}`);
}

/** `<command>`, `NAME`, `...`: a placeholder for the reader's own value. */
function isPlaceholder(word: string): boolean {
  return /^[<[…]|^\.\.\.|^[A-Z_]{2,}$/.test(word);
}
