/** One change of a host's configuration from start to end: plan, show, ask, back up, replace. */

import { InputError } from '../../base/errors.ts';
import { backUp, makeFolder, readConfig, replaceFile, resolveTarget } from './config-file.ts';
import { type FoundEntry, findEntry, type Slot } from './config-text.ts';
import { withLock } from './lock.ts';
import { showChange } from './show-change.ts';

/** How often a change is planned anew when the host keeps writing the file. */
const attempts = 5;

export interface ConfigChange {
  slot: Slot;
  /** The new text; the same text when there is nothing to do. May throw to refuse. */
  apply(text: string, found: FoundEntry | undefined): string;
  /** True when the entry starts this program. */
  isOurs(found: FoundEntry): boolean;
  /** Variables that may be shown with their values. */
  visible: ReadonlySet<string>;
  /** Mode of a file that does not exist yet. */
  mode: number;
}

export interface ChangeIo {
  print(text: string): void;
  /** Resolves to true when the person says yes. */
  confirm(): Promise<boolean>;
  now(): Date;
  /** Ends the waiting for other programs; first read when something is about to be written. */
  readonly signal: AbortSignal;
}

/** `shown`: a dry run; `declined`: the person said no. */
export type ChangeOutcome =
  | { kind: 'nothing' | 'shown' | 'declined' }
  | { kind: 'written'; backup: string | undefined };

/** @throws InputError when the file cannot be read, understood or written; it is then as it was. */
export async function changeConfig(
  change: ConfigChange,
  io: ChangeIo,
  dryRun: boolean,
): Promise<ChangeOutcome> {
  const target = await resolveTarget(change.slot.file);
  const shown = await plan(target, change);
  if (shown.after === shown.before) return { kind: 'nothing' };
  showPlan(change, shown, target, io);
  if (dryRun) return { kind: 'shown' };
  if (!(await io.confirm())) return { kind: 'declined' };
  // Read from here on: a signal in the midst of it lets the file become whole and takes the lock away.
  const { signal } = io;
  await makeFolder(target);
  return withLock(target, () => write(target, change, shown, io), signal);
}

/** The host may write meanwhile; what was agreed to is the change of one entry, so that is planned anew. */
async function write(
  target: string,
  change: ConfigChange,
  shown: Plan,
  io: ChangeIo,
): Promise<ChangeOutcome> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { before, after, found } = await plan(target, change);
    if (JSON.stringify(found?.value) !== JSON.stringify(shown.found?.value)) break;
    if (after === before) return { kind: 'nothing' };
    const backup = await backUp(target, io.now());
    if (await replaceFile(target, { from: before, to: after, mode: change.mode }))
      return { kind: 'written', backup };
  }
  throw changed(change.slot);
}

interface Plan {
  before: string;
  after: string;
  found: FoundEntry | undefined;
}

async function plan(target: string, change: ConfigChange): Promise<Plan> {
  const before = (await readConfig(target)) ?? '';
  const found = findEntry(before, change.slot);
  return { before, found, after: change.apply(before, found) };
}

function showPlan(change: ConfigChange, { before, after, found }: Plan, target: string, io: ChangeIo): void {
  const { slot, visible } = change;
  const foreign = found !== undefined && !change.isOurs(found);
  const own = [slot.host.serversKey, slot.name];
  io.print(`${slot.host.name}: ${slot.file}${target === slot.file ? '' : ` -> ${target}`}\n`);
  io.print(showChange(before, after, { own, visible, foreign }));
  if (foreign) io.print(`Note: the existing entry "${slot.name}" starts another program.\n`);
}

function changed(slot: Slot): InputError {
  return new InputError(
    `${slot.file} was changed by another program meanwhile. Nothing was written.`,
    'Run the command again to see the change as it would be now.',
  );
}
