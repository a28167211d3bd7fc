/** Starts a page in the browser: reads its data from the document and draws them. */

import { render } from 'preact';
import { App } from './app.tsx';
import { ask } from './ask.ts';
import type { PageData } from './data.ts';

const data: PageData = JSON.parse(document.querySelector('#data')?.textContent ?? '');
const root = document.querySelector('#root');
if (root !== null) render(<App data={data} ask={location.protocol === 'file:' ? undefined : ask} />, root);
