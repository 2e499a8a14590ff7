import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { projectRoot } from '#embedded/project-root.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Node = Record<string, unknown>;

/** Every object of a document with its path. */
function* nodes(value: unknown, path = ''): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Node];
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${path}/${key}`);
}

interface Operation {
  operationId: string;
  security: Node[];
  responses: Record<string, { headers?: Node }>;
}

describe('the OpenAPI document', () => {
  const document = buildOpenApiDocument('1.2.3');
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, Operation>),
  );

  it('is valid OpenAPI 3.1', async () => {
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    expect(await new Validator().validate(plain)).toEqual({ valid: true });
  });

  it('is written to dist/ by the build', () => {
    const built = readFileSync(join(projectRoot(), 'dist/openapi.json'), 'utf8');
    const { version } = JSON.parse(built).info as { version: string };
    expect(built).toBe(`${JSON.stringify(buildOpenApiDocument(version), null, 2)}\n`);
  });

  it('names each operation once, with the required scope', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const open = operations.filter(({ security }) => security.length === 0);
    expect(open.map(({ operationId }) => operationId)).toEqual(['health', 'live', 'ready']);
  });

  it('API4 every string, list and whole number has bounds', () => {
    const is = ({ type }: Node, name: string) =>
      type === name || (Array.isArray(type) && type.includes(name));
    const unbounded = [...nodes([document.paths, document.components])].filter(
      ([, node]) =>
        (is(node, 'string') && !('maxLength' in node || 'enum' in node || 'const' in node)) ||
        (is(node, 'array') && !('maxItems' in node)) ||
        (is(node, 'integer') && !('format' in node && ('minimum' in node || 'exclusiveMinimum' in node))),
    );
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  it('API4 every operation with an API key returns its remaining rate', () => {
    for (const { operationId, security, responses } of operations) {
      if (!security.some((scheme) => 'apiKey' in scheme)) continue;
      const silent = Object.entries(responses).filter(([, { headers }]) => !headers?.['RateLimit-Remaining']);
      expect([operationId, silent.map(([status]) => status)]).toEqual([operationId, ['401']]);
      expect(responses).toHaveProperty('429');
    }
  });
});
