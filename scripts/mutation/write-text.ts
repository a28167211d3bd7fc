/** The result of one folder as text: a table of files, then what survived, what is not covered, and what timed out. */

import Table from 'cli-table3';
import { addScores, countOf, type FileScore, type Finding } from './read-report.ts';

export function buildTable(folder: string, scores: readonly FileScore[]): string {
  const table = new Table({
    head: ['file', 'score', 'mutants', 'found', 'timed out', 'survived', 'not covered'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const score of [...scores, addScores(scores, `${folder}, all`)]) {
    const { file, found, timedOut, survived, notCovered } = score;
    const count = countOf(score);
    const percent = count === 0 ? '' : `${((found / count) * 100).toFixed(1)} %`;
    table.push([file, percent, count, found, timedOut || '', survived || '', notCovered || '']);
  }
  return table.toString();
}

export function buildLists(findings: readonly Finding[]): string {
  return [
    list('Survived', 'survived', findings),
    list('NoCoverage', 'not covered by any test of the folder', findings),
    list('Timeout', 'timed out, counted as found', findings),
  ].join('\n');
}

function list(status: string, title: string, findings: readonly Finding[]): string {
  const texts = findings.filter((finding) => finding.status === status).map(({ text }) => text);
  return [`# ${texts.length} ${title}`, ...texts, ''].join('\n');
}
