/** Recognizes loopback addresses, the only ones that may be called without TLS. */

/** Returns true for this machine: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
