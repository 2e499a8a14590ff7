import module from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './project-root.js';

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
