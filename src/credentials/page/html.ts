/** HTML with every inserted value escaped, so that no text of a person or a service can become markup. */

/** Markup that is already safe. */
export interface Html {
  readonly html: string;
}

type Insert = Html | string | number | undefined | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function insert(value: Insert): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  if ('html' in value) return value.html;
  return value.map((part) => part.html).join('');
}

/** Template tag: text is escaped, `Html` is kept. Attributes must be written in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Insert[]): Html {
  let out = strings[0] ?? '';
  values.forEach((value, index) => {
    out += insert(value) + (strings[index + 1] ?? '');
  });
  return { html: out };
}

/** For our own constants only: the style sheet. */
export function trusted(text: string): Html {
  return { html: text };
}
