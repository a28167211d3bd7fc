/** Takes personal data and secrets out of what the journal keeps. */

const MASKED = '[masked]';
/** No real member name is longer; what pretends to be one is hidden rather than searched. */
const LONGEST_NAME = 200;

/** Parts of a member name, in lower case and without punctuation, whose values are personal or secret. */
const PARTS =
  /e?mail(?!box)|phone|fax|mobile|address|postalcode|zipcode|token|secret|password|authorization|taxid|cpf|cnpj|passport|nationalid|birth|iban|bankaccount|giftmessage/;
const WHOLE =
  /^((first|last|middle|full|given|family|buyer|recipient|contact|customer|sender|company|business)?name|surname|city|county|district|stateorregion|street|ssn)$/;
/** Containers whose `address` member is masked by itself, so that their other members stay readable. */
const CONTAINERS = /withaddress|addresswith/;
/** Bounded in every part, so that a long text without an address is searched in linear time. */
const EMAIL = /[^\s@<>"'(),;:]{1,64}@[^\s@<>"'(),;:]{1,190}\.[^\s@<>"'(),;:.]{1,63}/g;

/** True for a member name whose value is masked, with everything below it. */
export function isSensitive(name: string): boolean {
  if (name.length > LONGEST_NAME) return true;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return WHOLE.test(plain) || (PARTS.test(plain) && !CONTAINERS.test(plain));
}

/** True for a dotted place with a sensitive name anywhere on the way. */
export function isSensitivePath(path: string): boolean {
  return path.length > 10 * LONGEST_NAME || path.split(/[.[\]"]+/).some(isSensitive);
}

/** E-mail addresses taken out of a text. */
export function maskText(text: string): string {
  return text.replace(EMAIL, MASKED);
}

/** A value below a sensitive name; empty, missing and yes-or-no values say nothing about a person and stay. */
export function maskHidden(value: unknown): unknown {
  return value !== '' && (typeof value === 'string' || typeof value === 'number') ? MASKED : value;
}
