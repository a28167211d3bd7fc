/** The page as text: every state, what belongs to which, and that a secret's field never holds a value. */

import { describe, expect, it } from 'vitest';
import {
  type FormFailure,
  type PageFrame,
  renderDone,
  renderForm,
  renderIds,
} from '../../../src/accounts/page/render.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';

const frame: PageFrame = {
  account: 'shop <1>',
  path: '/one-time',
  closesAt: '14:32',
};

/** The control of one field, from its tag to the tag's end. */
function controlOf(page: string, name: string): string {
  return new RegExp(`<(?:input|select) id="${name}"[^>]*>`).exec(page)?.[0] ?? '';
}

describe('the form', () => {
  const page = renderForm(frame);

  it('posts to its path, under the name of its account', () => {
    expect(page).toContain('<title>Connect your seller account</title>');
    expect(page).toContain('<form method="post" action="/one-time" autocomplete="off">');
    expect(page).toContain('under the name <code>shop &lt;1&gt;</code>');
    expect(page).not.toContain('role="alert"');
  });

  it('has three credentials and a region, all required', () => {
    const required = ['clientId', 'clientSecret', 'refreshToken', 'region'];
    for (const name of required) expect(controlOf(page, name)).toMatch(/ required>$/);
    expect(page.match(/<(?:input|select) id=/g)).toHaveLength(4);
  });

  it('hides secrets while they are typed, and has no place for their value', () => {
    for (const name of ['clientSecret', 'refreshToken']) {
      expect(controlOf(page, name)).toContain('type="password"');
      expect(controlOf(page, name)).not.toContain('value=');
    }
    expect(controlOf(page, 'clientId')).toContain('type="text"');
    expect(controlOf(page, 'clientId')).toContain('value=""');
  });

  it('shows what was given, with the chosen region', () => {
    const filled = renderForm(frame, { shown: { clientId: 'id "1"', region: 'fe' }, kept: [] });
    expect(controlOf(filled, 'clientId')).toContain('value="id &quot;1&quot;"');
    expect(filled).toContain('<option value="fe" selected>Far East');
    expect(filled.match(/ selected>/g)).toHaveLength(1);
    expect(page).not.toContain(' selected>');
  });

  it('asks for the secrets that are kept only where the person wants to replace them', () => {
    const again = renderForm(frame, { shown: {}, kept: ['clientSecret'] });
    expect(controlOf(again, 'clientSecret')).toContain('placeholder="Kept. Type to replace it"');
    expect(controlOf(again, 'clientSecret')).not.toMatch(/ required| value=/);
    expect(again).toContain('id="clientSecret-hint">Kept from your last try.');
    expect(controlOf(again, 'refreshToken')).toMatch(/ required>$/);
    expect(controlOf(again, 'refreshToken')).not.toContain('placeholder');
  });

  it('asks for no region, and explains nothing of the public service, where the settings fix the address', () => {
    const fixed = renderForm({ ...frame, service: 'service.example' });
    expect(fixed).toContain(' at <code>service.example</code>');
    expect(controlOf(fixed, 'region')).toBe('');
    expectOnlyIn('<details', page, fixed);
    expectOnlyIn(' at <code>', fixed, page);
  });

  it('says that values are tried, and when the page closes', () => {
    expect(page).toContain('are tried once before they are stored. The page closes by itself at 14:32');
    expect(page).toContain('>Check and store</button>');
    expect(page.match(/<li><svg/g)).toHaveLength(3);
  });
});

