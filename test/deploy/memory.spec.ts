import * as memory from '#config/memory.js';
import { gatewaySettings, workerSettings } from '#config/settings.js';
import { readCompiled, loadedBy } from '#testing/loaded-files.js';
import { RESERVED_PLACES } from '#engine/tasks/task-processor.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { App } from './settings.js';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Memory of a process without its threads: code, the main thread's heap, connections. Measured under load: 250 to 370 MB. */
const BASE_MB = 400;
/** Memory of a thread outside its old generation, the only part with a limit: young generation, code, stack. */
const THREAD_MB = 64;

const needed = { DATABASE_URL: 'postgres://localhost/x', STORAGE_DIR: '/x' };
const { WORKER_THREADS, WORKER_CONCURRENCY, MAX_FILE_BYTES } = workerSettings.parse(needed);
const { VECTOR_CACHE_MB } = gatewaySettings.parse(needed);

const threads = (count: number, heapMb: number) => count * (heapMb + THREAD_MB);
const parsing = (WORKER_THREADS + memory.RESERVED_PROCESSES) * memory.PARSING_MEMORY_MB;
/** The processes that check code of plans. */
const checking = memory.CHECKING.processes * memory.CHECKING.memoryMb;
/** The files of its tasks. */
const files = ((WORKER_CONCURRENCY + RESERVED_PLACES) * MAX_FILE_BYTES) / 2 ** 20;
/** Searches by meaning have a thread over the memory of the vectors. */
const vectors = (cacheMb: number) => cacheMb + threads(1, 0);

/** The pools of each app, each with its maximum memory in MiB; `rest` is memory outside pools. */
const worst: Record<App, { pools: number[]; rest: number }> = {
  gateway: {
    pools: [],
    // `runApart` for requests.
    rest:
      threads(memory.GATEWAY_THREADS.threads, memory.GATEWAY_THREADS.memoryMb) +
      vectors(VECTOR_CACHE_MB) +
      checking,
  },
  'agent-runner': {
    pools: [threads(memory.MAX_RUNNER_THREADS, memory.RUNNER_MB.thread)],
    // `runApart`, and the watch of the event loop.
    rest:
      vectors(memory.RUNNER_MB.vectors) +
      threads(memory.APART.threads, memory.APART.memoryMb) +
      threads(1, 0) +
      checking,
  },
  scanner: {
    pools: Object.values(memory.SCANNER_MB).map((heapMb) => threads(WORKER_THREADS, heapMb)),
    rest: files + parsing,
  },
  validator: { pools: [threads(WORKER_THREADS, memory.VALIDATOR_MB)], rest: files },
  converter: {
    pools: [threads(WORKER_THREADS, memory.CONVERTER_MB.conversion), threads(1, memory.CONVERTER_MB.tracing)],
    rest: files,
  },
  tools: {
    pools: [threads(1, memory.TOOLS_MB.conversion)],
    rest: files + parsing + vectors(memory.TOOLS_MB.vectors),
  },
};

/** Files that define pools, and the search by meaning, which `rest` counts. */
const NO_OWN_POOL = /^libs\/(kit\/runtime|knowledge\/vectors)\//;

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** MiB of a limit such as `768m`, `4Gi` or `1536Mi`. */
function mibOf(limit: string): number {
  const [, amount, unit] = /^(\d+)(m|g|Mi|Gi)$/.exec(limit)!;
  return Number(amount) * (unit!.toLowerCase().startsWith('g') ? 1024 : 1);
}

function limitsOf(app: App): Record<string, number> {
  interface Limited {
    resources: { limits: { memory: string } };
  }
  const compose = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<App, { deploy: Limited }>;
  };
  const [deployment] = read(`deploy/kubernetes/base/${app}.yaml`).split(/^---$/m);
  const { spec } = parse(deployment!) as {
    spec: { template: { spec: { containers: [Limited] } } };
  };
  return {
    compose: mibOf(compose.services[app].deploy.resources.limits.memory),
    kubernetes: mibOf(spec.template.spec.containers[0].resources.limits.memory),
  };
}

describe('the memory of containers', () => {
  it.each(Object.entries(worst))(
    '%s has enough memory for all its threads and processes together',
    (app, { pools, rest }) => {
      const most = BASE_MB + sum(pools) + rest;
      for (const limit of Object.values(limitsOf(app as App))) {
        expect(limit).toBeGreaterThanOrEqual(most);
        // A limit far above the need hides a leak.
        expect(limit).toBeLessThan(most + 1024);
      }
    },
  );

  it.each(Object.entries(worst))('includes every thread pool of %s', (app, { pools }) => {
    const sources = loadedBy(app)
      .filter((name) => /^(apps|libs)\//.test(name) && !NO_OWN_POOL.test(name))
      .map(readCompiled);
    const made = sources.flatMap((source) => source.match(/new (Thread|Converter)Pool\(/g) ?? []);
    expect(made).toHaveLength(pools.length);
    const isParsing = sources.some((source) => /\bParsingProcesses\b/.test(source));
    expect(isParsing).toBe(['scanner', 'tools'].includes(app));
  });
});
