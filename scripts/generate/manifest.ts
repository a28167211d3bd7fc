/** Generates manifest.json of the desktop bundle (MCPB, manifest version 0.3): what a host shows before and after installation. */

import { listSettings, type Setting } from '../../src/base/setting-descriptions.ts';
import { loadTools } from '../../tools/index.ts';
import { type PackageJson, readPackageJson, webAddress } from '../package/package-json.ts';
import type { GeneratedFile } from './generated-file.ts';
import { DISPLAY_NAME, firstSentence, LONG_DESCRIPTION, SHORT_DESCRIPTION } from './words.ts';

const TOOLS = await loadTools();

/** Settings that a seller fills in, in the order of the form, with titles that a seller knows. */
const FORM: readonly { env: string; title: string; help?: string; secret?: boolean }[] = [
  { env: 'SELLER_CLIENT_ID', title: 'Client ID', secret: true },
  { env: 'SELLER_CLIENT_SECRET', title: 'Client secret', secret: true },
  { env: 'SELLER_REFRESH_TOKEN', title: 'Refresh token', secret: true },
  {
    env: 'SELLER_REGION',
    title: 'Region',
    help: 'na (North America), eu (Europe) or fe (Far East): where your seller account is',
  },
  { env: 'SELLER_MARKETPLACE_ID', title: 'Marketplace ID' },
  { env: 'SELLER_ID', title: 'Seller ID' },
  {
    env: 'SELLER_ACCOUNT',
    title: 'Account',
    help: "Only if your system's keychain has several accounts: the one to use when a call names none",
  },
  { env: 'SELLER_READ_ONLY', title: 'Read-only', help: 'Look at everything, change nothing' },
  {
    env: 'SELLER_PERSONAL_DATA',
    title: 'Personal data',
    help: "mask (names, addresses and contacts of buyers stay on this computer) or show (the assistant's provider gets them)",
  },
  {
    env: 'SELLER_SANDBOX',
    title: 'Demo shop',
    help: 'Answer from a made-up shop on your own machine; no account is needed',
  },
];

export async function generateManifest(): Promise<GeneratedFile[]> {
  const manifest = buildManifest(await readPackageJson());
  return [{ path: 'manifest.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` }];
}

function buildManifest(about: PackageJson) {
  const web = webAddress(about);
  return {
    manifest_version: '0.3',
    name: about.name,
    display_name: DISPLAY_NAME,
    version: about.version,
    description: SHORT_DESCRIPTION,
    long_description: LONG_DESCRIPTION,
    author: { name: `${about.name} contributors`, url: web },
    repository: { type: 'git', url: web },
    homepage: web,
    documentation: `${web}/blob/main/README.md`,
    support: about.bugs.url,
    icon: 'assets/icon.png',
    server: {
      type: 'node',
      entry_point: 'dist/main.mjs',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills these in.
      mcp_config: { command: 'node', args: ['${__dirname}/dist/main.mjs'], env: environment() },
    },
    tools: TOOLS.map(({ name, description }) => ({ name, description: firstSentence(description) })),
    // Hosts ask the server for its prompts: a list here would repeat their texts.
    prompts_generated: true,
    keywords: about.keywords,
    license: about.license,
    privacy_policies: [`${web}/blob/main/PRIVACY.md`],
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: about.config.node },
    },
    user_config: Object.fromEntries(FORM.map((field) => [toKey(field.env), toOption(field)])),
  };
}

const toKey = (env: string) => env.replace(/^SELLER_(?!ID$)/, '').toLowerCase();

const environment = () => Object.fromEntries(FORM.map(({ env }) => [env, `\${user_config.${toKey(env)}}`]));

function toOption({ env, title, help, secret = false }: (typeof FORM)[number]) {
  const setting = findSetting(env);
  const option = { title, description: help ?? setting.help, required: false };
  // The other types have no default: a host may pass nothing, which also counts as unset.
  if (setting.isSwitch) return { type: 'boolean', ...option, default: false };
  return { type: 'string', ...option, ...(secret && { sensitive: true }) };
}

function findSetting(env: string): Setting {
  const setting = listSettings().find((one) => one.env === env);
  if (setting === undefined) throw new Error(`src/base/settings.ts has no setting ${env}`);
  return setting;
}
