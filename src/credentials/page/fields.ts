/** The fields of the form: what each is called, and how it is drawn with its hint and its problem. */

import type { Problem } from '../../errors.ts';
import { type Html, html } from './document.ts';

/** What may be shown again after a mistake; secrets are not among them. */
export interface ShownValues {
  clientId?: string;
  region?: string;
  sellerId?: string;
  marketplaceId?: string;
}

export interface Field {
  name: 'clientId' | 'clientSecret' | 'refreshToken' | 'region' | 'sellerId' | 'marketplaceId';
  label: string;
  hint: string;
  kind: 'text' | 'secret' | 'region';
  required: boolean;
}

export const regions = [
  { code: 'na', name: 'North America (Canada, US, Mexico, Brazil)' },
  { code: 'eu', name: 'Europe (also Middle East, Africa, India)' },
  { code: 'fe', name: 'Far East (Japan, Australia, Singapore)' },
] as const;

export const credentialFields: readonly Field[] = [
  {
    name: 'clientId',
    label: 'Client ID',
    hint: 'Usually begins with amzn1.application-oa2-client',
    kind: 'text',
    required: true,
  },
  {
    name: 'clientSecret',
    label: 'Client secret',
    hint: 'Hidden while you type or paste',
    kind: 'secret',
    required: true,
  },
  {
    name: 'refreshToken',
    label: 'Refresh token',
    hint: 'Usually begins with Atzr|. Hidden while you type or paste',
    kind: 'secret',
    required: true,
  },
];

export const regionField: Field = {
  name: 'region',
  label: 'Region',
  hint: 'Where the account sells',
  kind: 'region',
  required: true,
};

export const optionalFields: readonly Field[] = [
  {
    name: 'sellerId',
    label: 'Seller ID',
    hint: 'Also called merchant token; used where a request names none',
    kind: 'text',
    required: false,
  },
  {
    name: 'marketplaceId',
    label: 'Marketplace ID',
    hint: 'Used where a request names none, for example A1F83G8C2ARO7P (UK)',
    kind: 'text',
    required: false,
  },
];

function renderRegion(field: Field, chosen: string | undefined, described: string, invalid: string): Html {
  const options = regions.map(({ code, name }) =>
    code === chosen
      ? html`<option value="${code}" selected>${name}</option>`
      : html`<option value="${code}">${name}</option>`,
  );
  return html`<select id="${field.name}" name="${field.name}" aria-describedby="${described}" aria-invalid="${invalid}" required>
<option value="">Choose a region</option>
${options}
</select>`;
}

function renderControl(field: Field, values: ShownValues, described: string, invalid: string): Html {
  if (field.kind === 'region') return renderRegion(field, values.region, described, invalid);
  const secret = field.kind === 'secret';
  // A secret is never shown again, not even hidden in a value: there is no branch that could write it.
  const shown =
    field.name === 'clientId' || field.name === 'sellerId' || field.name === 'marketplaceId'
      ? html` value="${values[field.name] ?? ''}"`
      : undefined;
  const required = field.required ? html` required` : undefined;
  return html`<input id="${field.name}" name="${field.name}" type="${secret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="4096" aria-describedby="${described}" aria-invalid="${invalid}"${shown}${required}>`;
}

/** Label, hint, problem and control of one field, tied together for screen readers. */
export function renderField(field: Field, values: ShownValues, problem: Problem | undefined): Html {
  const described = problem === undefined ? `${field.name}-hint` : `${field.name}-hint ${field.name}-problem`;
  const correction =
    problem === undefined
      ? undefined
      : html`<span class="problem" id="${field.name}-problem"><strong>Please correct:</strong> ${problem.message}</span>`;
  return html`<div class="field">
<label for="${field.name}">${field.label}</label>
<span class="hint" id="${field.name}-hint">${field.hint}</span>
${correction}
${renderControl(field, values, described, problem === undefined ? 'false' : 'true')}
</div>
`;
}
