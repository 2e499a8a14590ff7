import type { RulesetDefinition } from '@stoplight/spectral-core';
// Its types are those of a CommonJS module, whose default export is the module.
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';

/** The rules that the OpenAPI document is held to: spectral's own and OWASP's, without those that cannot fit. */
export const ruleset: RulesetDefinition = {
  extends: [
    [oas as RulesetDefinition, 'recommended'],
    [owasp as unknown as RulesetDefinition, 'recommended'],
  ],
  rules: {
    // The operator is one person with one long password, checked by the gateway itself, behind TLS.
    'owasp:api2:2023-no-http-basic': 'off',
    // Probes send no credentials; test/security/openapi.spec.ts holds the open operations to those of health.
    'owasp:api2:2023-read-restricted': 'off',
    'owasp:api8:2023-define-error-responses-401': 'off',
    // Probes and the operator are not counted, nor is who is not let in; openapi.spec.ts holds the others to the headers.
    'owasp:api4:2023-rate-limit': 'off',
    'owasp:api4:2023-rate-limit-responses-429': 'off',
    // Browsers of other origins are not let in: there is no such header to describe.
    'owasp:api8:2023-define-cors-origin': 'off',
    // Titles, questions and names of files are free text: no format or pattern fits them. Their length is bounded.
    'owasp:api4:2023-string-restricted': 'off',
  },
};
