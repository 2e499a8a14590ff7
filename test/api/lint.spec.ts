import { lint, openApiDocument } from './lint.js';

/** `lint.system.spec.ts` lints the whole document. */
describe('the OpenAPI document, linted', () => {
  it('fails if an array has no maximum length', async () => {
    const Session = { type: 'array', items: { type: 'string', maxLength: 10 } };
    const document = { ...openApiDocument(), paths: {}, components: { schemas: { Session } } };
    expect(await lint(document)).toContainEqual(
      expect.stringMatching(/array-limit at components\/schemas\/Session/),
    );
  });
});
