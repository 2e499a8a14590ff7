import type { RulesetDefinition } from '@stoplight/spectral-core';
// Its types describe a CommonJS module, whose default export is the module.
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';

/** Rules for the OpenAPI document: Spectral's and OWASP's, without those that cannot apply. */
export const ruleset: RulesetDefinition = {
  extends: [
    [oas as RulesetDefinition, 'recommended'],
    [owasp as unknown as RulesetDefinition, 'recommended'],
  ],
  rules: {
    // The operator is one person with one long password, which the gateway checks itself, behind TLS.
    'owasp:api2:2023-no-http-basic': 'off',
    // Probes send no credentials; test/security/openapi.spec.ts limits the open operations to health.
    'owasp:api2:2023-read-restricted': 'off',
    'owasp:api8:2023-define-error-responses-401': 'off',
    // Requests of probes, the operator and rejected clients are not counted; openapi.spec.ts requires the headers for
    // all others.
    'owasp:api4:2023-rate-limit': 'off',
    'owasp:api4:2023-rate-limit-responses-429': 'off',
    // Browsers of other origins are not let in: there is no such header to describe.
    'owasp:api8:2023-define-cors-origin': 'off',
    // Titles, questions and names of files are free text: no format or pattern fits them. Their length is bounded.
    'owasp:api4:2023-string-restricted': 'off',
  },
};
