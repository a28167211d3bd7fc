/** The printed list of what is personal in every operation, beside what looks like it and what stays, for a reviewer's eye. */

import type { Treatment } from '../../src/privacy/personal/kinds.ts';
import { contextOf, type MemberContext, treatmentByName } from '../../src/privacy/personal/member-rule.ts';
import { mayAnswerPersonalDocuments, rulesOf } from '../../src/privacy/personal/members.ts';
import type { JsonSchema } from '../../src/service/facts/operation.ts';
import { type AnswerMember, lastOf, listMembers, parentOf } from './answer-members.ts';
import type { KnownOfFile } from './collect.ts';

/** The verdict on a member: its masking, `document`, `own` (looks personal, but is the seller's) or `stays`. */
type PersonalVerdict = Treatment | 'document' | 'own' | 'stays';

const ORDER: readonly PersonalVerdict[] = [
  ...([
    'buyer name',
    'address',
    'postcode',
    'e-mail',
    'phone',
    'tax number',
    'buyer text',
    'free text',
  ] as const),
  ...(['document', 'own', 'stays'] as const),
];

/** Members that hold a file, or the address of one. */
const DOCUMENT = /^(?:contents?|label|labelStream|base64EncodedContent|url|rmaPageURL|\w*[Dd]ocuments?Url)$/;

/** One block for each container that holds anything personal, or what looks like it; then the operations without any. */
export function listPersonal(known: readonly KnownOfFile[]): string[] {
  const without: string[] = [];
  const lines = known.flatMap((operation) => {
    const blocks = blocksOf(operation);
    if (blocks.length === 0) without.push(operation.id);
    return blocks;
  });
  return [...lines, '', 'nothing that looks personal', ...without.sort().map((id) => `  ${id}`)];
}

function blocksOf({ id, draft, defs, answers }: KnownOfFile): string[] {
  const sent = [
    ...draft.parameters.map(({ name, schema }) => ({ path: `parameters.${name}`, schema, required: false })),
    ...(draft.body === undefined ? [] : listMembers({ properties: { body: draft.body.schema } }, defs)),
  ];
  const answered = answers.flatMap(({ members }) => members);
  return [...containersOf(id, 'sends', sent), ...containersOf(id, 'answers', answered)];
}

function containersOf(id: string, verb: string, members: readonly AnswerMember[]): string[] {
  const containers = new Map<string, Map<PersonalVerdict, Set<string>>>();
  for (const { path, schema } of members) {
    const verdict = verdictOf(id, path, schema);
    if (verdict === undefined) continue;
    const container = containers.get(parentOf(path)) ?? new Map<PersonalVerdict, Set<string>>();
    containers.set(parentOf(path), container);
    container.set(verdict, (container.get(verdict) ?? new Set()).add(lastOf(path)));
  }
  return [...containers]
    .filter(([, held]) => [...held.keys()].some((verdict) => verdict !== 'stays'))
    .flatMap(([path, held]) => [
      `${id} ${verb} ${path === '' ? '.' : path}`,
      ...ORDER.flatMap((verdict) => {
        const names = held.get(verdict);
        return names === undefined ? [] : [`  ${verdict}: ${[...names].join(' ')}`];
      }),
    ]);
}

/** Undefined for what holds other members, and for numbers and truth values that nothing is said of. */
function verdictOf(id: string, path: string, schema: JsonSchema): PersonalVerdict | undefined {
  const names = path.replaceAll('[]', '').split('.');
  const isText = schema.type === 'string';
  let context: MemberContext | undefined;
  let rule = rulesOf({ operation: id });
  for (const name of names) {
    // The member that contains it is personal as a whole.
    if (rule.treatment !== undefined) return undefined;
    context = contextOf(name, context);
    rule = rule.child(name);
  }
  const treatment = isText ? rule.ofText : rule.treatment;
  if (treatment !== undefined) return path.endsWith('[]') ? undefined : treatment;
  if (isText && DOCUMENT.test(names.at(-1) ?? '') && mayAnswerPersonalDocuments({ operation: id }))
    return 'document';
  const looks = context && treatmentByName(context, { isText });
  if (rule.isOwn && looks !== undefined && looks !== 'free text') return 'own';
  return isText && !path.endsWith('[]') && schema.format === undefined ? 'stays' : undefined;
}
