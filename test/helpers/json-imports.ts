/** Lets Node import members of JSON by their names, as the bundler of the program does. */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

registerHooks({
  load(url, context, nextLoad) {
    const { conditions = [], importAttributes } = context;
    const isByName = conditions.includes('import') && importAttributes?.type === undefined;
    if (!isByName || !url.endsWith('.json')) return nextLoad(url, context);
    const members = Object.keys(JSON.parse(readFileSync(fileURLToPath(url), 'utf8')));
    const names = members.filter((name) => /^[a-z]+$/i.test(name)).join(', ');
    const source = `import all from ${JSON.stringify(url)} with { type: 'json' }; export const { ${names} } = all;`;
    return { format: 'module', source, shortCircuit: true };
  },
});