describe('the form with what went wrong', () => {
  const trouble: FormFailure = {
    problems: [
      { path: 'refreshToken', message: 'is <odd>' },
      { path: 'region', message: 'is long' },
      { path: '', message: 'is strange' },
    ],
  };
  const page = renderForm(frame, { shown: {}, kept: ['clientSecret'] }, trouble);

  it('says so first, in the title, and in a summary that takes the focus and leads to each field', () => {
    expect(page).toContain('<title>Error: Connect your seller account</title>');
    expect(page).toContain('role="alert" tabindex="-1" autofocus');
    expect(page).toContain('<a href="#refreshToken">Refresh token</a>: is &lt;odd&gt;');
    expect(page).toContain('<a href="#region">Region</a>: is long');
    expect(page).toContain('<a href="#"></a>: is strange');
    expect(page).toContain('Nothing was stored yet: please correct');
    expect(page).toContain('What you typed for the client secret is kept on this computer');
  });

  it('marks the fields that are wrong, and describes each by its hint and its problem', () => {
    expect(controlOf(page, 'refreshToken')).toContain(
      'aria-describedby="refreshToken-hint refreshToken-problem" aria-invalid="true"',
    );
    expect(page).toContain('<span class="problem" id="refreshToken-problem">');
    expect(controlOf(page, 'clientId')).toContain('aria-describedby="clientId-hint" aria-invalid="false"');
    expect(page).not.toContain('id="clientId-problem"');
    expect(controlOf(page, 'region')).toContain('aria-invalid="true"');
  });

  it('tells a failure in words instead', () => {
    const failed = renderForm(
      frame,
      { shown: {}, kept: ['clientSecret', 'refreshToken'] },
      { problems: [], failure: { message: 'said <no>', hint: 'try <it>' } },
    );
    expect(failed).toContain('<h2>Nothing was stored</h2><p>said &lt;no&gt;</p><p>try &lt;it&gt;</p>');
    expect(failed).not.toContain('aria-invalid="true"');
    expect(failed).not.toContain('-problem"');
    expect(failed).toContain('for the client secret and the refresh token is kept');
  });
});

describe('the second form', () => {
  const germany = { id: 'A1PA6795UKMFR9', country: 'Germany' };
  const france = { id: 'A13V1IB3VIYZZH', country: 'France <x>' };
  const own = { marketplaces: [germany, france], isOwn: true };

  it('says that the credentials are stored, and offers the marketplaces by country', () => {
    const page = renderIds(frame, own, { marketplaceId: france.id });
    expect(page).toContain('keychain, under the name <code>shop &lt;1&gt;</code>');
    expect(page).toContain('<option value="A1PA6795UKMFR9">Germany (A1PA6795UKMFR9)</option>');
    expect(page).toContain('selected>France &lt;x&gt; (A13V1IB3VIYZZH)</option>');
    expect(page.match(/<option/g)).toHaveLength(3);
    expect(page).toContain('<option value="">None: say it with each question</option>');
    expect(page).toContain('<input type="hidden" name="step" value="ids">');
    expect(page).toContain('It closes by itself at 14:32');
  });

  it('says where the seller ID is, requires it, and tells what goes missing without', () => {
    const page = renderIds(frame, own, {});
    expect(page).toContain('In Seller Central: Settings &gt; Account Info &gt; Merchant Token.');
    expect(controlOf(page, 'sellerId')).toMatch(/ required>$/);
    expect(page).toContain('id="without">Without the seller ID, your assistant can read or change a listing');
    expect(page).toContain('name="withoutSellerId" value="yes" aria-describedby="without" formnovalidate>');
  });

  it('chooses nothing beforehand where the service did not name them, and says why', () => {
    const page = renderIds(frame, { marketplaces: [germany], isOwn: false, failure: 'HTTP <403>' }, {});
    expect(page).toContain('where this account sells (HTTP &lt;403&gt;)');
    expect(page.indexOf('None yet')).toBeLessThan(page.indexOf('Germany'));
    const nothing = renderIds(frame, { marketplaces: [], isOwn: false }, { marketplaceId: 'M"1' });
    expect(controlOf(nothing, 'marketplaceId')).toContain('type="text"');
    expect(controlOf(nothing, 'marketplaceId')).toContain('value="M&quot;1"');
    expectOnlyIn('could not be asked', page, nothing);
  });

  it('tells what is wrong, and that the credentials are stored all the same', () => {
    const page = renderIds(frame, own, {}, { problems: [{ path: 'sellerId', message: 'is odd' }] });
    expect(page).toContain('<title>Error: One more step</title>');
    expect(page).toContain('Your credentials are stored. Please correct');
    expect(page).toContain('<a href="#sellerId">Seller ID</a>: is odd');
  });
});

it('the end names the account, and says what is true of the values', () => {
  expect(renderDone(frame)).toContain('The values work and are now in your computer’s keychain');
  expect(renderDone(frame)).toContain('<code>shop &lt;1&gt;</code>');
  expect(renderDone(frame, ['No <seller ID>.'])).toContain('<p class="soft">No &lt;seller ID&gt;.</p>');
});
