/** The fields of both forms: their names, and their rendering with hint and problem. */

import type { Problem } from '../../base/errors.ts';
import { type Html, html } from '../../page/document.ts';
import {
  formatMarketplaceChoice,
  type MarketplaceOffer,
  NO_MARKETPLACE_MESSAGE,
  SELLER_ID_HELP,
} from '../account-ids.ts';

/** The values that may be shown again after a mistake; none of them is secret. */
export type ShownValues = Partial<Record<'clientId' | 'region' | 'sellerId' | 'marketplaceId', string>>;

/** The secrets that the server stores for the form; the page receives only their names. */
export const secretNames = ['clientSecret', 'refreshToken'] as const;
export type SecretName = (typeof secretNames)[number];

export interface Field {
  name: keyof ShownValues | SecretName;
  label: string;
  hint: string;
  kind: 'text' | 'secret' | 'choice';
  required: boolean;
  /** The options of a choice. */
  options?: readonly { value: string; label: string }[];
}

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
  kind: 'choice',
  required: true,
  options: [
    { value: '', label: 'Choose a region' },
    { value: 'na', label: 'North America (Canada, US, Mexico, Brazil)' },
    { value: 'eu', label: 'Europe (also Middle East, Africa, India)' },
    { value: 'fe', label: 'Far East (Japan, Australia, Singapore)' },
  ],
};

/** Returns the fields of the second form. The user types the marketplace ID when there are no choices. */
export function idFields({ marketplaces, isOwn }: MarketplaceOffer): readonly Field[] {
  const none = {
    value: '',
    label: isOwn ? 'None: say it with each question' : 'None yet: say it with each question',
  };
  const choices = marketplaces.map((choice) => ({
    value: choice.id,
    label: formatMarketplaceChoice(choice),
  }));
  const marketplace = {
    name: 'marketplaceId',
    label: 'Marketplace',
    hint: `Used where a question names none. ${NO_MARKETPLACE_MESSAGE}`,
    required: false,
  } as const;
  return [
    marketplaces.length === 0
      ? { ...marketplace, label: 'Marketplace (country or ID)', kind: 'text' }
      : { ...marketplace, kind: 'choice', options: isOwn ? [...choices, none] : [none, ...choices] },
    { name: 'sellerId', label: 'Seller ID', hint: SELLER_ID_HELP, kind: 'text', required: true },
  ];
}

/** The state of a field after the previous attempt. */
export interface FieldState {
  /** The value to show or to preselect; never read for a secret. */
  value?: string | undefined;
  problem?: Problem | undefined;
  /** True when the server stores the value typed before, so the field may stay empty. */
  isKept?: boolean;
}

function renderChoice({ name, options = [], required }: Field, chosen: string | undefined, described: Html) {
  const rendered = options.map(({ value, label }) =>
    value === chosen
      ? html`<option value="${value}" selected>${label}</option>`
      : html`<option value="${value}">${label}</option>`,
  );
  return html`<select id="${name}" name="${name}"${described}${required ? html` required` : undefined}>
${rendered}
</select>`;
}

function renderControl(field: Field, { value, isKept = false }: FieldState, described: Html): Html {
  if (field.kind === 'choice') return renderChoice(field, value, described);
  const isSecret = field.kind === 'secret';
  // A secret is never rendered again, not even as a hidden value: no branch could write it.
  const shown = isSecret ? undefined : html` value="${value ?? ''}"`;
  const required = field.required && !isKept ? html` required` : undefined;
  const placeholder = isKept ? html` placeholder="Kept. Type to replace it"` : undefined;
  return html`<input id="${field.name}" name="${field.name}" type="${isSecret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="4096"${described}${shown}${placeholder}${required}>`;
}

/** Renders the label, hint, problem and control of one field, linked for screen readers. */
export function renderField(field: Field, state: FieldState): Html {
  const { problem, isKept = false } = state;
  const ids = problem === undefined ? `${field.name}-hint` : `${field.name}-hint ${field.name}-problem`;
  const invalid = problem === undefined ? 'false' : 'true';
  const described = html` aria-describedby="${ids}" aria-invalid="${invalid}"`;
  const correction =
    problem === undefined
      ? undefined
      : html`<span class="problem" id="${field.name}-problem"><strong>Please correct:</strong> ${problem.message}</span>`;
  const hint = isKept
    ? 'Kept from your last try. Leave this empty to use it again, or type to replace it'
    : field.hint;
  return html`<div class="field">
<label for="${field.name}">${field.label}</label>
<span class="hint" id="${field.name}-hint">${hint}</span>
${correction}
${renderControl(field, state, described)}
</div>
`;
}
