import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import module from 'node:module';

/**
 * Returns the folder in which Node 22.1 and later caches compiled code between starts; each build empties it.
 */
export function compileCacheDir(): string {
  return join(projectRoot(), 'dist/.compile-cache');
}

/** Caches the compiled code of all modules loaded from now on; no-op without Node's compile cache. */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (dir: string) => void };
  enableCompileCache?.(compileCacheDir());
}

/** Returns the folder of the checkout, whether this file runs from its sources or from dist/. */
export function projectRoot(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`No package.json found above ${import.meta.dirname}`);
}
