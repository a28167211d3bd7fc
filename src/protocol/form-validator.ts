/** Checks what a person filled into a form: ours have no fields, so that nothing but an object can come back. */

type Checked<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** Replaces the SDK's own validator, which brings a whole JSON Schema library. */
export class FormValidator {
  /** @throws Error for a form with fields: it would have to be checked by a real validator. */
  getValidator<T>({ properties = {} }: Readonly<Record<string, unknown>>): (answer: T) => Checked<T> {
    if (Object.keys(Object(properties)).length > 0) {
      throw new Error('This form has fields; give the server a JSON Schema validator to check them');
    }
    return (data) =>
      typeof data === 'object' && data !== null
        ? { valid: true, data, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: 'not an object' };
  }
}
