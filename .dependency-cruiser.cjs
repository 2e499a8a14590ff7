/** The dependencies of docs/ARCHITECTURE.md: apps compose features; features stand on gateway, cli, kit, engine and the libraries below. */
const FEATURES = ['document', 'book', 'article', 'change', 'review', 'plan', 'knowledge'];
const WRITING_FEATURES = FEATURES.filter((name) => name !== 'knowledge');
const SPECS = '\\.spec\\.ts$';
/** Files of a feature's contract: schemas only. */
const CONTRACT = `^libs/(${FEATURES.join('|')})/contract(\\.ts$|/)`;
/** Files of knowledge that article, book and plan use besides its contract. */
const KNOWLEDGE_FOR_FEATURES = `^libs/knowledge/(${[
  'knowledge|runner',
  'chunk/chunk-text',
  'commands/(describe-source|named-sources|upload-sources)',
  'gateway/(knowledge\\.service|views)',
  'index/(bm25|postings)',
  'ingest/(index-source|keys|page-reader)',
  'ports/(named-sources|passages|runner-index-work|source-copies)',
  'search/(passages|search)',
  'store/(cited-texts|collections|sources)',
  'text/(languages|stems|words)',
  'vectors/(embedding-models|embedding-usage|scan|text-embedder|vector-search)',
].join('|')})\\.ts$`;
const lib = (...names) => `^libs/(${names.join('|')})/`;
const notLibs = (...allowed) => `^libs/(?!(${allowed.join('|')})/)`;
const rule = (name, from, to) => ({ name, severity: 'error', from: { pathNot: SPECS, ...from }, to });
/** A library that uses only the named ones. */
const only = (from, ...allowed) =>
  rule(`${from}-only-uses-${allowed.join('-')}`, { path: lib(from) }, { path: notLibs(from, ...allowed) });
/** Packages that evaluate schemas, expressions, queries, patterns and templates. */
const ENGINES = [
  ...[
    'ajv',
    'ajv-formats',
    '@cfworker/json-schema',
    'jsonschema',
    'jsonata',
    'jmespath',
    'jsonpath',
    'sql\\.js',
  ],
  ...[
    'better-sqlite3',
    '@duckdb/[^/]+',
    '@electric-sql/pglite',
    're2',
    'handlebars',
    'mustache',
    'nunjucks',
    'liquidjs',
  ],
];
/** Tools that evaluate them; `compute.worker.ts` calls these tools in a process. */
const TENANT_CODE = '^libs/plan/tools/platform/(expression|sql|template)\\.ts$';
/** Processes of a feature: the files that only one of them loads. */
const PARTS = {
  gateway: 'gateway(\\.ts$|/)',
  runner: '(runner\\.ts$|(graph|prompts|offline|ports)/)',
  worker: '(worker\\.ts$|(tasks|mcp)/)',
  commands: 'commands(\\.ts$|/)',
};
const part = (feature, name) => `^libs/${feature}/${PARTS[name]}`;

