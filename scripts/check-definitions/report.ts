/** The figures of a check, per file and in total, and every case that needs a reader's attention. */

import type { Compiled } from '../../src/definitions/store/compiled.ts';
import type { CheckedCase } from './run-all.ts';

interface Figures {
  passed: number;
  refused: number;
  failed: number;
  unusable: number;
}

export interface Report {
  lines: string[];
  failed: number;
}

export function buildReport(
  files: readonly Compiled[],
  checked: readonly CheckedCase[],
  seconds: number,
  all = false,
): Report {
  const declared = checked.filter(({ listed }) => listed.declared.kind === 'sandbox');
  const examples = checked.filter(({ listed }) => listed.declared.kind === 'example');
  const rows = files.map((file) => {
    const own = declared.filter(({ listed }) => listed.file === file.name);
    return [file.name, count(own, file.unusable.length)] as const;
  });
  const silent = files.flatMap((file) => file.unusable.length);
  const total = count(
    declared,
    silent.reduce((sum, one) => sum + one, 0),
  );
  const sample = count(examples, 0);
  const fetched = checked
    .map(({ result }) => (result.kind === 'passed' ? result.fetched : 0))
    .filter((one) => one > 0);
  return {
    failed: total.failed + sample.failed,
    lines: [
      ...table([...rows.filter(([, figures]) => sum(figures) > 0), ['total', total]]),
      ...(examples.length === 0
        ? []
        : [
            `example answers: ${sample.passed} came back whole, ${sample.failed} failed, ${sample.unusable} not called`,
          ]),
      `answers within the budget: all that passed; ${fetched.length} were shortened, and all ${fetched.reduce((a, b) => a + b, 0)} parts left out were fetched`,
      ...files.flatMap((file) =>
        file.unusable.map(({ id, reason }) => `unusable  ${file.name}: ${id}: ${reason}`),
      ),
      ...checked.flatMap((one) => describe(one, all)),
      `${seconds.toFixed(1)} s`,
      `${total.passed + total.refused + sample.passed} passed, ${total.failed + sample.failed} failed`,
    ],
  };
}

function count(checked: readonly CheckedCase[], unusable: number): Figures {
  const of = (kind: CheckedCase['result']['kind']) =>
    checked.filter(({ result }) => result.kind === kind).length;
  return {
    passed: of('passed'),
    refused: of('refused'),
    failed: of('failed'),
    unusable: of('unusable') + unusable,
  };
}

const sum = ({ passed, refused, failed, unusable }: Figures) => passed + refused + failed + unusable;

function table(rows: readonly (readonly [string, Figures])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length), 4);
  const line = (name: string, cells: readonly (string | number)[]) =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join('  ');
  return [
    line('file', ['cases', 'passed', 'refused', 'failed', 'unusable']),
    ...rows.map(([name, one]) => line(name, [sum(one), one.passed, one.refused, one.failed, one.unusable])),
  ];
}

function describe({ listed, result }: CheckedCase, all: boolean): string[] {
  if (result.kind === 'refused' && all)
    return [`refused  ${listed.replayed.id}: ${result.members.join(', ')}`];
  if (result.kind === 'unusable')
    return [
      `${listed.declared.kind === 'example' ? 'not called' : 'unusable'}  ${listed.replayed.id}: ${result.reason}`,
    ];
  return result.kind === 'failed' ? [`FAILED  ${listed.replayed.id}: ${result.problems.join('; ')}`] : [];
}
