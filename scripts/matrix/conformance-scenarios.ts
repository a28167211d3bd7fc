/** Which scenarios of the conformance suite apply to this server, and why the others do not. */

export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
export const BRIDGE = 'mcp-proxy@6.7.19';
export const SPEC_VERSIONS = ['2025-11-25', '2026-07-28'] as const;

/** Scenarios that ask only for what every server has; each must pass at every version that the suite runs it at. */
export const APPLICABLE: readonly string[] = [
  'server-initialize',
  'ping',
  'server-stateless',
  'tools-list',
  'resources-list',
  'prompts-list',
  'sep-2164-resource-not-found',
  'caching',
  'input-required-result-unsupported-methods',
];

interface Reason {
  why: string;
  scenarios: readonly string[];
}

export const NOT_APPLICABLE: readonly Reason[] = [
  {
    why: 'They call tools, prompts or resources with fixed names (`test_simple_text`, `test://static-text`) that a test server has and a server for sellers does not. What they check is tested end to end with our own names.',
    scenarios: [
      'completion-complete',
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'tools-call-elicitation',
      'json-schema-2020-12',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
      'input-required-result-basic-elicitation',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-validate-input',
    ],
  },
  {
    why: 'They need features that the server neither offers nor claims: logging, sampling and roots are deprecated, and no resource here changes by itself, so there is nothing to subscribe to.',
    scenarios: [
      'logging-set-level',
      'tools-call-with-logging',
      'tools-call-sampling',
      'resources-subscribe',
      'resources-unsubscribe',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
    ],
  },
  {
    why: 'They test HTTP: sessions, streams, headers, DNS rebinding. The server speaks stdio; these scenarios would only test the bridge.',
    scenarios: [
      'server-session-lifecycle',
      'server-sse-polling',
      'server-sse-multiple-streams',
      'dns-rebinding-protection',
      'http-header-validation',
      'http-custom-header-server-validation',
    ],
  },
];

/** Single checks in applicable scenarios that need a tool with a fixed name; the suite itself reports them as not testable. */
export const CHECKS_LEFT_OUT: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': 'needs the tool `test_missing_capability`',
  'sep-2575-missing-capability-http-400': 'needs the tool `test_missing_capability`',
  'sep-2575-http-server-no-independent-requests-on-stream': 'needs the tool `test_streaming_elicitation`',
  'sep-2575-server-no-log-without-loglevel': 'needs the tool `test_logging_tool`',
};
