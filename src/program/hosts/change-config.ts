/** Changes a host's configuration: plan, show, confirm, back up, replace. */

import { InputError } from '../../base/errors.ts';
import { listSettings } from '../../base/setting-descriptions.ts';
import type { Outside } from '../runtime/outside.ts';
import { backUp, makeFolder, readConfig, replaceFile, resolveTarget } from './config-file.ts';
import { type FoundEntry, findEntry, type Slot } from './config-text.ts';
import { isOurs as startsUs } from './find-start.ts';
import { withLock } from './lock.ts';
import { showChange } from './show-change.ts';

/** The maximum number of plans when the host keeps writing the file. */
const MAX_ATTEMPTS = 5;

export interface ConfigChange {
  slot: Slot;
  /**
   * Returns the new text, or the same text when there is nothing to do. May throw to refuse.
   * @param isOurs true when the found entry starts this program
   */
  apply(text: string, found: FoundEntry | undefined, isOurs: boolean): string;
  /** The mode of a new file. */
  mode: number;
  dryRun: boolean;
  /** Resolves to true when the user agrees. */
  confirm(): Promise<boolean>;
}

/** The outcome: `shown` is a dry run; `declined` means that the user did not agree. */
export type ChangeOutcome =
  | { kind: 'nothing' | 'shown' | 'declined' }
  | { kind: 'written'; backup: string | undefined };

/**
 * Changes the file.
 * @throws InputError when the file cannot be read, parsed or written; it is then unchanged.
 */
export async function changeConfig(change: ConfigChange, io: Outside): Promise<ChangeOutcome> {
  const target = await resolveTarget(change.slot.file);
  const shown = await plan(target, change, io);
  if (shown.after === shown.before) return { kind: 'nothing' };
  showPlan(change, shown, target, io);
  if (change.dryRun) return { kind: 'shown' };
  if (!(await change.confirm())) return { kind: 'declined' };
  // Reading the signal here makes a stop wait until the file is complete and the lock released.
  const { signal } = io;
  await makeFolder(target);
  return withLock(target, () => write(target, change, shown, io), signal);
}

/** Writes the change. The host may write meanwhile, so the agreed change of one entry is planned again. */
async function write(target: string, change: ConfigChange, shown: Plan, io: Outside): Promise<ChangeOutcome> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { before, after, found } = await plan(target, change, io);
    if (JSON.stringify(found?.value) !== JSON.stringify(shown.found?.value)) break;
    if (after === before) return { kind: 'nothing' };
    const backup = await backUp(target, new Date());
    if (await replaceFile(target, { from: before, to: after, mode: change.mode }))
      return { kind: 'written', backup };
  }
  throw changed(change.slot);
}

interface Plan {
  before: string;
  after: string;
  found: FoundEntry | undefined;
  isOurs: boolean;
}

async function plan(target: string, change: ConfigChange, io: Outside): Promise<Plan> {
  const before = (await readConfig(target)) ?? '';
  const found = findEntry(before, change.slot);
  const isOurs = found !== undefined && startsUs(found.command, found.args, io);
  return { before, found, isOurs, after: change.apply(before, found, isOurs) };
}

function showPlan(
  { slot }: ConfigChange,
  { before, after, found, isOurs }: Plan,
  target: string,
  io: Outside,
) {
  const foreign = found !== undefined && !isOurs;
  const own = [slot.host.serversKey, slot.name];
  io.stdout(`${slot.host.name}: ${slot.file}${target === slot.file ? '' : ` -> ${target}`}\n`);
  io.stdout(showChange(before, after, { own, visible: openVariables(), foreign }));
  if (foreign) io.stdout(`Note: the existing entry "${slot.name}" starts another program.\n`);
}

/** Returns the names of the variables of settings that are not secret. */
function openVariables(): ReadonlySet<string> {
  return new Set(listSettings().flatMap((setting) => (setting.flag === undefined ? [] : [setting.env])));
}

function changed(slot: Slot): InputError {
  return new InputError(
    `${slot.file} was changed by another program meanwhile. Nothing was written.`,
    'Run the command again to see the change as it would be now.',
  );
}
