// Written by npm run generate from src/base/settings.ts.

export const SECRET_VARIABLES: readonly string[] = [
  'SELLER_CLIENT_SECRET',
  'SELLER_REFRESH_TOKEN',
  'SELLER_STATE_KEY',
  'SELLER_HTTP_TOKEN',
  'SELLER_STORE_PASSWORD',
];
