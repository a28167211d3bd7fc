/** `npm run check:words`: fails for names and comments that break the rules of CONTRIBUTING.md, and for long commit subjects. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, parseSync, Visitor } from 'oxc-parser';

const FOLDERS = ['src', 'tools', 'sandbox', 'views', 'scripts', 'test'];
/** No two modules in it declare a type of one name. */
const UNIQUE_IN = 'src/';
/** Maps words that no name has to those that take their place. A name is split at its capitals and underscores. */
const STRUCK: Readonly<Record<string, string>> = {
  told: 'reported, described or formatted',
  untold: 'unreported',
  tell: 'describe, format or render',
  tells: 'describes or formats',
  said: 'answered or given',
  asker: 'user',
  yes: 'approval',
  wing: 'package',
  fold: 'merge',
  place: 'marketplace, index, path, slot or position',
  places: 'marketplaces, paths, slots or positions',
  paper: 'document',
  papers: 'documents',
};
/** Forms that no name has. */
const STRUCK_FORMS: readonly (readonly [form: RegExp, instead: string])[] = [
  [/^(?:MOST|LONGEST)_/, 'MAX_*'],
  [/^FEWEST_/, 'MIN_*'],
  [/.Words$/, 'format*, describe*, *Message or *Text'],
];
/** Opens a comment without a subject. */
const NO_SUBJECT = /^(?:What|Who|Whoever|Of|Nobody|Neither|Such|Those)\b/;
/** The share of the comments that may do so: real questions. */
const MAX_SHARE = 0.01;
const MAX_SUBJECT = 72;
/** The number of commits that are read: those before are published. */
const COMMITS = 50;

interface Declared {
  file: string;
  name: string;
  isType: boolean;
}

function readModules() {
  const declared: Declared[] = [];
  const comments: string[] = [];
  for (const file of FOLDERS.flatMap(listModules)) {
    const parsed = parseSync(file, readFileSync(file, 'utf8'));
    const addAs = (isType: boolean) => (node: { id: { type: string; name?: string } | null }) => {
      if (node.id?.name !== undefined) declared.push({ file, name: node.id.name, isType });
    };
    new Visitor({
      FunctionDeclaration: addAs(false),
      VariableDeclarator: addAs(false),
      ClassDeclaration: addAs(true),
      TSInterfaceDeclaration: addAs(true),
      TSTypeAliasDeclaration: addAs(true),
    }).visit(parsed.program);
    comments.push(...openingsOf(parsed.comments).map((text) => `${file}: ${text}`));
  }
  return { declared, comments };
}

function listModules(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('/generated/'));
}

/** Returns the text of each comment; a line that continues the one above opens none. */
function openingsOf(comments: readonly Comment[]): string[] {
  const starts = comments.filter(
    ({ type, start }, index) => type === 'Block' || start - (comments[index - 1]?.end ?? -Infinity) > MAX_GAP,
  );
  return starts.map(({ value }) => value.replace(/^[*\s]+/, '').slice(0, MAX_SUBJECT));
}
/** A line end and the indentation lie between two lines of a comment, and no code that matters. */
const MAX_GAP = 20;

function findStruck({ file, name }: Declared): string[] {
  const words = name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());
  const instead = [
    ...words.flatMap((word) => (Object.hasOwn(STRUCK, word) ? [STRUCK[word]] : [])),
    ...STRUCK_FORMS.filter(([form]) => form.test(name)).map(([, better]) => better),
  ];
  return instead.map((better) => `${file}: ${name}: use ${better}`);
}

function findTwice(declared: readonly Declared[]): string[] {
  const types = declared.filter(({ file, isType }) => isType && file.startsWith(UNIQUE_IN));
  return Object.values(Object.groupBy(types, ({ name }) => name)).flatMap((alike = []) =>
    alike.length < 2 ? [] : [`${alike[0]?.name} is a type in ${alike.map(({ file }) => file).join(', ')}`],
  );
}

function findLongSubjects(): string[] {
  if (!existsSync('.git')) return [];
  const subjects = execFileSync('git', ['log', '--format=%s', `-${COMMITS}`], { encoding: 'utf8' }).split(
    '\n',
  );
  return subjects
    .filter((subject) => subject.length > MAX_SUBJECT)
    .map((subject) => `more than ${MAX_SUBJECT} characters: ${subject}`);
}

const { declared, comments } = readModules();
const withoutSubject = comments.filter((comment) => NO_SUBJECT.test(comment.replace(/^\S+: /, '')));
const problems = [
  ...declared.flatMap(findStruck),
  ...findTwice(declared),
  ...findLongSubjects(),
  ...(withoutSubject.length > MAX_SHARE * comments.length ? withoutSubject : []),
];
for (const problem of problems) console.error(problem);
console.log(
  `${declared.length} names, ${comments.length} comments (${withoutSubject.length} without a subject)`,
);
if (problems.length > 0) process.exitCode = 1;
