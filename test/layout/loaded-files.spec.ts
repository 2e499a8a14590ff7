import { loadedBy, loadedByStudio } from '#testing/loaded-files.js';

const FEATURE = '^libs/(document|book|article|change|plan|knowledge)/';
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

  it.each(['scanner', 'validator', 'converter', 'tools'])(
    'the %s loads no graph, gateway or CLI, and no tasks of another queue',
    (app) => {
      const others = new RegExp(`${FEATURE}tasks/(?!${app}\\.js)(scanner|validator|converter|tools)\\.js`);
      expect(found(app, GATEWAY, RUNNER, COMMANDS, LANGCHAIN, others)).toEqual([]);
    },
  );

  it('the CLI loads the code of a command when it is called', () => {
    expect(found('cli', GATEWAY, RUNNER, WORKER, LANGCHAIN, new RegExp(`${FEATURE}commands/`))).toEqual([]);
    expect(loadedBy('cli').filter((name) => !/^(node:|apps\/|libs\/)/.test(name))).toEqual(['commander']);
  });

  it('the studio loads contracts, and the structure of texts with its parser, but no zod', () => {
    const loaded = loadedByStudio();
    const own =
      /^libs\/(catalogue|contracts|locales|markdown|office\/structure|(document|book|article|change|plan|knowledge)\/contract)\//;
    expect(loaded.filter((name) => name.startsWith('libs/') && !own.test(name))).toEqual([]);
    expect(loaded.filter((name) => /^(node:|zod$|@nestjs|@langchain)/.test(name))).toEqual([]);
    expect(loaded).toContain('libs/office/structure/build.js');
  });

  it('finds the files that each process loads', () => {
    expect(loadedBy('gateway')).toContain('libs/book/gateway/chapters.controller.js');
    expect(loadedBy('agent-runner')).toContain('@langchain/langgraph');
    expect(loadedBy('validator')).toContain('libs/document/tasks/validate-md.handler.js');
  });
});
