import { lint, openApiDocument } from './lint.js';

describe('the OpenAPI document, linted', () => {
  it('has no error or warning of the Spectral and OWASP rules', async () => {
    expect(await lint(openApiDocument())).toEqual([]);
  });
});
