import { projectRoot } from '#embedded/project-root.js';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const DIST = join(projectRoot(), 'dist');
const STATIC_IMPORT = /^(?:import|export)\s(?:[^'"();]*?\sfrom\s)?'(?<name>[^']+)'/gm;
const DYNAMIC_IMPORT = /\bimport\('(?<name>[^']+)'\)/g;

/** Returns the code of a file of `dist/`. */
export const readCompiled = (file: string): string => readFileSync(join(DIST, file), 'utf8');

/**
 * Returns the files and packages that a process of the app loads at its start: by static imports, and a
 * worker's tasks.
 *
 * @returns paths below `dist/`, and names of packages
 */
export function loadedBy(app: string): string[] {
  const loaded = new Set<string>();
  const waiting = [`apps/${app}/src/main.js`];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const code = readCompiled(file);
    const tasks = [...code.matchAll(DYNAMIC_IMPORT)].filter(({ groups }) =>
      groups!['name']!.endsWith(`/tasks/${app}.js`),
    );
    for (const { groups } of [...code.matchAll(STATIC_IMPORT), ...tasks]) {
      const name = groups!['name']!;
      if (name.startsWith('#')) waiting.push(`libs/${name.slice(1)}`);
      else if (name.startsWith('.')) waiting.push(posix.join(posix.dirname(file), name));
      else loaded.add(name);
    }
  }
  return [...loaded];
}
