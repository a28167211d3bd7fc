/** Renders a change that waits for approval: every row, the rows removed from it, both buttons, and then the outcomes. */

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Ask, ViewProps } from './ask.ts';
import type { ApprovalRow, ApprovalState, ApprovalView } from './data.ts';
import { formatChangeShare, plural, visible } from './format.ts';
import { Panel, Text } from './parts.tsx';
import { type Column, Table } from './table.tsx';

/** How often the program is asked how it stands. */
const LOOK_MS = 1_000;
/** How often it is told that somebody is here, at most. */
const HERE_MS = 20_000;

export function Approval({ view, ask }: ViewProps<ApprovalView>) {
  const { head, lines, total, hasRows = false } = view;
  const isTable = total > 0 || hasRows;
  const [rows, setRows] = useState<readonly ApprovalRow[]>([]);
  const { state, ends, problem, look, send } = useStanding(ask);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<number | undefined>();
  useEffect(() => {
    if (isTable) void ask?.('rows').then((all) => setRows(rowsOf(all)));
  }, [ask, isTable]);
  useHere(ask);

  const out = useMemo(() => indexesIn(state?.out ?? '', total), [state?.out, total]);
  const isWaiting = state?.standing === 'waiting' && problem === undefined;
  const setOut = (indexes: readonly number[], isOut: boolean) => {
    const next = new Set(out);
    for (const at of indexes) next[isOut ? 'add' : 'delete'](at);
    void send('out', { out: bitsOf(next, total) });
    setMarked(new Set());
  };
  const numbered = useMemo(() => rows.map((row, at): Row => ({ ...row, at })), [rows]);
  // A column without a value is left out.
  const known = useMemo(
    () => columnsOf().filter(({ value }) => numbered.some((row) => value(row) !== null)),
    [numbered],
  );
  // Before the yes there is nothing to tell of how it stands but what is taken out.
  const columns = useMemo(
    () =>
      hasRows || (isWaiting && out.size === 0) ? known : [...known, standingColumn(out, ends, isWaiting)],
    [known, out, ends, isWaiting, hasRows],
  );
  const kept = total - out.size;
  const isReady = isWaiting && (hasRows ? rows.length > 0 : rows.length === total);
  const canTakeOut = isWaiting && !hasRows;
  const chosen = [...marked].map(Number);
  const opened = open === undefined ? undefined : numbered[open];
  return (
    <div class="approval">
      <section class="card">
        <h2>{visible(head)}</h2>
        {lines.map((line, at) => (
          <p key={at} class="said">
            {visible(line)}
          </p>
        ))}
      </section>
      <Decide
        {...{ state, problem, total, kept, isReady }}
        onYes={() => void send('yes', { kept: bitsOf(allBut(out, total), total) })}
        onNo={() => void send('no', {})}
        look={look}
      />
      {isTable ? (
        <div class="choose">
          <Table
            caption="What would change"
            rows={numbered}
            columns={columns}
            isWhole
            rowKey={({ at }) => String(at)}
            onOpen={({ at }) => setOpen(at)}
            marked={canTakeOut ? marked : undefined}
            onMark={canTakeOut ? (keys, isMarked) => setMarked(withAll(marked, keys, isMarked)) : undefined}
          >
            {canTakeOut ? (
              <span class="acts">
                <button
                  type="button"
                  class="small"
                  disabled={chosen.length === 0}
                  onClick={() => setOut(chosen, true)}
                >
                  {`Take out ${plural(chosen.length, 'marked row')}`}
                </button>
                <button
                  type="button"
                  class="small"
                  disabled={chosen.length === 0}
                  onClick={() => setOut(chosen, false)}
                >
                  Put back
                </button>
              </span>
            ) : undefined}
          </Table>
        </div>
      ) : undefined}
      {opened === undefined ? undefined : (
        <Panel
          title={<Text of={opened.name} whole />}
          label={visible(opened.name)}
          onClose={() => setOpen(undefined)}
        >
          <dl class="facts">
            <Fact name="What changes">{visible(opened.change)}</Fact>
            <Fact name="Out of the ordinary">{visible(opened.odd)}</Fact>
            <Fact name="Lately">{visible(opened.lately)}</Fact>
            <Fact name="How it stands">{hasRows ? '' : standingOf(opened.at, out, ends)}</Fact>
            <Fact name="Why">{visible(ends.get(opened.at)?.why ?? '')}</Fact>
          </dl>
          {canTakeOut ? (
            <button type="button" onClick={() => setOut([opened.at], !out.has(opened.at))}>
              {out.has(opened.at) ? 'Put it back' : 'Take it out'}
            </button>
          ) : undefined}
        </Panel>
      )}
    </div>
  );
}

