/** Scenarios of the MCP conformance suite that fail by design, each group with the reason. All others must pass. */
const of = (reason: string, names: string[]) => names.map((name) => [name, reason] as const);

/** They call tools, prompts and resources with names that only the suite's own example server has. */
const FIXTURES = of('needs a fixture of the suite: ours has tools and resources of its own, and no prompts', [
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'json-schema-2020-12',
]);
/**
 * A page that points its own name at our address (DNS rebinding) sends no key, and cookies are ignored at /mcp; see
 * test/security/mcp-access.spec.ts.
 */
const REBINDING = of('the server does not know its public name; every request needs a bearer key', [
  'dns-rebinding-protection',
]);

export const SERVER_FAILURES: Record<string, ReadonlyMap<string, string>> = {
  '2026-07-28': new Map([
    ...FIXTURES,
    ...REBINDING,
    ...of('calls a fixture of the suite, or prompts/list, among checks that pass', [
      'server-stateless',
      'caching',
      'http-custom-header-server-validation',
    ]),
    ...of('calls a fixture of the suite; approvals ask the person, see test/e2e/mcp.spec.ts', [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
    ]),
    ...of('the extension "tasks" is not offered: runs have ids of their own, see get_run', [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ]),
  ]),
  '2025-11-25': new Map([
    ...FIXTURES,
    ...REBINDING,
    ...of('served without sessions: nothing is pushed to the client, nothing is subscribed to', [
      'logging-set-level',
      'tools-call-with-logging',
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'resources-subscribe',
      'resources-unsubscribe',
    ]),
  ]),
};

/** The tools workers act without a person: they use client credentials, or none. */
const BROWSER = of(
  'wants an authorization code, which a person at a browser fetches; workers use client credentials',
  [
    'auth/metadata-default',
    'auth/metadata-var1',
    'auth/metadata-var2',
    'auth/metadata-var3',
    'auth/basic-cimd',
    'auth/scope-from-www-authenticate',
    'auth/scope-from-scopes-supported',
    'auth/scope-omitted-when-undefined',
    'auth/scope-step-up',
    'auth/scope-retry-limit',
    'auth/token-endpoint-auth-basic',
    'auth/token-endpoint-auth-post',
    'auth/token-endpoint-auth-none',
  ],
);
const OTHER_CREDENTIALS = of('a way of authorization that cannot be registered: a secret or headers are', [
  'auth/client-credentials-jwt',
  'auth/enterprise-managed-authorization',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
]);

export const CLIENT_FAILURES: Record<string, ReadonlyMap<string, string>> = {
  '2026-07-28': new Map([
    ...BROWSER,
    ...of('checks an authorization code and its issuer, as those above', [
      'auth/resource-mismatch',
      'auth/offline-access-scope',
      'auth/offline-access-not-supported',
      'auth/authorization-server-migration',
      'auth/iss-supported',
      'auth/iss-not-advertised',
      'auth/iss-supported-missing',
      'auth/iss-wrong-issuer',
      'auth/iss-unexpected',
      'auth/iss-normalized',
      'auth/metadata-issuer-mismatch',
    ]),
    ...OTHER_CREDENTIALS,
    ...of('a server that asks back: nobody is there to answer, and the call fails', [
      'sep-2322-client-request-state',
    ]),
  ]),
  '2025-11-25': new Map([
    ...BROWSER,
    ...OTHER_CREDENTIALS,
    ...of('a server that asks back: nobody is there to answer, and the call fails', [
      'elicitation-sep1034-client-defaults',
    ]),
    ...of('a call that breaks off is not taken up again: the plan decides what is tried again', [
      'sse-retry',
    ]),
  ]),
};
