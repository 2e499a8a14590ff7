import type { Replacement } from '#testing/copied-apps.js';

/** A line of the product, in a copy: its place according to docs/ADDING.md, and the text that it follows. */
const line = (file: string, from: RegExp, to: string): Replacement => ({ file, from, to });
const importing = (names: string, from: string) => `import { ${names} } from '${from}';\n`;

export const CONTRACT = 'libs/catalogue/registry';
export const GATEWAY = 'apps/gateway/src/features';
export const RUNNER = 'apps/agent-runner/src/features';
const WORKER = 'apps/converter/src/main';

/** The three lines of a kind, in the order of the steps, for the kind of the tests. */
export const OF_A_KIND: Record<string, Replacement[]> = {
  [CONTRACT]: [
    line(`${CONTRACT}.js`, /^/, importing('tinyKind', '#testing/tiny-kind/contract.js')),
    line(`${CONTRACT}.js`, /article: articleKind,/, 'article: articleKind, tiny: tinyKind,'),
  ],
  [GATEWAY]: [
    line(`${GATEWAY}.js`, /^/, importing('tinyGateway', '#testing/tiny-kind/gateway.js')),
    line(`${GATEWAY}.js`, /documentGateway,/, 'documentGateway, tinyGateway,'),
  ],
  [RUNNER]: [
    line(`${RUNNER}.js`, /^/, importing('tinyRunner', '#testing/tiny-kind/runner.js')),
    line(`${RUNNER}.js`, /documentRunner,/, 'documentRunner, tinyRunner,'),
  ],
};
/** The lines of a task: its handler, and the worker's list. */
export const OF_A_TASK = [
  line(`${WORKER}.js`, /^/, importing('tinyWorker', '#testing/tiny-kind/worker.js')),
  line(`${WORKER}.js`, /documentWorker,/, 'documentWorker, tinyWorker,'),
];
