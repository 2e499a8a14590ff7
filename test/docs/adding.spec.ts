import { projectRoot } from '#embedded/project-root.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OF_A_KIND } from './added-lines.js';

/** Returns the section of docs/ADDING.md with that heading. */
function section(heading: string): string {
  const page = readFileSync(join(projectRoot(), 'docs/ADDING.md'), 'utf8');
  return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
}

/** `adding.system.spec.ts` adds the lines to a copy of the product and starts it. */
describe('a kind and a task are added by the lines that docs/ADDING.md names', () => {
  it('each place is named', () => {
    for (const file of Object.keys(OF_A_KIND)) expect(section('A kind')).toContain(file);
    expect(section('A task')).toContain('libs/<feature>/worker.ts');
    expect(section('A task')).toContain('libs/<feature>/tasks/<task-name>.handler.ts');
  });
});
