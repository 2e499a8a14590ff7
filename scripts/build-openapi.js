import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes dist/openapi.json, the document that the gateway serves at /api/openapi.json.
 *
 * @param {string} root of the checkout, with dist/ compiled
 */
export async function buildOpenApi(root) {
  const { buildOpenApiDocument } = await import(
    pathToFileURL(join(root, 'dist/libs/gateway/openapi/openapi.js')).href
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(root, 'dist/openapi.json'),
    `${JSON.stringify(buildOpenApiDocument(version), null, 2)}\n`,
  );
}
