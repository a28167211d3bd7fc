/** `npm run check:words`: fails for names, comments and commit subjects that break the style of CONTRIBUTING.md. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Module, readModule } from './check-words/read-module.ts';

const FOLDERS = ['src', 'tools', 'sandbox', 'views', 'scripts', 'test'];
/** No two modules in it declare a type of one name. */
const UNIQUE_IN = 'src/';
/** Maps each word that no name has to its replacements. A name is split at its capitals and underscores. */
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
const STRUCK_FORMS: readonly (readonly [form: RegExp, instead: string])[] = [
  [/^(?:MOST|LONGEST)_/, 'MAX_*'],
  [/^FEWEST_/, 'MIN_*'],
  [/.Words$/, 'format*, describe*, *Message or *Text'],
];
/** Matches a comment that opens without a subject. */
const NO_SUBJECT = /^(?:What|Who|Whoever|Of|Nobody|Neither|Such|Those)\b/;
/** The share of the comments that may open so, because they are questions. */
const MAX_SHARE = 0.01;
const MAX_SUBJECT = 72;
/** The number of commits whose subjects are read; older ones cannot be changed any more. */
const COMMITS = 50;

export const findStruck = ({ file, names }: Module): string[] =>
  names.flatMap((name) => {
    const words = name.split(/_|(?=[A-Z])/).map((word) => word.toLowerCase());
    const instead = [
      ...words.flatMap((word) => (Object.hasOwn(STRUCK, word) ? [STRUCK[word]] : [])),
      ...STRUCK_FORMS.filter(([form]) => form.test(name)).map(([, better]) => better),
    ];
    return instead.map((better) => `${file}: ${name}: use ${better}`);
  });

export function findRepeatedTypes(modules: readonly Module[]): string[] {
  const files = new Map<string, string[]>();
  for (const { file, types } of modules.filter((one) => one.file.startsWith(UNIQUE_IN)))
    for (const name of types) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files].flatMap(([name, declaring]) =>
    declaring.length < 2 ? [] : [`${name} is a type in ${declaring.join(', ')}`],
  );
}

export function findWithoutSubject(modules: readonly Module[]): string[] {
  const comments = modules.flatMap(({ file, comments: own }) => own.map((comment) => ({ file, comment })));
  const found = comments.filter(({ comment }) => NO_SUBJECT.test(comment));
  if (found.length <= MAX_SHARE * comments.length) return [];
  return found.map(({ file, comment }) => `${file}: opens without a subject: ${comment}`);
}

export const findLongSubjects = (subjects: readonly string[]): string[] =>
  subjects
    .filter((subject) => subject.length > MAX_SUBJECT)
    .map((subject) => `more than ${MAX_SUBJECT} characters: ${subject}`);

function readSubjects(): string[] {
  if (!existsSync('.git')) return [];
  return execFileSync('git', ['log', '--format=%s', `-${COMMITS}`], { encoding: 'utf8' }).split('\n');
}

function readModules(): Module[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('/generated/')),
  ).map((file) => readModule(file, readFileSync(file, 'utf8')));
}

if (process.argv[1]?.endsWith('check-words.ts')) {
  const modules = readModules();
  const problems = [
    ...modules.flatMap(findStruck),
    ...findRepeatedTypes(modules),
    ...findWithoutSubject(modules),
    ...findLongSubjects(readSubjects()),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`names, comments and subjects of ${modules.length} modules: ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
