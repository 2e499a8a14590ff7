import { Spectral } from '@stoplight/spectral-core';
import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { ruleset } from './spectral-ruleset.js';

interface Document extends Record<string, unknown> {
  components: { schemas: Record<string, object> };
}

/** Returns the OpenAPI document as a client receives it. */
export const openApiDocument = (): Document =>
  JSON.parse(JSON.stringify(buildOpenApiDocument('1.2.3'))) as Document;

/** Runs Spectral with our rules and returns its findings. */
export async function lint(document: Record<string, unknown>): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const results = await spectral.run(document);
  return results.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
}
