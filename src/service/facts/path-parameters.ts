/** Path parameters whose value is a path itself: with its slashes escaped, the service does not know it (models#254). */

const PATHS: Readonly<Record<string, string>> = {
  'uploads/createUploadDestinationForResource': 'resource',
};

export function isPathItself(operationId: string, parameter: string): boolean {
  return Object.hasOwn(PATHS, operationId) && PATHS[operationId] === parameter;
}
