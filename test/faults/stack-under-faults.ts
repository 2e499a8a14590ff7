import { workerNames } from '#contracts/queues.js';
import { projectRoot } from '#embedded/project-root.js';
import type { CommitSignals } from '#testing/faults/commit-signals.js';
import type { ModelStub } from '#testing/model-stub.js';
import { TestStack } from '#testing/test-stack.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLOCK_SHIFTS_MS } from './clock-shifts.js';
import type { Work } from './commit-point-deck.js';
import { MODEL_TIMEOUT_SECONDS } from './outside-faults.js';
import type { OwnServers } from './servers.js';

/** A killed process is restarted quickly, because the test is about the product, not its supervisor. */
const MAX_RESTART_PAUSE_MS = 300;

export interface StackUnderFaults {
  servers: OwnServers;
  work: Work;
  /** The model, for work that has one. */
  stub: ModelStub;
  /** Folder with the signals that make processes end or stop. */
  commits: CommitSignals;
  appsDir?: string;
}

/** A process that dies is replaced by another of its kind. */
const OF_EACH_WORKER = 2;

/** The real stack, with wrong clocks and with processes that end at commit points. */
export async function startStackUnderFaults(options: StackUnderFaults): Promise<TestStack> {
  const { servers, work, stub, commits, appsDir } = options;
  const hooks = ['clock-hook', 'commit-hook'].map(
    (name) => pathToFileURL(join(projectRoot(), `dist/libs/testing/faults/${name}.js`)).href,
  );
  process.env['TEST_DATABASE_URL'] = servers.postgres.url;
  return TestStack.start({
    queue: servers.queue,
    store: servers.store.column,
    workers: Object.fromEntries(workerNames.map((name) => [name, OF_EACH_WORKER])),
    longestPauseMs: MAX_RESTART_PAUSE_MS,
    env: {
      ...(work === 'documents' ? modelOf(stub) : {}),
      NODE_OPTIONS: hooks.map((hook) => `--import ${hook}`).join(' '),
      FAULTS_CLOCK_SHIFTS: CLOCK_SHIFTS_MS.join(','),
      FAULTS_DIR: commits.dir,
      // The MCP server of the harness is on this machine.
      EGRESS_ALLOW_PRIVATE: 'true',
      ...servers.store.env,
    },
    ...(appsDir ? { appsDir } : {}),
  });
}

const modelOf = ({ baseUrl }: ModelStub) => ({
  OPENAI_API_KEY: 'sk-of-the-test',
  OPENAI_BASE_URL: baseUrl,
  OPENAI_MODEL: 'stub-model',
  MODEL_TIMEOUT_SECONDS: String(MODEL_TIMEOUT_SECONDS),
});
