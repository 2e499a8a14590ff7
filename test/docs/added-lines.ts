import type { Replacement } from '#testing/copied-apps.js';

/** A line of the product, in a copy: where docs/ADDING.md says that it goes, and what it is put behind. */
const line = (file: string, from: RegExp, to: string): Replacement => ({ file, from, to });
const importing = (names: string, from: string) => `import { ${names} } from '${from}';\n`;

export const CONTRACT = 'libs/contracts/registry';
export const FACTS = 'libs/testing/known-kinds';
export const RUNNER = 'apps/agent-runner/src/kinds';
const WORKER = 'apps/converter/src/main';

/** The three lines of a kind, in the order of the steps, for the kind of the tests. */
export const OF_A_KIND: Record<string, Replacement[]> = {
  [CONTRACT]: [
    line(`${CONTRACT}.js`, /^/, importing('tinyKind', '#testing/tiny-kind/contract.js')),
    line(`${CONTRACT}.js`, /article: articleKind,/, 'article: articleKind, tiny: tinyKind,'),
  ],
  [FACTS]: [
    line(`${FACTS}.js`, /^/, importing('tinyFacts', '#testing/tiny-kind/facts.js')),
    line(`${FACTS}.js`, /article: articleFacts,/, 'article: articleFacts, tiny: tinyFacts,'),
  ],
  [RUNNER]: [
    line(`${RUNNER}.js`, /^/, importing('TinyDefinition', '#testing/tiny-kind/definition.js')),
    line(
      `${RUNNER}.js`,
      /const definitions = \{/,
      'const definitions = { tiny: (services, { store }) => new TinyDefinition(store),',
    ),
  ],
};
/** The lines of a task: its handler, and the worker's list. */
export const HANDLER = {
  'apps/converter/src/tiny-shout.handler.js': `import { TaskHandler } from '#engine/queue/task-handler.js';
export class TinyShoutHandler {
  handle({ word }) { return Promise.resolve({ word: word.toUpperCase() }); }
}
TaskHandler('tiny_shout')(TinyShoutHandler);
`,
};
export const OF_A_TASK = [
  line(`${WORKER}.js`, /^/, importing('TinyShoutHandler', './tiny-shout.handler.js')),
  line(`${WORKER}.js`, /BookExportHandler\]/, 'BookExportHandler, TinyShoutHandler]'),
];
