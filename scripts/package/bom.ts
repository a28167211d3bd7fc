/** Reads what is bundled, and under which license, from the SBOM that the bundler's plugin writes. */

import * as z from 'zod';

const licenseSchema = z.union([
  z.object({ expression: z.string() }),
  z.object({
    license: z.object({
      id: z.string().optional(),
      name: z.string().optional(),
      text: z.object({ content: z.string(), encoding: z.literal('base64').optional() }).optional(),
    }),
  }),
]);

const componentSchema = z.object({
  group: z.string().optional(),
  name: z.string(),
  version: z.string(),
  licenses: z.array(licenseSchema).default([]),
  evidence: z.object({ licenses: z.array(licenseSchema).default([]) }).default({ licenses: [] }),
});

const bomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(componentSchema),
});

export interface Bom {
  name: string;
  version: string;
  components: Component[];
}

export interface Component {
  name: string;
  version: string;
  /** SPDX expression that the package declares; empty when it declares none. */
  license: string;
  /** Texts of its license and notice files. */
  texts: string[];
}

export function parseBom(text: string): Bom {
  const { metadata, components } = bomSchema.parse(JSON.parse(text));
  return {
    ...metadata.component,
    components: components.map(({ group, name, version, licenses, evidence }) => ({
      name: group === undefined ? name : `${group}/${name}`,
      version,
      license: licenses.map(toExpression).join(' AND '),
      texts: evidence.licenses.flatMap(toText),
    })),
  };
}

type License = z.infer<typeof licenseSchema>;

const toExpression = (license: License): string =>
  'expression' in license ? license.expression : (license.license.id ?? license.license.name ?? '');

function toText(license: License): string[] {
  if ('expression' in license || license.license.text === undefined) return [];
  const { content, encoding } = license.license.text;
  return [encoding === 'base64' ? Buffer.from(content, 'base64').toString('utf8') : content];
}
