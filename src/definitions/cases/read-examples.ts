/** The example answers of one response: Swagger's `examples` by media type, OpenAPI's `example` and `examples`. */

import { isJsonObject, parseJson } from '../../json.ts';
import { pointerTo } from '../definition-error.ts';
import { jsonMedia } from '../read/read-parameters.ts';
import type { Located, References } from '../read/references.ts';

export interface ExampleAnswer {
  /** Empty where the file gives none. */
  name: string;
  body: unknown;
}

export function readExamples(references: References, { value, pointer }: Located): ExampleAnswer[] {
  const swagger = jsonMedia(value.examples);
  if (isJsonObject(value.examples) && value.content === undefined) {
    const type = Object.keys(value.examples).find((one) => /json/i.test(one));
    const body = type === undefined ? swagger?.value : value.examples[type];
    return body === undefined ? [] : [{ name: '', body: unwrapText(body) }];
  }
  const media = jsonMedia(value.content);
  if (media === undefined) return [];
  const { example, examples } = media.value;
  const alone = example === undefined ? [] : [{ name: '', body: unwrapText(example) }];
  if (!isJsonObject(examples)) return alone;
  const at = pointerTo(pointer, 'content', media.type, 'examples');
  const named = Object.entries(examples).flatMap(([name, raw]) => {
    const found = references.open(raw, pointerTo(at, name)).value;
    return found.value === undefined ? [] : [{ name, body: unwrapText(found.value) }];
  });
  return [...alone, ...named];
}

/** Some files give the JSON of an answer as a text. */
function unwrapText(body: unknown): unknown {
  return typeof body === 'string' && /^\s*[[{]/.test(body) ? (parseJson(body) ?? body) : body;
}
