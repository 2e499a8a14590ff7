import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Returns the compiled module that a thread loads. Threads cannot compile TypeScript, so if the caller runs
 * from its sources, as in tests, it is the module in dist/.
 *
 * @param module URL of the module, resolved from its caller
 * @throws Error if the project was not built
 */
export function compiledModule(module: URL): URL {
  const path = fileURLToPath(module);
  if (existsSync(path)) return module;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const compiled = join(folder, 'dist', relative(folder, path));
    if (existsSync(compiled)) return pathToFileURL(compiled);
  }
  throw new Error(`${path} is not compiled: run "npm run build".`);
}