module.exports = {
  forbidden: [
    rule('no-circular', { pathNot: '^$' }, { circular: true }),
    rule('no-app-imports-an-app', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }),
    rule('no-library-imports-an-app', { path: '^libs/' }, { path: '^apps/' }),
    rule(
      'testing-is-for-specs',
      { pathNot: [SPECS, '^test/', '^libs/testing/'] },
      { path: '^libs/testing/' },
    ),
    rule(
      'pure-code-has-no-io',
      {
        path: [
          lib(
            'catalogue',
            'contracts',
            'markdown',
            'extraction',
            'inventory',
            'verbatim',
            'office',
            'writing',
          ),
          '^libs/kit/graph/',
          `^libs/(${FEATURES.join('|')})/(contract|graph|prompts|offline|repurpose|tools)(\\.ts$|/)`,
        ],
      },
      { path: 'node_modules/(@nestjs|pg|bullmq|ioredis|minio|fastify|@prisma|@langchain/openai)' },
    ),
    // What a tenant writes as code is evaluated by tools that run in processes (`ComputePool`), or by `runApart`.
    rule(
      'engines-of-tenants-code-run-apart',
      { pathNot: [SPECS, '^test/', '^libs/testing/', '\\.worker\\.ts$', TENANT_CODE] },
      { path: [`node_modules/(${ENGINES.join('|')})/`, '^(node:)?(vm|sqlite)$'] },
    ),
    // Libraries, from the lowest.
    only('contracts', 'locales'),
    // What features' contracts add up to: kinds, tasks, questions, events and endpoints.
    rule(
      'a-feature-s-contract-uses-contracts-only',
      { path: CONTRACT },
      { path: notLibs('contracts'), pathNot: CONTRACT },
    ),
    rule(
      'catalogue-only-uses-contracts',
      { path: lib('catalogue') },
      { path: notLibs('catalogue', 'contracts'), pathNot: CONTRACT },
    ),
    only('markdown', 'contracts'),
    only('extraction', 'contracts', 'markdown'),
    // What extraction loses is found by code that extraction does not use.
    only('inventory', 'contracts'),
    only('verbatim', 'contracts', 'markdown'),
    only('office', 'contracts', 'markdown', 'extraction'),
    only('writing', 'contracts', 'markdown', 'verbatim'),
    only('config', 'contracts'),
    only('telemetry', 'contracts'),
    only('egress', 'contracts'),
    only('db', 'catalogue', 'contracts'),
    only('storage', 'contracts', 'markdown'),
    only('llm', 'contracts'),
    only('embedded', 'contracts', 'config', 'db', 'telemetry'),
    only('engine', 'catalogue', 'contracts', 'db', 'storage', 'telemetry'),
    only(
      'kit',
      ...['catalogue', 'contracts', 'engine', 'config', 'db', 'storage'],
      ...['telemetry', 'egress', 'embedded', 'llm'],
      ...['markdown', 'extraction', 'inventory', 'verbatim', 'office', 'writing'],
    ),
    only(
      'gateway',
      ...['catalogue', 'contracts', 'engine', 'kit', 'config', 'db', 'storage'],
      ...['telemetry', 'egress', 'embedded', 'llm'],
      ...['markdown', 'extraction', 'verbatim', 'writing'],
    ),
    only(
      'cli',
      ...[
        'catalogue',
        'contracts',
        'config',
        'db',
        'embedded',
        'extraction',
        'telemetry',
        'verbatim',
        'writing',
      ],
    ),
    // Features: article, book and plan use knowledge; no other feature uses one, not even its contract.
    rule(
      'writing-features-do-not-know-each-other',
      { path: `^libs/(${WRITING_FEATURES.join('|')})/` },
      { path: lib(...WRITING_FEATURES), pathNot: '^libs/$1/' },
    ),
    rule('knowledge-knows-no-other-feature', { path: lib('knowledge') }, { path: lib(...WRITING_FEATURES) }),
    rule(
      'document-and-change-use-no-feature',
      { path: lib('document', 'change', 'review') },
      { path: lib('knowledge') },
    ),
    rule(
      'features-use-the-listed-files-of-knowledge',
      { path: lib(...WRITING_FEATURES) },
      { path: lib('knowledge'), pathNot: [CONTRACT, KNOWLEDGE_FOR_FEATURES] },
    ),
    ...FEATURES.flatMap((feature) =>
      Object.keys(PARTS).map((name) =>
        rule(
          `the-${name}-part-of-${feature}-loads-no-other`,
          { path: part(feature, name) },
          {
            path: Object.keys(PARTS)
              .filter((other) => other !== name)
              .map((other) => part(feature, other)),
          },
        ),
      ),
    ),
    rule(
      'only-gateway-parts-use-the-gateway',
      { path: lib(...FEATURES), pathNot: [SPECS, '^libs/[^/]+/gateway(\\.ts$|/)'] },
      { path: lib('gateway') },
    ),
    rule(
      'only-commands-use-the-cli',
      { path: lib(...FEATURES), pathNot: [SPECS, '^libs/[^/]+/commands(\\.ts$|/)'] },
      { path: lib('cli') },
    ),
    rule(
      'the-studio-uses-contracts-and-the-structure-of-texts',
      { path: '^apps/studio/' },
      {
        path: '^libs/',
        // Of the ledger only its type.
        pathNot: [CONTRACT, lib('catalogue', 'contracts'), '^libs/(office/structure/|verbatim/schema\\.ts$)'],
      },
    ),
    rule(
      'graphs-see-of-the-engine-its-port-only',
      { path: ['^libs/kit/graph/', `^libs/(${FEATURES.join('|')})/(graph|prompts|offline)/`] },
      { path: lib('engine'), pathNot: '^libs/engine/kind\\.ts$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    webpackConfig: { fileName: '.dependency-cruiser.resolve.cjs' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
    exclude: { path: 'libs/[^/]+/generated' },
  },
};
