import module from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './project-root.js';

/** Where Node, from 22.1 on, keeps compiled code from one start to the next; each build begins it anew. */
export function compileCacheDir(): string {
  return join(projectRoot(), 'dist/.compile-cache');
}

/** Keeps the compiled code of what this process loads from here on; does nothing where Node has no cache for it. */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (dir: string) => void };
  enableCompileCache?.(compileCacheDir());
}
