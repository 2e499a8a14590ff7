import { projectRoot } from '#embedded/project-root.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OF_A_KIND } from './added-lines.js';
import { RECIPES } from './recipes.js';

/** Returns the section of docs/ADDING.md with that heading. */
function section(heading: string): string {
  const page = readFileSync(join(projectRoot(), 'docs/ADDING.md'), 'utf8');
  return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
}

/** `adding.system.spec.ts` adds the lines to a copy of the product and starts it. */
describe('a kind and a task are added by the lines that docs/ADDING.md names', () => {
  it('each named place exists', () => {
    for (const file of Object.keys(OF_A_KIND)) expect(section('A kind')).toContain(file);
    expect(section('A task')).toContain('libs/<feature>/worker.ts');
    expect(section('A task')).toContain('libs/<feature>/tasks/<task-name>.handler.ts');
  });
});

/** Returns whether a section names a file: by its path, the end of its path, its folder, or with a placeholder such as `<area>`. */
function isNamed(file: string, text: string): boolean {
  const names = [...text.matchAll(/`([\w<>@./-]+)`/g)].map(([, name]) => name!);
  return names.some((name) => {
    const pattern = name.replaceAll('.', '\\.').replace(/<[\w-]+>/g, '[\\w-]+');
    return new RegExp(name.endsWith('/') ? `^${pattern}` : `(?:^|/)${pattern}$`).test(file);
  });
}

/** `recipes.system.spec.ts` makes the changes in a copy of the sources, builds it and uses what was added. */
describe('the lists of docs/ADDING.md name every file of the changes that they ask for', () => {
  it.each(Object.entries(RECIPES))('%s', (heading, changes) => {
    const files = [...new Set(changes.map(({ file }) => file))];
    expect(files.filter((file) => !isNamed(file, section(heading)))).toEqual([]);
  });
});
