import { projectRoot } from '#embedded/project-root.js';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const DIST = join(projectRoot(), 'dist');
const STATIC_IMPORT = /^(?:import|export)\s(?:[^'"();]*?\sfrom\s)?'(?<name>[^']+)'/gm;

/** Returns the files and packages that a process of the app loads at its start, by the static imports of `dist/`. */
function loadedBy(app: string): string[] {
  const loaded = new Set<string>();
  const waiting = [`apps/${app}/src/main.js`];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const { groups } of readFileSync(join(DIST, file), 'utf8').matchAll(STATIC_IMPORT)) {
      const name = groups!['name']!;
      if (name.startsWith('#')) waiting.push(`libs/${name.slice(1)}`);
      else if (name.startsWith('.')) waiting.push(posix.join(posix.dirname(file), name));
      else loaded.add(name);
    }
  }
  return [...loaded];
}

const FEATURE = '^libs/(document|book|article|plan|knowledge)/';
const GATEWAY = new RegExp(`${FEATURE}gateway|^libs/gateway/`);
const COMMANDS = new RegExp(`${FEATURE}commands|^libs/cli/`);
const WORKER = new RegExp(`${FEATURE}(worker|tasks|mcp/)`);
const RUNNER = new RegExp(
  `${FEATURE}(runner|prompts|offline|graph/(?!routing|initial-state))|^libs/kit/runner/`,
);
const LANGCHAIN = /^@langchain\//;

describe('a process loads only its own part of each feature', () => {
  const found = (app: string, ...forbidden: RegExp[]) =>
    loadedBy(app).filter((name) => forbidden.some((pattern) => pattern.test(name)));

  it('the gateway loads no graph, no LangChain and no code of workers or the CLI', () => {
    expect(found('gateway', RUNNER, WORKER, COMMANDS, LANGCHAIN)).toEqual([]);
  });

  it('the agent-runner loads no code of the gateway, workers or the CLI', () => {
    expect(found('agent-runner', GATEWAY, WORKER, COMMANDS)).toEqual([]);
  });

  it.each(['scanner', 'validator', 'converter', 'tools'])('the %s loads no graph, gateway or CLI', (app) => {
    expect(found(app, GATEWAY, RUNNER, COMMANDS, LANGCHAIN)).toEqual([]);
  });

  it('the CLI loads the code of a command when it is called', () => {
    expect(found('cli', GATEWAY, RUNNER, WORKER, LANGCHAIN, new RegExp(`${FEATURE}commands/`))).toEqual([]);
    expect(loadedBy('cli').filter((name) => !/^(node:|apps\/|libs\/)/.test(name))).toEqual(['commander']);
  });

  it('follows imports, or it would find nothing', () => {
    expect(loadedBy('gateway')).toContain('libs/book/gateway/chapters.controller.js');
    expect(loadedBy('agent-runner')).toContain('@langchain/langgraph');
  });
});
