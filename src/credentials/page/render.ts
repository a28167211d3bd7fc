/** The page in its states, as text: the form, the form with what went wrong, and the end. */

import type { Problem } from '../../errors.ts';
import { commandLine, hasCommandLine } from '../../invocation.ts';
import { checkIcon, type Html, html, keyIcon, renderDocument, tickIcon } from './document.ts';
import {
  credentialFields,
  type Field,
  optionalFields,
  regionField,
  renderField,
  type ShownValues,
} from './fields.ts';

/** What stays the same as long as the page is open. */
export interface PageFrame {
  account: string;
  /** Path the form posts to. */
  path: string;
  csrfToken: string;
  /** Local time at which the page closes: `14:32`. */
  closesAt: string;
  /** Host of the service when the settings fix its address; no region is asked then. */
  service?: string;
  /** True when the values are tried with the identity provider before they are stored. */
  verifies: boolean;
}

/** What went wrong with the last attempt: fields to correct, or a failure in words. */
export interface Trouble {
  problems: readonly Problem[];
  failure?: { message: string; hint: string };
}

function renderFacts(frame: PageFrame): Html {
  const facts = [
    'What you enter goes from this page into your computer’s keychain. Your assistant never sees it.',
    'This page is served by your own computer and loads nothing from the internet.',
    frame.verifies
      ? `The values are tried once before they are stored. The page closes by itself at ${frame.closesAt}.`
      : `The page can be used once and closes by itself at ${frame.closesAt}.`,
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

function renderTrouble(trouble: Trouble, labels: readonly Field[]): Html {
  const labelOf = (name: string) => labels.find((field) => field.name === name)?.label ?? name;
  const { failure, problems } = trouble;
  const body =
    failure === undefined
      ? html`<h2>Nothing was stored yet: please correct</h2>
<ul>${problems.map(({ path, message }) => html`<li><a href="#${path}">${labelOf(path)}</a>: ${message}</li>`)}</ul>`
      : html`<h2>Nothing was stored</h2><p>${failure.message}</p><p>${failure.hint}</p>`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
${body}
<p>The client secret and the refresh token are not shown again: please enter them once more.</p>
</div>`;
}

/** Two fields most people can leave for later, folded away unless something stands in them. */
function renderOptional(fields: readonly Html[], open: boolean): Html {
  return html`<details${open ? html` open` : undefined}>
<summary>Optional: seller ID and marketplace ID</summary>
${fields}</details>`;
}

/** The form; with `trouble`, the summary stands first and takes the focus. */
export function renderForm(frame: PageFrame, values: ShownValues, trouble?: Trouble): string {
  const required = frame.service === undefined ? [...credentialFields, regionField] : credentialFields;
  const problemOf = ({ name }: Field) => trouble?.problems.find(({ path }) => path === name);
  const render = (field: Field) => renderField(field, values, problemOf(field));
  const service = frame.service === undefined ? undefined : html` at <code>${frame.service}</code>`;
  const isOpen =
    optionalFields.some((field) => problemOf(field) !== undefined) ||
    [values.sellerId, values.marketplaceId].some((value) => value !== undefined && value !== '');
  return renderDocument(
    `${trouble === undefined ? '' : 'Error: '}Connect your seller account`,
    html`<header>${keyIcon()}<h1>Connect your seller account</h1></header>
${trouble === undefined ? undefined : renderTrouble(trouble, [...required, ...optionalFields])}
<p>Your assistant’s seller tools need access to your account${service}. It will be kept under the name <code>${frame.account}</code>.</p>
${renderFacts(frame)}
${frame.service === undefined ? renderHelp() : undefined}
<form method="post" action="${frame.path}" autocomplete="off">
<input type="hidden" name="csrfToken" value="${frame.csrfToken}">
${required.map(render)}
${renderOptional(optionalFields.map(render), isOpen)}
<button type="submit">${frame.verifies ? 'Check and store' : 'Store'}</button>
</form>
<footer>seller-commerce-mcp, on your own computer. To undo this later: ${commandFor('logout', frame, 'delete its entry in the keychain of your system')}</footer>`,
  );
}

/** The end: stored, nothing left to do here. */
export function renderDone(frame: PageFrame): string {
  return renderDocument(
    'Your account is connected',
    html`<header>${checkIcon()}<h1>Your account is connected</h1></header>
<div role="status">
<p>${frame.verifies ? 'The values work and are now' : 'The values are now'} in your computer’s keychain, under the name <code>${frame.account}</code>.</p>
<p><strong>You can close this page</strong> and go back to your assistant.</p>
</div>
<footer>This page has done its job and cannot be used again. To see the state of your accounts: ${commandFor('status', frame, 'ask your assistant')}</footer>`,
  );
}

/** Shown for a second attempt while the first is being tried and stored. */
export function renderBusy(): string {
  return renderDocument(
    'One moment',
    html`<header>${keyIcon()}<h1>One moment</h1></header>
<p role="status">The values you sent before are being checked and stored right now. The first tab shows how it ends.</p>`,
  );
}

/** Of this page's account; what a person does instead where the program has no command line. */
function commandFor(command: string, { account }: PageFrame, otherwise: string): Html {
  if (!hasCommandLine()) return html`${otherwise}`;
  return html`<code>${commandLine(account === 'default' ? command : `${command} --account ${account}`)}</code>`;
}
