/** What is kept of a write as the assistant may see it: what is personal in it was read, or given as a mark, in another session. */

import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import { adapterOf, adapterOfRecorded } from '../../model/find-adapter.ts';
import type { MemberValue } from '../../model/member-values.ts';
import { createWriteView } from '../../model/write-view.ts';
import { keptChange } from './differences.ts';
import { maskMember } from './undoable.ts';
import type { WriteValues } from './values.ts';

/** What was personal when it was read is personal where it is written back. */
export function statesOf({ parameters, members }: Pick<WriteValues, 'parameters' | 'members'>) {
  const { shownBy: operation } = adapterOfRecorded({ parameters });
  return members.flatMap((member) =>
    [member.before, member.after].map((value) => ({
      operation,
      body: member.segments.reduceRight<unknown>((inner, name) => ({ [String(name)]: inner }), value ?? null),
    })),
  );
}

/** A mark that was given stands for its value here too. */
export function hiddenOf({ members }: Pick<WriteValues, 'members'>) {
  return members.flatMap(({ before, after, shown }) =>
    shown === undefined
      ? []
      : [
          { value: before, shown: shown.before },
          { value: after, shown: shown.after },
        ],
  );
}

/** Member by member; what the journal masks of what was sent is masked here too. */
export async function shownValues(
  values: WriteValues,
  account: string,
  personal: PersonalData,
): Promise<MemberValue[]> {
  const view = createWriteView({ personal, account, replaced: [] });
  for (const { value, shown } of hiddenOf(values)) view.hidden(value, shown);
  for (const { operation, body } of statesOf(values)) await view.seen(operation, { body, bytes: 0 });
  const members = values.members.map(({ segments, before, after }) => {
    const side = (value: unknown) => maskMember(segments, personal.maskTexts(view.value(value)));
    return { segments, before: side(before), after: side(after) };
  });
  const change = keptChange({ ...values, members });
  return adapterOf(change.subject).values(change);
}
