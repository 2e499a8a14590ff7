import { projectRoot } from '#embedded/project-root.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const DIST = join(projectRoot(), 'dist');
const STATIC_IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'"();]*?\sfrom\s)?'(?<name>[^']+)'/gm;
const DYNAMIC_IMPORT = /\bimport\('(?<name>[^']+)'\)/g;

/** Returns the code of a file of `dist/`. */
export const readCompiled = (file: string): string => readFileSync(join(DIST, file), 'utf8');

/**
 * Returns the files and packages that a process of the app loads at its start: by static imports, and a
 * worker's tasks.
 *
 * @returns paths below `dist/`, and names of packages
 */
export const loadedBy = (app: string): string[] =>
  loadedFrom([`apps/${app}/src/main.js`], `/tasks/${app}.js`);

/** Returns the files of `libs/` and the packages that these load in the pages of the studio. */
export function loadedByStudio(): string[] {
  const sources = join(projectRoot(), 'apps/studio/src');
  const imported = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .flatMap((code) => [...importsOf(code, STATIC_IMPORT), ...importsOf(code, DYNAMIC_IMPORT)])
    .filter((name) => name.startsWith('#'));
  return loadedFrom(imported.map(pathOf));
}

/** Follows the imports of compiled files. @param ofTasks end of the dynamic imports to follow */
function loadedFrom(files: string[], ofTasks?: string): string[] {
  const loaded = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const code = readCompiled(file);
    const tasks = importsOf(code, DYNAMIC_IMPORT).filter((name) => ofTasks && name.endsWith(ofTasks));
    for (const name of [...importsOf(code, STATIC_IMPORT), ...tasks]) {
      if (name.startsWith('#')) waiting.push(pathOf(name));
      else if (name.startsWith('.')) waiting.push(posix.join(posix.dirname(file), name));
      else loaded.add(name);
    }
  }
  return [...loaded];
}

const importsOf = (code: string, pattern: RegExp): string[] =>
  [...code.matchAll(pattern)].map(({ groups }) => groups!['name']!);

/** Returns the path below `dist/` of a library's file. */
const pathOf = (name: string): string => `libs/${name.slice(1)}`;
