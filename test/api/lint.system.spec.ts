import { lint, openApiDocument } from './lint.js';

describe('the OpenAPI document, linted', () => {
  it('keeps the rules of spectral and of its OWASP ruleset, without a warning', async () => {
    expect(await lint(openApiDocument())).toEqual([]);
  });
});
