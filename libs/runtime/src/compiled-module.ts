import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The compiled module that a thread loads. A thread of its own has no compiler: when the caller runs from its sources, as in tests, the
 * module is the one in dist/.
 *
 * @param module URL of the module beside its caller
 * @throws Error when the project was not built
 */
export function compiledModule(module: URL): URL {
  const path = fileURLToPath(module);
  if (existsSync(path)) return module;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const compiled = join(folder, 'dist', relative(folder, path));
    if (existsSync(compiled)) return pathToFileURL(compiled);
  }
  throw new Error(`There is no compiled ${path}: run "npm run build".`);
}
