import { workerNames } from '#contracts/queues.js';
import { projectRoot } from '#embedded/project-root.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const APPS = ['gateway', ...workerNames];
const readJson = async (file: string) => JSON.parse(await readFile(join(projectRoot(), file), 'utf8'));

describe('the apps of a stack', () => {
  it('are the projects of nest-cli.json', async () => {
    const { projects } = await readJson('nest-cli.json');
    const expected = APPS.map((app) => [
      app,
      { type: 'application', root: `apps/${app}`, sourceRoot: `apps/${app}/src` },
    ]);
    expect(projects).toEqual(Object.fromEntries(expected));
  });

  it('each have a start script', async () => {
    const { scripts } = await readJson('package.json');
    for (const app of APPS) expect(scripts[`start:${app}`]).toBe(`node dist/apps/${app}/src/main.js`);
  });
});
