/** Writes every generated file; with --check it compares instead, and fails if one is stale. */

import { parseArgs } from 'node:util';
import { generateConformanceDoc, generateDecisions, generateDocumentParts } from './generate/documents.ts';
import { type GeneratedFile, update } from './generate/generated-file.ts';
import { generateJudged } from './generate/judged-expressions.ts';
import { generateManifest } from './generate/manifest.ts';
import { generatePlugin } from './generate/plugin.ts';
import { generateReportViews } from './generate/report-views.ts';
import { generateReviewedData } from './generate/reviewed-data.ts';
import { generateSecretVariables } from './generate/secret-variables.ts';
import { generateServerJson } from './generate/server-json.ts';
import { generateToolList, generateToolSnapshots } from './generate/tools.ts';

const files: GeneratedFile[] = [
  ...generateReviewedData(),
  generateReportViews(),
  generateSecretVariables(),
  ...generateToolList(),
  ...generateToolSnapshots(),
  ...(await generateDecisions()),
  ...(await generateDocumentParts()),
  ...(await generateManifest()),
  ...(await generateServerJson()),
  ...(await generatePlugin()),
  ...generateConformanceDoc(),
  ...(await generateJudged()),
];

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const isCheck = values.check;
const stale: string[] = [];
for (const file of files) if (await update(file, isCheck)) stale.push(file.path);
for (const path of stale) console.log(`${isCheck ? 'stale' : 'written'}: ${path}`);
if (isCheck && stale.length > 0) {
  console.error('Run "npm run generate" and commit the result.');
  process.exitCode = 1;
} else if (stale.length === 0) console.log(`${files.length} generated files are up to date`);
