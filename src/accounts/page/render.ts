/** Renders the page in its states: the form, the form with problems, and the end. */

import type { Problem } from '../../base/errors.ts';
import { commandLine, hasCommandLine } from '../../base/invocation.ts';
import { checkIcon, type Html, html, keyIcon, renderDocument, tickIcon } from '../../page/document.ts';
import { type MarketplaceOffer, NO_SELLER_ID_MESSAGE } from '../account-ids.ts';
import {
  credentialFields,
  type Field,
  idFields,
  regionField,
  renderField,
  type SecretName,
  type ShownValues,
} from './fields.ts';

/** The values that every state of one page shows. */
export interface PageFrame {
  account: string;
  /** The path that the form posts to. */
  path: string;
  /** The local time at which the page closes, unless it is offered again: `14:32`. */
  closesAt: string;
  /** The service host when the settings fix its address; the form asks for no region then. */
  service?: string | undefined;
}

export const TITLE = 'Connect your seller account';

/** The values that the server stores from previous attempts. */
export interface FormAttempt {
  shown: ShownValues;
  /** The typed secrets that were not refused, whose fields may stay empty. */
  kept: readonly SecretName[];
}

/** The problems of the last attempt: fields to correct, or a failure message. */
export interface FormFailure {
  problems: readonly Problem[];
  failure?: { message: string; hint: string };
}

function renderFacts({ closesAt }: PageFrame): Html {
  const facts = [
    'What you enter goes from this page into your computer’s keychain. Your assistant never sees it.',
    'This page is served by your own computer and loads nothing from the internet.',
    `The values are tried once before they are stored. The page closes by itself at ${closesAt}.`,
  ];
  return html`<ul class="facts">
${facts.map((fact) => html`<li>${tickIcon()}<span>${fact}</span></li>`)}
</ul>`;
}

function renderHelp(): Html {
  return html`<details>
<summary>Where do I find these values?</summary>
<ol>
<li>In Seller Central, open <strong>Develop Apps</strong> (under Apps and Services or Partner Network).</li>
<li>At your application, choose <strong>View</strong> under LWA credentials: there are the client ID and the client secret.</li>
<li>In the menu at the same application, choose <strong>Authorize</strong>: there you get the refresh token.</li>
</ol>
</details>`;
}

function renderStoredSecrets(kept: readonly SecretName[]): Html | undefined {
  const names = credentialFields
    .filter(({ name }) => kept.some((one) => one === name))
    .map(({ label }) => `the ${label.toLowerCase()}`)
    .join(' and ');
  if (names === '') return undefined;
  return html`<p>What you typed for ${names} is kept on this computer while this page is open: leave the field empty to use it again.</p>`;
}

interface Summary {
  /** The heading when fields have to be corrected. */
  correct: string;
  /** The heading when the operation failed. */
  failed: string;
  more?: Html | undefined;
}