interface Row extends ApprovalRow {
  at: number;
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === '') return undefined;
  return (
    <>
      <dt>{name}</dt>
      <dd class="whole">{children}</dd>
    </>
  );
}

/** Renders the two buttons, and the progress after the decision. */
function Decide(props: {
  state: ApprovalState | undefined;
  problem: string | undefined;
  total: number;
  kept: number;
  isReady: boolean;
  onYes: () => void;
  onNo: () => void;
  look: () => void;
}) {
  const { state, problem, total, kept, isReady, onYes, onNo } = props;
  const isWaiting = state?.standing === 'waiting' && problem === undefined;
  const what =
    total === 0 ? 'make this change' : `change ${kept === total ? 'all ' : ''}${plural(kept, 'item')}`;
  const out = total - kept;
  return (
    <section class="decide" aria-label="Your answer">
      {isWaiting ? (
        <>
          <p>
            {out === 0
              ? 'Nothing is sent before you say yes.'
              : `${plural(out, 'item')} taken out: not sent. Nothing else is sent before you say yes.`}
            {state.closesAt === undefined ? undefined : (
              <span class="soft">{` This page ends at ${state.closesAt}, unless you do something on it.`}</span>
            )}
          </p>
          <p class="acts">
            <button type="button" disabled={!isReady || (total > 0 && kept === 0)} onClick={onYes}>
              {`Yes, ${what}`}
            </button>
            <button type="button" class="second" disabled={!isReady} onClick={onNo}>
              No, change nothing
            </button>
          </p>
        </>
      ) : undefined}
      <p role="status">{isWaiting ? (state.problem ?? '') : (problem ?? wordsOf(state))}</p>
      {isWaiting || total > 0 || state?.text === undefined ? undefined : (
        <pre class="whole">{visible(state.text)}</pre>
      )}
    </section>
  );
}

function wordsOf(state: ApprovalState | undefined): string {
  if (state === undefined) return 'One moment.';
  const { standing, isOver, counts, failed, text } = state;
  if (standing === 'no') return 'You said no. Nothing was sent; you can close this page.';
  if (standing !== 'yes') return 'This page has ended; nothing was sent.';
  const shown = Object.entries(counts ?? {}).filter(([, number]) => number > 0);
  const words = shown.map(([kind, number]) => `${number} ${KINDS[kind] ?? kind}`).join(', ');
  if (failed === true && counts === undefined)
    return `You said yes. ${text === undefined ? '' : visible(text)}`;
  if (isOver) return `You said yes, and it has ended${words === '' ? '.' : `: ${words}.`}`;
  return `You said yes, and it is under way${words === '' ? '.' : `: ${words}.`} It goes on, also when you close this page.`;
}

const KINDS: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  accepted_not_visible: 'accepted, not visible yet',
  requested: 'requested, not done yet',
  not_accepted: 'not accepted',
  failed: 'failed, not applied',
  unknown: 'not known whether applied',
  changed_since: 'changed by somebody since, not sent',
  not_sent: 'not sent',
  pending: 'still to be sent',
};

const TAKEN_OUT = 'taken out';
const KEPT = 'after your yes';

function standingOf(at: number, out: ReadonlySet<number>, ends: ReadonlyMap<number, End>): string {
  if (out.has(at)) return TAKEN_OUT;
  const end = ends.get(at);
  return end === undefined ? KEPT : (KINDS[end.kind] ?? end.kind);
}

interface End {
  kind: string;
  why: string;
}

function columnsOf(): Column<Row>[] {
  return [
    { name: 'name', label: 'What', value: ({ name }) => name, width: 2.4 },
    { name: 'change', label: 'Change', value: ({ change }) => change, width: 2.6 },
    {
      name: 'size',
      label: 'Change in %',
      value: ({ size }) => size ?? null,
      cell: ({ size }) => (size === undefined ? '–' : formatChangeShare(size)),
      isNumber: true,
    },
    {
      name: 'odd',
      label: 'Out of the ordinary',
      value: ({ odd }) => odd || null,
      width: 3,
      filter: ({ odd }) => (odd === '' ? 'no' : 'yes'),
    },
    { name: 'lately', label: 'Lately', value: ({ lately }) => lately || null, width: 2 },
  ];
}

