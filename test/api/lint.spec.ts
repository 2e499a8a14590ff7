import { Spectral } from '@stoplight/spectral-core';
import { buildOpenApiDocument } from '../../apps/gateway/src/openapi.js';
import { ruleset } from './spectral-ruleset.js';

interface Document extends Record<string, unknown> {
  components: { schemas: Record<string, object> };
}

const document = JSON.parse(JSON.stringify(buildOpenApiDocument('1.2.3'))) as Document;

async function findings(of: Record<string, unknown>): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const results = await spectral.run(of);
  return results.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
}

describe('the OpenAPI document, linted', () => {
  it('keeps the rules of spectral and of its OWASP ruleset, without a warning', async () => {
    expect(await findings(document)).toEqual([]);
  });

  it('would be refused with a list that has no bound', async () => {
    const Session = { type: 'array', items: { type: 'string', maxLength: 10 } };
    // Alone: what else is in the document is linted above.
    expect(await findings({ ...document, paths: {}, components: { schemas: { Session } } })).toContainEqual(
      expect.stringMatching(/array-limit at components\/schemas\/Session/),
    );
  });
});
