/** Every prompt, in the order in which hosts show them. */

import type { Prompt } from '../define-prompt.ts';
import { editSupplySource } from './edit-supply-source.ts';
import { explainListingIssues } from './explain-listing-issues.ts';
import { findOperation } from './find-operation.ts';

export const PROMPTS: readonly Prompt[] = [explainListingIssues, editSupplySource, findOperation];