function standingColumn(
  out: ReadonlySet<number>,
  ends: ReadonlyMap<number, End>,
  isWaiting: boolean,
): Column<Row> {
  return {
    name: 'standing',
    label: isWaiting ? 'Sent' : 'Outcome',
    width: 1.4,
    value: ({ at }) => standingOf(at, out, ends),
    cell: ({ at }) => {
      const words = standingOf(at, out, ends);
      const kind = ends.get(at)?.kind ?? '';
      return words === KEPT ? words : <strong class={CLASSES[kind] ?? 'tag'}>{words}</strong>;
    },
    filter: ({ at }) => standingOf(at, out, ends),
  };
}

const CLASSES: Readonly<Record<string, string>> = {
  accepted: 'tag good',
  accepted_not_visible: 'tag good',
  not_accepted: 'tag bad',
  failed: 'tag bad',
  requested: 'tag warn',
  unknown: 'tag warn',
  changed_since: 'tag warn',
};

// How it stands, looked at again and again.

function useStanding(ask: Ask | undefined) {
  const [state, setState] = useState<ApprovalState | undefined>();
  const [ends, setEnds] = useState<ReadonlyMap<number, End>>(new Map());
  const [problem, setProblem] = useState<string | undefined>();
  const known = useRef(0);
  const last = useRef<ApprovalState | undefined>(undefined);
  const take = useCallback((answer: unknown) => {
    const next = stateOf(answer);
    if (next === undefined) return;
    last.current = next;
    setState(next);
    const fresh = next.ends.slice(Math.max(0, known.current - next.from));
    if (fresh.length === 0) return;
    known.current += fresh.length;
    setEnds((before) => {
      const all = new Map(before);
      for (const [at, kind, why] of fresh) all.set(at, { kind, why });
      return all;
    });
  }, []);
  const look = useCallback(async () => {
    try {
      take(await ask?.(`state?from=${known.current}`));
    } catch {
      setProblem(formatGone(last.current));
    }
  }, [ask, take]);
  const send = useCallback(
    async (name: string, body: unknown) => {
      try {
        take(await ask?.(name, body));
      } catch (error) {
        await look();
        const text = error instanceof Error ? error.message : '';
        setState((before) => before && { ...before, problem: text });
      }
    },
    [ask, take, look],
  );
  const isEnded = problem !== undefined || state?.standing === 'no' || state?.isOver === true;
  useEffect(() => {
    if (isEnded) return undefined;
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isEnded, look]);
  return { state, ends, problem, look: () => void look(), send };
}

/** The program does not answer any more. */
function formatGone(last: ApprovalState | undefined): string {
  if (last?.standing === 'yes') {
    return 'This page has ended, with its time or with the program that showed it. What you agreed to is not lost: ask your assistant how far it is.';
  }
  return 'This page has ended, with its time or with the program that showed it. Nothing was sent; ask your assistant again.';
}

/** Reading, scrolling and typing keep the page alive. */
function useHere(ask: Ask | undefined): void {
  useEffect(() => {
    let shown = Date.now();
    const touch = () => {
      if (Date.now() - shown < HERE_MS) return;
      shown = Date.now();
      void ask?.('here', {}).catch(() => undefined);
    };
    const names = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'];
    for (const name of names) addEventListener(name, touch, { passive: true });
    return () => {
      for (const name of names) removeEventListener(name, touch);
    };
  }, [ask]);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

// The program is ours, and its answers are of the shapes that it shares with this page.
const isState = (value: unknown): value is ApprovalState =>
  isRecord(value) && typeof value.standing === 'string';
const stateOf = (value: unknown) => (isState(value) ? value : undefined);
const isRow = (value: unknown): value is ApprovalRow => isRecord(value) && typeof value.key === 'string';
const rowsOf = (value: unknown): ApprovalRow[] => (Array.isArray(value) ? value.filter(isRow) : []);

function withAll(before: ReadonlySet<string>, keys: readonly string[], isIn: boolean): ReadonlySet<string> {
  const all = new Set(before);
  for (const key of keys) all[isIn ? 'add' : 'delete'](key);
  return all;
}

function* allBut(out: ReadonlySet<number>, total: number): Generator<number> {
  for (let at = 0; at < total; at += 1) if (!out.has(at)) yield at;
}

// Places in the list, one bit each, as base64.

function indexesIn(text: string, total: number): Set<number> {
  const bytes = atob(text);
  const indexes = new Set<number>();
  for (let at = 0; at < total; at += 1) if ((bytes.charCodeAt(at >> 3) >> (at & 7)) & 1) indexes.add(at);
  return indexes;
}

function bitsOf(indexes: Iterable<number>, total: number): string {
  const bytes = new Uint8Array(Math.ceil(total / 8));
  for (const at of indexes) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return btoa(String.fromCharCode(...bytes));
}
