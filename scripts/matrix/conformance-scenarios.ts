/** Which scenarios of the conformance suite apply to this server, and why the others do not (conformance-scenarios.yaml). */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const names = z.array(z.string()).min(1);

export const CONFORMANCE = z
  .strictObject({
    suite: z.string(),
    specVersions: names,
    applicable: names,
    notApplicable: z.array(z.strictObject({ why: z.string(), scenarios: names })),
    checksLeftOut: z.record(z.string(), z.string()),
  })
  .parse(parse(readFileSync(join(import.meta.dirname, 'conformance-scenarios.yaml'), 'utf8')));
