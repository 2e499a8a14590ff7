/** The arrows of docs/ARCHITECTURE.md: apps → kinds → the engine's port; apps → run-engine → db, queue, events → contracts. */
const lib = (...names) => `^libs/(${names.join('|')})/`;
const notLibs = (...allowed) => `^libs/(?!(${allowed.join('|')})/)`;
const only = (from, ...allowed) => ({
  name: `${from}-only-uses-${allowed.join('-')}`,
  severity: 'error',
  from: { path: lib(from), pathNot: '\\.spec\\.ts$' },
  to: { path: notLibs(from, ...allowed) },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-app-imports-an-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-library-imports-an-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'testing-is-for-specs',
      severity: 'error',
      from: { pathNot: ['\\.spec\\.ts$', '^test/', '^libs/testing/'] },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'pure-libraries-have-no-io',
      severity: 'error',
      from: {
        path: lib(
          'contracts',
          'markdown',
          'extraction',
          'verbatim',
          'office',
          'writing',
          'agent',
          'tools',
          'kinds',
        ),
        pathNot: '\\.spec\\.ts$',
      },
      to: { path: 'node_modules/(@nestjs|pg|bullmq|ioredis|minio|fastify|@prisma|@langchain/openai)' },
    },
    only('contracts'),
    only('api-client'),
    only('markdown', 'contracts'),
    only('extraction', 'markdown'),
    only('verbatim', 'contracts', 'markdown'),
    only('office', 'contracts', 'markdown'),
    only('writing', 'contracts', 'markdown', 'verbatim'),
    only('agent', 'contracts', 'run-engine'),
    only('tools', 'contracts', 'markdown', 'extraction', 'verbatim', 'knowledge'),
    only('kinds', 'contracts', 'agent', 'tools', 'markdown', 'extraction', 'verbatim', 'writing', 'llm', 'run-engine'),
    {
      name: 'kinds-see-of-the-engine-its-port-only',
      severity: 'error',
      from: { path: lib('kinds', 'agent'), pathNot: '\\.spec\\.ts$' },
      to: { path: lib('run-engine'), pathNot: '^libs/run-engine/src/kind\\.ts$' },
    },
    only('storage', 'contracts', 'markdown'),
    only('db', 'contracts'),
    only('events', 'contracts', 'db'),
    only('queue', 'contracts'),
    only('llm', 'contracts'),
    only('knowledge', 'contracts', 'markdown', 'extraction', 'db', 'storage', 'llm', 'telemetry'),
    only('config', 'contracts'),
    only('telemetry', 'contracts'),
    only('run-engine', 'contracts', 'db', 'queue', 'events', 'storage', 'telemetry'),
    only('runtime', 'contracts', 'config', 'db', 'queue', 'run-engine', 'storage', 'telemetry'),
    only('embedded', 'contracts', 'config', 'db', 'telemetry'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
    exclude: { path: 'libs/db/src/generated' },
  },
};