function renderTrouble({ failure, problems }: FormFailure, labels: readonly Field[], summary: Summary): Html {
  const labelOf = (name: string) => labels.find((field) => field.name === name)?.label ?? name;
  const body =
    failure === undefined
      ? html`<h2>${summary.correct}</h2>
<ul>${problems.map(({ path, message }) => html`<li><a href="#${path}">${labelOf(path)}</a>: ${message}</li>`)}</ul>`
      : html`<h2>${summary.failed}</h2><p>${failure.message}</p><p>${failure.hint}</p>`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
${body}
${summary.more}
</div>`;
}

function renderFields(
  fields: readonly Field[],
  { shown, kept }: FormAttempt,
  trouble: FormFailure | undefined,
): Html[] {
  return fields.map((field) => {
    const problem = trouble?.problems.find(({ path }) => path === field.name);
    if (field.name !== 'clientSecret' && field.name !== 'refreshToken') {
      return renderField(field, { problem, value: shown[field.name] });
    }
    return renderField(field, { problem, isKept: kept.includes(field.name) });
  });
}

const firstAttempt: FormAttempt = { shown: {}, kept: [] };

/** Renders the form. With `trouble`, the summary comes first and takes the focus. */
export function renderForm(
  frame: PageFrame,
  attempt: FormAttempt = firstAttempt,
  trouble?: FormFailure,
): string {
  const fields = frame.service === undefined ? [...credentialFields, regionField] : credentialFields;
  const service = frame.service === undefined ? undefined : html` at <code>${frame.service}</code>`;
  const summary = {
    correct: 'Nothing was stored yet: please correct',
    failed: 'Nothing was stored',
    more: renderStoredSecrets(attempt.kept),
  };
  return renderDocument(
    `${trouble === undefined ? '' : 'Error: '}${TITLE}`,
    html`<header>${keyIcon()}<h1>${TITLE}</h1></header>
${trouble === undefined ? undefined : renderTrouble(trouble, fields, summary)}
<p>Your assistant’s seller tools need access to your account${service}. It will be kept under the name <code>${frame.account}</code>.</p>
${renderFacts(frame)}
${frame.service === undefined ? renderHelp() : undefined}
<form method="post" action="${frame.path}" autocomplete="off">
${renderFields(fields, attempt, trouble)}
<button type="submit">Check and store</button>
</form>
<footer>seller-commerce-mcp, on your own computer. To undo this later: ${commandFor('logout', frame, 'delete its entry in the keychain of your system')}</footer>`,
  );
}

function renderOffer({ failure, isOwn }: MarketplaceOffer): Html | undefined {
  if (isOwn || failure === undefined) return undefined;
  return html`<p class="soft">The service could not be asked where this account sells (${failure}), so please choose or enter it yourself.</p>`;
}

/**
 * Renders the second form, which asks for the marketplace and the seller ID once the credentials are stored.
 */
export function renderIds(
  frame: PageFrame,
  offer: MarketplaceOffer,
  shown: ShownValues,
  trouble?: FormFailure,
): string {
  const fields = idFields(offer);
  const summary = {
    correct: 'Your credentials are stored. Please correct',
    failed: 'Your credentials are stored; this is not',
  };
  return renderDocument(
    `${trouble === undefined ? '' : 'Error: '}One more step`,
    html`<header>${checkIcon()}<h1>Stored. One more step</h1></header>
${trouble === undefined ? undefined : renderTrouble(trouble, fields, summary)}
<p role="status">The values work and are in your computer’s keychain, under the name <code>${frame.account}</code>. Your assistant also needs to know which marketplace and which seller is meant.</p>
${renderOffer(offer)}
<form method="post" action="${frame.path}" autocomplete="off">
<input type="hidden" name="step" value="ids">
${renderFields(fields, { shown, kept: [] }, trouble)}
<button type="submit">Save and finish</button>
<p class="aside" id="without">${NO_SELLER_ID_MESSAGE}</p>
<button type="submit" class="second" name="withoutSellerId" value="yes" aria-describedby="without" formnovalidate>Finish without a seller ID</button>
</form>
<footer>You can also close this page now: the credentials stay stored. It closes by itself at ${frame.closesAt}.</footer>`,
  );
}

/** Renders the last page: everything is stored. `missing` explains what still does not work. */
export function renderDone(frame: PageFrame, missing: readonly string[] = []): string {
  return renderDocument(
    'Your account is connected',
    html`<header>${checkIcon()}<h1>Your account is connected</h1></header>
<div role="status">
<p>The values work and are now in your computer’s keychain, under the name <code>${frame.account}</code>.</p>
${missing.map((text) => html`<p class="soft">${text}</p>`)}
<p><strong>You can close this page</strong> and go back to your assistant.</p>
</div>
<footer>This page has done its job and cannot be used again. To see the state of your accounts: ${commandFor('status', frame, 'ask your assistant')}</footer>`,
  );
}

/** Renders the answer to a second submission while the first is being verified and stored. */
export function renderBusy(): string {
  return renderDocument(
    'One moment',
    html`<header>${keyIcon()}<h1>One moment</h1></header>
<p role="status">The values you sent before are being checked and stored right now. The first tab shows how it ends.</p>`,
  );
}

/** Renders the command for this page's account, or `otherwise` when the program has no command line. */
function commandFor(command: string, { account }: PageFrame, otherwise: string): Html {
  if (!hasCommandLine()) return html`${otherwise}`;
  return html`<code>${commandLine(account === 'default' ? command : `${command} --account ${account}`)}</code>`;
}
